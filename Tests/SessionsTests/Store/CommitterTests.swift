// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import Testing
import ViewModels

@testable import Sessions

/// A clock that stands still, and lets its waiters go when a test lets time pass.
final class HeldClock: Sendable {
  private let waiting = Locked<[(delay: Duration, queue: DispatchQueue, work: @Sendable () -> Void)]>([])
  private let start = ContinuousClock.now
  private let passed = Locked<Duration>(.zero)
  let waits = AsyncStream.makeStream(of: Duration.self)

  var clock: Committer.Clock {
    Committer.Clock(now: { self.start + self.passed.withLock { $0 } }) { delay, queue, work in
      self.waiting.withLock { $0.append((delay, queue, work)) }
      self.waits.continuation.yield(delay)
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

/// A store whose answers come when a test gives them.
final class HeldStore: SessionStore {
  typealias Answer = @Sendable ([CommitOutcome]) -> Void
  let memory = MemorySessions()
  let commits = AsyncStream.makeStream(of: (changes: [StoreChange], answer: Answer).self)
  private let closed = Locked(0)
  var closings: Int { closed.withLock { $0 } }

  func open(as holder: String) -> UInt64 { memory.open(as: holder) }
  var boot: UInt64 { memory.boot }
  func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    memory.claim(claims, then: answer)
  }
  func commit(_ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping Answer) {
    commits.continuation.yield((changes, answer))
  }
  func read(_ id: String) -> StoredSession? { memory.read(id) }
  func sessions(of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void) {
    memory.sessions(of: owner, then: answer)
  }
  func put(_ client: ClientRecord) { memory.put(client) }
  func renew(_ owner: Credential, as credential: Credential, at now: Int64) {
    memory.renew(owner, as: credential, at: now)
  }
  func endClients(at now: Int64) { memory.endClients(at: now) }
  func client(of credential: Credential) -> ClientRecord? { memory.client(of: credential) }
  func clients(of user: String) -> [ClientRecord] { memory.clients(of: user) }
  func expire(now: Int64, unusedSince: Int64, limit: Int, isInMemory: (String) -> Bool) -> Expiry { Expiry() }
  func due(by time: Int64, after last: DueSession?, limit: Int) -> [DueSession] {
    memory.due(by: time, after: last, limit: limit)
  }
  func list(after id: String?, limit: Int) -> [StoredSummary] { [] }
  func count() -> StoreCount { StoreCount() }
  func close() { closed.withLock { $0 += 1 } }
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

@Suite(.timeLimit(.minutes(5))) struct `The committer` {
  private typealias Queue = `The queue of what is to be committed`

  private func change(_ committer: Committer, _ id: String, _ revision: UInt64, isNew: Bool = false) -> StoreChange {
    StoreChange(
      id, SessionClaim(boot: committer.boot, number: 0), isNew: isNew, .record(Queue.record(id, revision)))
  }

  @Test func `commits what many threads hand in, in groups, and tells each`() async throws {
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

  @Test func `does what comes first before any change that comes after it, however much is waiting`() async throws {
    let store = HeldStore()
    let committer = try Committer(opening: store, as: "test")
    let client = Credential(hashing: "client")
    var commits = store.commits.stream.makeAsyncIterator()
    committer.commit(change(committer, "a", 1, isNew: true), .relaxed) { _ in }
    let held = try #require(await commits.next())
    // The store is still at work on the first change.
    committer.withStoreFirst { store throws(StoreError) in
      try store.put(ClientRecord(owner: client, credential: nil, user: nil, changed: 1))
    } then: { _ in
    }
    committer.commit(change(committer, "b", 1, isNew: true), .relaxed) { _ in }
    held.answer([.durable])
    let next = try #require(await commits.next())
    #expect(store.client(of: client) != nil)
    next.answer([.durable])
  }

  @Test func `gives a session that it stored, under a claim of this process, to who asks`() async throws {
    let store = MemorySessions()
    let first = try Committer(opening: store, as: "first")
    _ = await first.committed(change(first, "a", 7, isNew: true))
    let second = try Committer(opening: MemorySessions(sharing: store), as: "second")
    #expect(second.boot > first.boot)
    guard case .held(let record, let claim) = await second.claimed("a") else { throw Queue.Unexpected() }
    #expect(record == Queue.record("a", 7) && claim.boot == second.boot)
    #expect(await second.claimed("b") == ClaimOutcome.none)
    #expect(await first.committed(change(first, "a", 8)) == .fenced)
    #expect(await first.committed(change(first, "a", 9)) == .fenced)
    #expect(await second.committed(StoreChange("a", claim, .record(Queue.record("a", 8)))) == .durable)
  }

  @Test func `tries again after a pause what has no answer`() async throws {
    let (held, store) = (HeldClock(), HeldStore())
    let committer = try Committer(opening: store, as: "test", clock: held.clock)
    var commits = store.commits.stream.makeAsyncIterator()
    var waits = held.waits.stream.makeAsyncIterator()
    async let outcome = committer.committed(change(committer, "a", 1, isNew: true))
    for pause in [10, 20, 40] {
      let commit = try #require(await commits.next())
      commit.answer([.unknown(StoreError(.unavailable, "no answer"))])
      #expect(await waits.next() == .milliseconds(pause))
      held.pass(.milliseconds(pause))
    }
    try #require(await commits.next()).answer([.durable])
    #expect(await outcome == .durable)
    #expect(committer.backlog == 0)
  }

  @Test func `commits what is left before it stops, and takes nothing more`() async throws {
    let (held, store) = (HeldClock(), HeldStore())
    let committer = try Committer(opening: store, as: "test", clock: held.clock)
    var commits = store.commits.stream.makeAsyncIterator()
    async let outcome = committer.committed(change(committer, "a", 1, isNew: true))
    let first = try #require(await commits.next())
    async let stop: Void = committer.stopped(within: .seconds(10))
    var waits = held.waits.stream.makeAsyncIterator()
    #expect(await waits.next() == .seconds(10))
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
    var commits = store.commits.stream.makeAsyncIterator()
    async let outcome = committer.committed(change(committer, "a", 1, isNew: true))
    let commit = try #require(await commits.next())
    async let stop: Void = committer.stopped(within: .seconds(10))
    var waits = held.waits.stream.makeAsyncIterator()
    #expect(await waits.next() == .seconds(10))
    held.pass(.seconds(10))
    #expect(await outcome == .unknown(.stopped))
    await stop
    // This answer is too late, and reaches nobody.
    commit.answer([.durable])
    #expect(store.closings == 1)
  }
}
