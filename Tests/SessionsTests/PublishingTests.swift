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

  init(_ didWrite: @escaping @Sendable () -> Void) {
    self.didWrite = didWrite
    _ = go
  }

  static let surface = Surface<Stepping>("stepping", .value("step", \.step), .command("go", \.go))
}

@Suite(.timeLimit(.minutes(5))) struct PublishingTests {
  @Test func `who comes in right after a command's step sees what it wrote under a version of its own`() async throws {
    let session = Locked<Session?>(nil)
    let (seen, see) = AsyncStream.makeStream(of: (Version, JSON?).self)
    let host = SessionHost([
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
