// SPDX-License-Identifier: MIT
import JSONPatching

/// The orders that a list had before its last changes, as far back as costs no more than the order itself.
///
/// A change is remembered as the stretch that it replaced: undone one after the other, from the last, they give the order
/// that a reader has.
struct OrderHistory {
  private struct Replacement {
    let revision: UInt64
    /// How many keys before the stretch, and after it, stayed.
    let prefix: Int
    let suffix: Int
    let stretch: [ExactText]
  }

  private var changes: [Replacement] = []
  private var keyCount = 0
  /// Orders before this revision are not known.
  private(set) var floor: UInt64 = 0

  /// No more changes are remembered, however short.
  static let mostChanges = 64

  /// - Parameter count: how many keys the order has now.
  mutating func remember(_ stretch: [ExactText], prefix: Int, suffix: Int, revision: UInt64, count: Int) {
    changes.append(Replacement(revision: revision, prefix: prefix, suffix: suffix, stretch: stretch))
    keyCount += stretch.count
    while let oldest = changes.first, changes.count > Self.mostChanges || keyCount > max(64, count) {
      changes.removeFirst()
      keyCount -= oldest.stretch.count
      floor = oldest.revision
    }
  }

  /// How many keys at the beginning, and how many at the end, all changes after a revision have left alone; `nil` if that
  /// is too long ago.
  func ends(since revision: UInt64) -> (prefix: Int, suffix: Int)? {
    if revision < floor { return nil }
    let after = changes.reversed().prefix { $0.revision > revision }
    return (after.map(\.prefix).min() ?? 0, after.map(\.suffix).min() ?? 0)
  }

  /// The keys between those ends at a revision.
  ///
  /// - Parameter keys: those that are between them now.
  func stretch(at revision: UInt64, now keys: [ExactText], prefix: Int, suffix: Int) -> [ExactText] {
    var keys = keys
    for change in changes.reversed().prefix(while: { $0.revision > revision }) {
      keys.replaceSubrange((change.prefix - prefix)..<(keys.count - (change.suffix - suffix)), with: change.stretch)
    }
    return keys
  }
}
