// SPDX-License-Identifier: MIT
import EuripusTesting
import Locking
import Sessions
import Storing
import Testing
import ViewModels

@testable import EuripusServer

@Suite(.timeLimit(.minutes(30))) struct `The users that an app knows` {
  private func asked(_ authenticator: Authenticator, _ head: RequestHead) async throws {
    try await withCheckedThrowingContinuation { done in
      authenticator.ask(head, from: .unknown) { done.resume(with: $0) }
    }
  }

  @Test func `are remembered for half a minute, and then forgotten`() async throws {
    let clock = Locked(ContinuousClock.now)
    let authenticator = Authenticator({ head in head.bearerToken.map { User(id: $0) } }, now: { clock.withLock { $0 } })
    let head = RequestHead(bearerToken: "t1", cookieField: nil)
    #expect(throws: Authenticator.Unasked.self) { try authenticator.user(of: head) }
    try await asked(authenticator, head)
    #expect(try authenticator.user(of: head)?.id == "t1")
    // The same text as a cookie is another credential, which the app was not asked about.
    #expect(throws: Authenticator.Unasked.self) {
      try authenticator.user(of: RequestHead(bearerToken: nil, cookieField: "t1"))
    }
    authenticator.forget()
    #expect(authenticator.count == 1)
    clock.withLock { $0 += .seconds(30) }
    #expect(throws: Authenticator.Unasked.self) { try authenticator.user(of: head) }
    authenticator.forget()
    #expect(authenticator.count == 0)
  }
}
