// SPDX-License-Identifier: MIT
@testable import Sessions
@testable import Storing

extension StoredHost {
  /// Gives a sign of life, which brings what other nodes said.
  func giveSign(after duration: Duration = .zero) {
    clock.advance(by: duration)
    host.giveSign()
    host.keeper?.presence?.settle()
  }

  /// Gives a sign that is due, and waits until the host has done what its notices lead to.
  func hear() async throws {
    giveSign(after: .milliseconds(400))
    try await swept()
    for session in host.table.stored { await session.settled() }
    try await swept()
  }
}
