// SPDX-License-Identifier: MIT
import Glibc
import Locking

/// A place in the code where the process kills itself, as `kill -9` does, when it passes there for the nth time.
final class Death: Sendable {
  static let beforeCommit = Death("before-commit")
  static let afterCommit = Death("after-commit")
  static let atWork = Death("at-work")
  static let atClaim = Death("at-claim")
  static let afterClaim = Death("after-claim")
  /// A session leaves memory: before its last state is stored, after that, and when its view model is gone.
  static let beforeLeaving = Death("before-leaving")
  static let afterLeaving = Death("after-leaving")
  static let left = Death("left")
  static let all = [
    beforeCommit, afterCommit, atWork, atClaim, afterClaim, beforeLeaving, afterLeaving, left,
  ]

  private let name: String
  /// The passes that are left, the deadly one included; `nil` if none is deadly.
  private let left = Locked<Int?>(nil)

  private init(_ name: String) { self.name = name }

  /// - Parameter text: a name and a number, such as `after-commit:3` for the third time.
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
