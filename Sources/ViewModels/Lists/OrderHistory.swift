// SPDX-License-Identifier: MIT
import JSONPatching

/// How a list's order was before its last changes, as far back as costs no more than the order itself.
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

  /// The order at a revision; `nil` if that is too long ago.
  func order(at revision: UInt64, now keys: [ExactText]) -> [ExactText]? {
    if revision < floor { return nil }
    var keys = keys
    for change in changes.reversed() where change.revision > revision {
      keys.replaceSubrange(change.prefix..<(keys.count - change.suffix), with: change.stretch)
    }
    return keys
  }
}
