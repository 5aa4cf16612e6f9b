// SPDX-License-Identifier: MIT
import Glibc
import Locking

/// A place where the process kills itself, as `kill -9` does, when it has come by so often.
final class Death: Sendable {
  static let beforeCommit = Death("before-commit")
  static let afterCommit = Death("after-commit")
  static let atWork = Death("at-work")
  static let atClaim = Death("at-claim")
  static let afterClaim = Death("after-claim")
  /// Before that is stored with which a session leaves memory, after it, and when it is gone from there.
  static let beforeLeaving = Death("before-leaving")
  static let afterLeaving = Death("after-leaving")
  static let left = Death("left")
  static let all = [
    beforeCommit, afterCommit, atWork, atClaim, afterClaim, beforeLeaving, afterLeaving, left,
  ]

  private let name: String
  /// How many times it is still passed by; `nil` for always.
  private let left = Locked<Int?>(nil)

  private init(_ name: String) { self.name = name }

  /// - Parameter text: such as `after-commit:3`, the third time.
  static func arm(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let count = Int(parts[1]), let death = all.first(where: { $0.name == parts[0] }) else {
      fatalError("'\(text)': expected one of \(all.map(\.name)), a colon and a number")
    }
    death.left.withLock { $0 = count }
  }

  func mayCome() {
    let isTime = left.withLock { left in
      guard let count = left else { return false }
      left = count - 1
      return count == 1
    }
    if isTime { kill(getpid(), SIGKILL) }
  }
}
