// SPDX-License-Identifier: MIT
import Dispatch
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A view model whose command calls a test's closure after its write.
private final class Stepping: ViewModel {
  let step = Observable(0)
  let didWrite: @Sendable () -> Void
  private(set) lazy var go = Command<Void, Int>(self) { me, _, _ in
    await Task.yield()
    let model = try me()
    model.step.value = 1
    model.didWrite()
    return 1
  }

  init(_ didWrite: @escaping @Sendable () -> Void = {}) {
    self.didWrite = didWrite
    _ = go
  }

  static let surface = Surface<Stepping>("stepping", .value("step", \.step), .command("go", \.go))
}

@Suite(.timeLimit(.minutes(30))) struct `A step of a command` {
  @Test func `answers a poll that waits, with all that it wrote as one revision`() async throws {
    let session = try SessionHost.still([.hosting { Stepping() }]).open("stepping", as: nil).session
    let (answers, answer) = AsyncStream.makeStream(of: PollAnswer.self)
    let started = try session.now { session -> Version in
      let started = try session.perform(["go"], nil, since: nil, ifMatch: nil).version
      #expect(session.poll(.poll(since: started)) { answer.yield($0) } == nil)
      return started
    }
    let message = try #require(await answers.first { _ in true }?.message)
    #expect(message.version.revision == started.revision + 1)
    let snapshot = try session.now { try $0.snapshot() }
    #expect(snapshot.version == message.version)
    let state = try snapshot.value["state"]
    #expect(state?["step"] == 1 && state?["go"]?["result"] == 1)
  }

  @Test func `is shown under a version of its own to a request that comes right after it`() async throws {
    let session = Locked<Session?>(nil)
    let (seen, see) = AsyncStream.makeStream(of: (Version, JSON?).self)
    let host = SessionHost.still([
      .hosting {
        Stepping {
          // The command's step has the turn. A request that comes now is next, before the turn is given back.
          DispatchQueue.global().sync {
            session.withLock { $0 }?.submit { session -> (Version, JSON?) in
              (session.version, try? session.snapshot().value["state"]?["step"])
            } then: { result in
              if let result = try? result.get() { see.yield(result) }
            }
          }
        }
      }
    ])
    let opened = try host.open("stepping", as: nil).session
    session.withLock { $0 = opened }
    let before = try opened.now { session -> Version in
      _ = try session.perform(["go"], nil, since: nil, ifMatch: nil)
      return session.version
    }
    let (version, step) = try #require(await seen.first { _ in true })
    #expect(step == 1)
    #expect(version != before)
    session.withLock { $0 = nil }
  }
}
