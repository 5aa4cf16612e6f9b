// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// A host on a store. A second one on the same store stands for the next process.
struct StoredHost {
  let host: SessionHost
  let clock: ManualClock
  /// The time by which a test has set the wall clock forward.
  let ahead = Locked<Duration>(.zero)
  let reports = Locked<[SessionReport]>([])

  init(
    _ store: any SessionStore, clock: ManualClock = ManualClock(), types: [HostedModelType] = [.hosting { Note() }],
    startingAhead start: Duration = .zero, configure: (inout SessionConfiguration) -> Void = { _ in }
  ) throws {
    ahead.withLock { $0 = start }
    var configuration = SessionConfiguration.unhurried
    configuration.workers = 1
    configuration.openingRate = nil
    configuration.storage = SessionStorage(store, description: "a store")
    configure(&configuration)
    self.clock = clock
    let begin = clock.now
    host = SessionHost(
      types, configuration: configuration, now: { clock.now },
      wallClock: { [ahead] in
        1_700_000_000_000 + Int64((clock.now - begin + ahead.withLock { $0 }) / .milliseconds(1))
      },
      report: { [reports] report in reports.withLock { $0.append(report) } })
    try host.openStore(as: "a test")
  }

  /// Opens a session as a request does, and reads from the store what that needs.
  func opening(
    _ name: String = "note", as key: String? = nil, by visitor: Visitor = Visitor(), _ request: KeyedRequest? = nil,
    invitation: String? = nil
  ) async throws -> SessionHost.Opened {
    var hasFetched = false
    while true {
      do {
        return try host.open(
          name, as: credential(key), request, hasFetched: hasFetched, by: visitor, invitation: invitation)
      } catch let missing as SessionsToFetch {
        hasFetched = true
        if let failure = await fetch(missing) { throw failure }
      }
    }
  }

  /// Opens a session, finds it as the client's next request does, and waits until that is stored.
  @discardableResult
  func open(
    _ name: String = "note", as key: String? = nil, by visitor: Visitor = Visitor(), isFound: Bool = true
  ) async throws -> SessionHost.Opened {
    let opened = try await opening(name, as: key, by: visitor)
    if isFound { _ = try host.find(name, opened.session.id, as: credential(key ?? opened.newKey)) }
    opened.session.enter { $0.version }
    #expect(await opened.session.stored() == nil)
    return opened
  }

  /// Reads from the store. Returns the error if that fails.
  func fetch(_ missing: SessionsToFetch) async -> SessionError? {
    await host.fetch(missing).failure
  }

  /// Waits until the store has done all that it was asked for before, and what followed from it.
  func swept() async throws {
    let committer = try #require(host.keeper).committer
    var isAtWork = true
    while isAtWork {
      isAtWork = (try? await committer.withStore { _ in committer.state.withLock { $0.isAtWork } }) ?? false
      await host.executor.idle()
      isAtWork = committer.state.withLock { $0.isAtWork } || isAtWork
    }
  }

  /// Has the host do all that is due now, and waits for everything that follows from it.
  func tend() async throws {
    for _ in 0..<3 {
      host.expire()
      try await swept()
      await host.drained()
      for session in host.table.stored {
        await session.settled()
        _ = await session.stored()
      }
      await host.drained()
    }
  }

  /// Lets these seconds pass. The host does what is due after each step.
  func pass(_ seconds: Int, by step: Int = 1) async throws {
    for _ in 0..<seconds / step {
      clock.advance(by: .seconds(step))
      host.expire()
      try await swept()
      await host.drained()
    }
  }

  /// Lets an idle minute pass, and waits until the sessions that nobody uses have left memory.
  func rest() async throws { try await pass(61, by: 61) }

  /// Finds a session as a request does, and fetches it from the store if it is not in memory.
  func find(_ id: String, as key: String?, in name: String = "note") async throws -> SessionHost.Found {
    var hasFetched = false
    while true {
      do throws(SessionsToFetch) {
        return try host.find(name, id, as: credential(key), hasFetched: hasFetched)
      } catch {
        hasFetched = true
        let failure = await fetch(error)
        if case .expired? = failure { return .none }
        if let failure { throw failure }
      }
    }
  }

  func living(_ id: String, as key: String?, in name: String = "note") async throws -> Session {
    guard case .session(let session) = try await find(id, as: key, in: name) else { throw SessionError.expired }
    return session
  }

  /// The state of a session, as the client with this key is shown it.
  func state(_ id: String, as key: String?, in name: String = "note") async throws -> JSON? {
    try await living(id, as: key, in: name).now { try $0.snapshot() }.value["state"]
  }
}

extension Session {
  /// Waits until all jobs that wait for the turn are done.
  nonisolated func settled() async {
    await withCheckedContinuation { done in whenIdle { done.resume() } }
  }

  /// Waits until all is stored. Returns the error if a change could not be stored.
  nonisolated func stored() async -> SessionError? {
    await withCheckedContinuation { done in whenStored { done.resume(returning: $0) } }
  }

  func rename(_ title: String) throws { _ = try perform(["rename"], .string(title), since: nil, ifMatch: nil) }

  var title: JSON? { get throws { try snapshot().value["state"]?["title"] } }
}

extension SessionHost {
  /// Waits until the worker has done all its jobs: there is one worker in these tests.
  func drained() async {
    await executor.idle()
    await withCheckedContinuation { done in services.pool.run(isSlow: false) { done.resume() } }
    await executor.idle()
  }
}

extension HostExecutor {
  /// Waits until everything has run that was enqueued before.
  func idle() async { await Task(executorPreference: self) {}.value }
}

extension Fetched {
  /// The reason why there is nothing in memory; `nil` if there is.
  var failure: SessionError? { if case .failed(let error) = self { error } else { nil } }
}

func credential(_ key: String?) -> Credential? { key.map { Credential(hashing: $0) } }
