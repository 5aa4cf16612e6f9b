// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import StoreRules
import Testing
import ViewModels

@testable import Storing

/// A clock that stands still, and lets its waiters go when a test lets time pass.
final class HeldClock: Sendable {
  private let waiting = Locked<[(delay: Duration, queue: DispatchQueue, work: @Sendable () -> Void)]>([])
  private let start = ContinuousClock.now
  private let passed = Locked<Duration>(.zero)
  private let (waits, waiter) = AsyncStream.makeStream(of: Duration.self)
  /// The time for which the next waiter waits.
  func wait() async -> Duration? { await waits.first { _ in true } }

  var clock: Committer.Clock {
    Committer.Clock(now: { self.start + self.passed.withLock { $0 } }) { delay, queue, work in
      self.waiting.withLock { $0.append((delay, queue, work)) }
      self.waiter.yield(delay)
    }
  }

  func pass(_ duration: Duration) {
    passed.withLock { $0 += duration }
    let due = waiting.withLock { waiting in
      defer { waiting.removeAll { $0.delay <= duration } }
      return waiting.filter { $0.delay <= duration }
    }
    for (_, queue, work) in due { queue.async(execute: work) }
  }
}

extension Committer {
  func committed(_ change: StoreChange, _ durability: Durability = .relaxed) async -> CommitOutcome {
    await withCheckedContinuation { continuation in commit(change, durability) { continuation.resume(returning: $0) } }
  }

  func claimed(_ id: String) async -> ClaimOutcome {
    await withCheckedContinuation { continuation in claim(id) { continuation.resume(returning: $0) } }
  }

  func stopped(within patience: Duration = .seconds(60)) async {
    await withCheckedContinuation { continuation in stop(within: patience) { continuation.resume() } }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `The committer` {
  private typealias Queue = `The queue of changes`

  private func change(_ committer: Committer, _ id: String, _ revision: UInt64, isNew: Bool = false) -> StoreChange {
    StoreChange(
      id, SessionClaim(boot: committer.boot, number: 0), isNew: isNew, .record(Queue.record(id, revision)))
  }

  @Test func `commits changes of many threads in groups, and tells each thread`() async throws {
    let store = MemorySessions()
    let committer = try Committer(opening: store, as: "test")
    let outcomes = await withTaskGroup(of: CommitOutcome.self, returning: [CommitOutcome].self) { group in
      for index in 0..<500 {
        group.addTask { await committer.committed(change(committer, "s\(index % 50)", UInt64(index), isNew: true)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes == Array(repeating: .durable, count: 500))
    await committer.stopped()
    #expect(store.count() == StoreCount(living: 50))
  }

  @Test func `does an urgent job before any change that comes after it, however much is waiting`() async throws {
    let store = HeldStore()
    let committer = try Committer(opening: store, as: "test")
    let client = Credential(hashing: "client")
    committer.commit(change(committer, "a", 1, isNew: true), .relaxed) { _ in }
    let held = try await store.next()
    // The store is still at work on the first change.
    committer.withStoreFirst { store throws(StoreError) in
      try store.put(ClientRecord(owner: client, credential: nil, user: nil, changed: 1))
    } then: { _ in
    }
    committer.commit(change(committer, "b", 1, isNew: true), .relaxed) { _ in }
    held.answer([.durable])
    let next = try await store.next()
    #expect(store.client(of: client) != nil)
    next.answer([.durable])
  }

  /// Keeps the number of looks of each trip.
  private final class LookingStore: BackedStore {
    let memory = MemorySessions()
    let trips = Locked<[Int]>([])
    func look(_ looks: [StoreLook]) {
      trips.withLock { $0.append(looks.count) }
      memory.look(looks)
    }
  }

  @Test func `does all looks in one trip that came while the store was at work`() async throws {
    let store = LookingStore()
    let committer = try Committer(opening: store, as: "test")
    let (told, teller) = AsyncStream.makeStream(of: Void.self)
    let client = Credential(hashing: "client")
    committer.withStore { _ in
      for _ in 0..<3 {
        committer.client(of: client) { _ in teller.yield() }
        committer.sessions(of: client) { _ in teller.yield() }
      }
    } then: { _ in
    }
    for await _ in told.prefix(6) {}
    #expect(store.trips.withLock { $0 } == [6])
  }

  @Test func `does a job between two changes, though there is always one to commit`() async throws {
    let committer = try Committer(opening: MemorySessions(), as: "test")
    let count = Locked<UInt64>(0)
    @Sendable func commitOn() {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number > 100 { return }
      committer.commit(change(committer, "a", number, isNew: true), .relaxed) { _ in commitOn() }
    }
    let seen = await withCheckedContinuation { done in
      committer.withStore { _ in
        commitOn()
        committer.withStore { _ in
          count.withLock { $0 }
        } then: {
          done.resume(returning: try? $0.get())
        }
      } then: { _ in
      }
    }
    #expect(seen == 2)
  }

  @Test func `tries a change without an answer again after a pause`() async throws {
    let (held, store) = (HeldClock(), HeldStore())
    let committer = try Committer(opening: store, as: "test", clock: held.clock)
    async let outcome = committer.committed(change(committer, "a", 1, isNew: true))
    for pause in [10, 20, 40] {
      try await store.next().answer([.unknown(StoreError(.unavailable, "no answer"))])
      #expect(await held.wait() == .milliseconds(pause))
      held.pass(.milliseconds(pause))
    }
    try await store.next().answer([.durable])
    #expect(await outcome == .durable)
    #expect(committer.backlog == 0)
  }

  @Test func `commits the rest before it stops, and takes nothing more`() async throws {
    let (held, store) = (HeldClock(), HeldStore())
    let committer = try Committer(opening: store, as: "test", clock: held.clock)
    async let outcome = committer.committed(change(committer, "a", 1, isNew: true))
    let first = try await store.next()
    async let stop: Void = committer.stopped(within: .seconds(10))
    #expect(await held.wait() == .seconds(10))
    #expect(await committer.committed(change(committer, "b", 1)) == .refused(.stopped))
    #expect(await committer.claimed("a") == .failed(.stopped))
    #expect(store.closings == 0)
    first.answer([.durable])
    #expect(await outcome == .durable)
    await stop
    #expect(store.closings == 1)
    await committer.stopped()
    held.pass(.seconds(10))
    await committer.stopped()
    #expect(store.closings == 1)
  }

  @Test func `stops in time though a store does not answer, and says that nothing is known`() async throws {
    let (held, store) = (HeldClock(), HeldStore())
    let committer = try Committer(opening: store, as: "test", clock: held.clock)
    async let outcome = committer.committed(change(committer, "a", 1, isNew: true))
    let commit = try await store.next()
    async let stop: Void = committer.stopped(within: .seconds(10))
    #expect(await held.wait() == .seconds(10))
    held.pass(.seconds(10))
    #expect(await outcome == .unknown(.stopped))
    await stop
    // This answer is too late, and reaches nobody.
    commit.answer([.durable])
    #expect(store.closings == 1)
  }
}
