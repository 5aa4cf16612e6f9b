// SPDX-License-Identifier: MIT
import Euripus
import JSONPatching
import Locking
import Sessions
import Testing
import ViewModels

@testable import EuripusServer

/// A session that was found just before it ended: its turn comes after.
@Suite struct `A session that has ended meanwhile` {
  /// What a request does in a session's turn.
  struct Step: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: @Sendable (isolated Session) throws -> Void
  }

  static let request = KeyedRequest(
    key: .text("a"), digest: RequestDigest(method: "DELETE", path: ["sessions"], body: [], key: nil))
  static let waiter = ActionWaiter(id: 1) { _ in }
  static let steps = [
    Step(testDescription: "a condition") { try $0.check(nil) },
    Step(testDescription: "a snapshot") { _ = try $0.snapshot() },
    Step(testDescription: "a value") { _ = try $0.value(["count"]) },
    Step(testDescription: "an action") { _ = try $0.perform(["add"], 1, since: nil, ifMatch: nil) },
    Step(testDescription: "setting a value") { _ = try $0.assign(["count"], 1, since: nil, ifMatch: nil) },
    Step(testDescription: "cancelling") { _ = try $0.cancel(["add"], since: nil, ifMatch: nil) },
    Step(testDescription: "a batch") {
      _ = try $0.perform([.perform(["add"], 1)], since: nil, ifMatch: nil)
    },
    Step(testDescription: "a malformed batch") { _ = try $0.faults(of: [nil], ifMatch: nil) },
    Step(testDescription: "a key") { _ = try $0.earlier(request, waiter: waiter) },
  ]

  private func kind(_ step: Step, _ session: Session) throws -> Problem.Kind? {
    let result = session.enter { session in Result { try step.body(session) } }
    guard case .done(.failure(let error)) = result else { return nil }
    return Problem(error)?.kind
  }

  @Test(arguments: steps)
  func `is none of this client's if it was idle for too long`(step: Step) throws {
    let now = Locked(ContinuousClock.now)
    let host = SessionHost([.hosting { Counter() }], now: { now.withLock { $0 } })
    let session = try host.open("counter", as: nil).session
    now.withLock { $0 += .seconds(3_600) }
    host.expire()
    #expect(host.count == 0)
    #expect(try kind(step, session) == .noSession)
  }

  @Test(arguments: steps)
  func `is closed if its client has closed it`(step: Step) throws {
    let host = SessionHost([.hosting { Counter() }])
    let session = try host.open("counter", as: nil).session
    host.close(session)
    #expect(try kind(step, session) == .sessionClosed)
  }
}
