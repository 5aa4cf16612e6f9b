// SPDX-License-Identifier: MIT

/// Something that a transaction has done with files. It is undone if the transaction is, and goes on once that is stored.
package final class FileDeed: Equatable, Sendable {
  package let undo: @Sendable () -> Void
  package let commit: @Sendable () -> Void

  init(undo: @escaping @Sendable () -> Void, commit: @escaping @Sendable () -> Void) {
    (self.undo, self.commit) = (undo, commit)
  }

  /// A deed that leaves nothing on the disk.
  static var nothing: FileDeed { FileDeed(undo: {}, commit: {}) }

  package static func == (left: FileDeed, right: FileDeed) -> Bool { left === right }
}
