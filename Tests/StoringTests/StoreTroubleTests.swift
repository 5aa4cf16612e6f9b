// SPDX-License-Identifier: MIT
import Locking
import StoreRules
import Testing
import ViewModels

@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `Trouble with a store` {
  private let start = ContinuousClock.now
  private let full = StoreError(.full, "no room")
  private let damaged = StoreError(.damaged, "not as it was written")

  /// The indices of the events that are told. An event has its second from the start; an error of `nil` means
  /// that the store works.
  private func told(_ events: [(second: Int, error: StoreError?)]) -> [Int] {
    var trouble = StoreTrouble()
    return events.indices.filter { index in
      guard let error = events[index].error else { return trouble.worked() }
      return trouble.failed(error, start + .seconds(events[index].second))
    }
  }

  @Test func `is told once, and that it works again`() {
    #expect(told([(0, nil), (1, full), (1, full), (600, full), (601, nil), (602, nil)]) == [1, 4])
  }

  @Test func `is told once a minute at most, however often it changes`() {
    let events = (0..<200).flatMap { [($0, full), ($0, nil)] }
    #expect(told(events) == [0, 1, 120, 121, 240, 241, 360, 361])
  }

  @Test func `is told of each kind`() {
    #expect(told([(0, full), (0, damaged), (0, damaged), (0, full), (1, nil)]) == [0, 1, 4])
  }

  @Test func `is when it failed last, until it works`() {
    var trouble = StoreTrouble()
    #expect(trouble.failedAt == nil)
    _ = trouble.failed(full, start)
    _ = trouble.failed(full, start + .seconds(1))
    #expect(trouble.failedAt == start + .seconds(1))
    _ = trouble.worked()
    #expect(trouble.failedAt == nil)
    _ = trouble.failed(.stopped, start)
    #expect(trouble.failedAt == nil)
  }

  @Test func `is not told that the server stops`() {
    #expect(told([(0, .stopped), (1, nil)]) == [])
  }

  /// A store that fails, at each call in another way.
  private final class FailingStore: BackedStore {
    let memory = MemorySessions()
    let works = Locked(false)
    private let claims: StoreError.Kind

    init(claims: StoreError.Kind = .damaged) { self.claims = claims }

    func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
      answer(claims.map { _ in .failed(StoreError(self.claims, "claims")) })
    }
    func commit(
      _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
    ) {
      let outcome = works.withLock { $0 } ? CommitOutcome.durable : .refused(StoreError(.full, "commits"))
      answer(changes.map { _ in outcome })
    }
    func sessions(of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void) {
      answer(.failure(StoreError(.unavailable, "clients")))
    }
    func expire(by rule: ExpiryRule, limit: Int, isInMemory: (String) -> Bool) throws(StoreError) -> Expiry {
      throw StoreError(.newer, "sweeps")
    }
  }

  /// The words of a committer about its store.
  private let told = Locked<[String]>([])

  private func committer(_ store: any SessionStore) throws -> Committer {
    // A clock that stands still. A failure counts for a minute, and a run of tests with a sanitizer may take longer.
    let clock = Committer.Clock(now: { [start] in start }, after: { _, _, _ in })
    return try Committer(opening: store, as: "test", clock: clock) { [told] error in
      told.withLock { $0.append(error.map { "\($0)" } ?? "works") }
    }
  }

  @Test func `is told for each kind of call that the store refuses`() async throws {
    let store = FailingStore()
    let committer = try committer(store)
    let claim = committer.newClaim()
    for _ in 0..<2 {
      #expect(
        await committer.committed(StoreChange("a", claim, .removed)) == .refused(StoreError(.full, "commits")))
      committer.release("a", claim)
      _ = await committer.claimed("a")
      await withCheckedContinuation { done in committer.sessions(of: Credential(hashing: "")) { _ in done.resume() } }
      await withCheckedContinuation { done in
        committer.withStore { store throws(StoreError) in
          try store.expire(now: 0, unusedSince: 0, limit: 1)
        } then: { _ in
          done.resume()
        }
      }
    }
    #expect(committer.isFailing)
    store.works.withLock { $0 = true }
    #expect(await committer.committed(StoreChange("b", claim, .removed)) == .durable)
    #expect(!committer.isFailing)
    #expect(told.withLock { $0 } == ["commits", "claims", "clients", "sweeps", "works"])
  }

  @Test func `is over when a sign was given, without a commit`() async throws {
    let committer = try committer(FailingStore())
    _ = await committer.claimed("a")
    #expect(committer.isFailing)
    for _ in 0..<2 {
      committer.noteWorks()
      #expect(!committer.isFailing)
    }
    #expect(told.withLock { $0 } == ["claims", "works"])
  }

  @Test func `is none that a later version has stored a session`() async throws {
    let committer = try committer(FailingStore(claims: .newer))
    #expect(await committer.claimed("a") == .failed(StoreError(.newer, "claims")))
    #expect(!committer.isFailing)
  }

  @Test func `goes on in spite of a sign while a change waits to be committed`() throws {
    let committer = try committer(HeldStore())
    committer.commit(StoreChange("a", committer.newClaim(), .removed), .relaxed) { _ in }
    committer.note(full)
    committer.noteWorks()
    #expect(committer.isFailing)
  }
}
