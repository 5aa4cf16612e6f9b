// SPDX-License-Identifier: MIT
import Euripus
import JSONPatching
import Locking
import Sessions
import Storing
import Testing
import ViewModels

@testable import EuripusServer

/// A request that found its session just before the session ended: its turn comes afterwards.
@Suite struct `A session that has ended meanwhile` {
  /// The part of a request in a session's turn.
  struct Step: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: @Sendable (isolated Session) throws -> Void
  }

  static let steps = [
    Step(testDescription: "a condition") { try $0.check(nil) },
    Step(testDescription: "a snapshot") { _ = try $0.snapshot() },
    Step(testDescription: "a value") { _ = try $0.value(["count"]) },
    Step(testDescription: "an action") { _ = try $0.make([.perform(["add"], 1)], since: nil, ifMatch: nil) },
    Step(testDescription: "setting a value") { _ = try $0.make([.set(["count"], 1)], since: nil, ifMatch: nil) },
    Step(testDescription: "cancelling") { _ = try $0.make([.cancel(["add"])], since: nil, ifMatch: nil) },
  ]

  private func kind(_ step: Step, _ session: Session) -> Problem.Kind? {
    let kind = Locked<Problem.Kind?>(nil)
    session.submit { session in
      do { try step.body(session) } catch { kind.withLock { $0 = Problem(error)?.kind } }
    }
    return kind.withLock { $0 }
  }

  /// The problem that answers a request with a key, whose session ended before its turn.
  private func kindOfRequest(_ session: Session) async -> Problem.Kind? {
    let key = KeyedRequest(key: .text("a"), digest: Digest(method: "POST", path: ["sessions"], body: [], key: nil))
    let request = ChangeRequest(
      .success(.changes([nil], isList: true, since: nil, ifMatch: nil)), key: key,
      refusal: { ChangeRequest.Refusal($0, kept: nil) })
    return await withCheckedContinuation { done in
      session.apply(request) { result in
        if case .failure(let error) = result {
          done.resume(returning: Problem(error)?.kind)
        } else {
          done.resume(returning: nil)
        }
      }
    }
  }

  @Test(arguments: steps)
  func `is none of this client's if it was idle for too long`(step: Step) async throws {
    let now = Locked(ContinuousClock.now)
    let host = SessionHost([.hosting { Counter() }], now: { now.withLock { $0 } })
    let session = try host.open("counter", as: nil).session
    now.withLock { $0 += .seconds(3_600) }
    host.expire()
    #expect(host.count == 0)
    #expect(kind(step, session) == .noSession)
    #expect(await kindOfRequest(session) == .noSession)
  }

  @Test(arguments: steps)
  func `is closed if its client has closed it`(step: Step) async throws {
    let host = SessionHost([.hosting { Counter() }])
    let session = try host.open("counter", as: nil).session
    host.close(session)
    #expect(kind(step, session) == .sessionClosed)
    #expect(await kindOfRequest(session) == .sessionClosed)
  }
}
