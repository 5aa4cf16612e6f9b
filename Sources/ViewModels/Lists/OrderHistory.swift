// SPDX-License-Identifier: MIT
import JSONPatching

/// The orders that a list had before its last changes. They reach back as far as they take no more memory than
/// the order itself.
///
/// A change is remembered as the stretch of keys that it replaced. If the changes are undone one by one, the
/// last first, they give the order that a reader has.
struct OrderHistory {
  private struct Replacement {
    let revision: UInt64
    /// The numbers of keys before the stretch, and after it, that stayed.
    let prefix: Int
    let suffix: Int
    let stretch: [ExactText]
  }

  private var changes: [Replacement] = []
  private var keyCount = 0
  /// The first revision whose order is known.
  private(set) var floor: UInt64 = 0

  /// The most changes that are remembered, however short.
  static let mostChanges = 64

  /// - Parameter count: the number of keys in the present order.
  mutating func remember(_ stretch: [ExactText], prefix: Int, suffix: Int, revision: UInt64, count: Int) {
    changes.append(Replacement(revision: revision, prefix: prefix, suffix: suffix, stretch: stretch))
    keyCount += stretch.count
    while let oldest = changes.first, changes.count > Self.mostChanges || keyCount > max(64, count) {
      changes.removeFirst()
      keyCount -= oldest.stretch.count
      floor = oldest.revision
    }
  }

  /// The numbers of keys at the beginning, and at the end, that no change after a revision has touched; `nil`
  /// if that revision is too long ago.
  func ends(since revision: UInt64) -> (prefix: Int, suffix: Int)? {
    if revision < floor { return nil }
    let after = changes.reversed().prefix { $0.revision > revision }
    return (after.map(\.prefix).min() ?? 0, after.map(\.suffix).min() ?? 0)
  }

  /// The keys between those ends at a revision.
  ///
  /// - Parameter keys: the keys between them now.
  func stretch(at revision: UInt64, now keys: [ExactText], prefix: Int, suffix: Int) -> [ExactText] {
    var keys = keys
    for change in changes.reversed().prefix(while: { $0.revision > revision }) {
      keys.replaceSubrange((change.prefix - prefix)..<(keys.count - (change.suffix - suffix)), with: change.stretch)
    }
    return keys
  }
}
