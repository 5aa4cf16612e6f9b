// SPDX-License-Identifier: MIT
import Glibc
import Locking

/// The places in the code where the process may kill itself, as `kill -9` does.
enum Death: String, CaseIterable {
  case beforeCommit = "before-commit"
  case afterCommit = "after-commit"
  /// The rows of an action are committed, and the session's change is not, where these are two transactions.
  case betweenCommits = "between-commits"
  case atWork = "at-work"
  case atClaim = "at-claim"
  case afterClaim = "after-claim"
  /// A session leaves memory: before its last state is stored, after that, and when its view model is gone.
  case beforeLeaving = "before-leaving"
  case afterLeaving = "after-leaving"
  case left

  /// The place at which the process dies, and the passes that are left, the deadly one included.
  private static let armed = Locked<(place: Death, left: Int)?>(nil)

  /// - Parameter text: a place and a number, such as `after-commit:3` for the third time.
  static func arm(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let count = Int(parts[1]), let place = Death(rawValue: String(parts[0])) else {
      fatalError("'\(text)': expected one of \(allCases.map(\.rawValue)), a colon and a number")
    }
    armed.withLock { $0 = (place, count) }
  }

  func mayCome() {
    let isTime = Self.armed.withLock { armed in
      guard armed?.place == self else { return false }
      armed?.left -= 1
      return armed?.left == 0
    }
    if isTime { kill(getpid(), SIGKILL) }
  }
}
