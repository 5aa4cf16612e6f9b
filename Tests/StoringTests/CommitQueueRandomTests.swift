// SPDX-License-Identifier: MIT
import Seeded
import Testing
import ViewModels

@testable import Storing

/// A store that writes some changes without an answer, loses others, and refuses a few.
private struct ForgetfulStore {
  let store = MemorySessions()
  var generator: SeededGenerator

  mutating func commit(_ changes: [StoreChange]) -> [CommitOutcome] {
    changes.map { change in
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: return .unknown(StoreError(.unavailable, "never arrived"))
      case 1:
        _ = committed(change)
        return .unknown(StoreError(.unavailable, "no answer"))
      case 2 where Int.random(in: 0..<4, using: &generator) == 0: return .refused(StoreError(.full, "no room"))
      default: return committed(change)
      }
    }
  }

  private func committed(_ change: StoreChange) -> CommitOutcome {
    nonisolated(unsafe) var outcome: CommitOutcome?
    store.commit([change], survivesPowerCut: false) { outcome = $0.first }
    return outcome ?? .unknown(StoreError(.unavailable, "none"))
  }
}

@Suite struct `The queue of changes, whatever comes` {
  static let seed = SeededGenerator.seed

  /// The change of a session's parts that leads to a revision.
  private static func change(to revision: UInt64) -> PartsChange {
    PartsChange(
      put: [Array("/\(revision % 5)".utf8): Array("\(revision)".utf8)],
      removed: [Array("/\((revision + 2) % 5)".utf8)])
  }

  @Test func `tells each change once, loses none that it said is durable, and leaves nothing of a refused one`() {
    for round in 0..<200 {
      var generator = SeededGenerator(seed: Self.seed &+ UInt64(round))
      var store = ForgetfulStore(generator: SeededGenerator(seed: generator.next()))
      let boot = store.store.open(as: "test")
      var queue = CommitQueue<Int, Int>()
      let claim = SessionClaim(boot: boot, number: 1)
      var now = ContinuousClock.now
      var (revisions, numbers): ([String: UInt64], [String: UInt64]) = ([:], [:])
      var asked: [Int: (id: String, revision: UInt64)] = [:]
      var told: [Int: CommitOutcome] = [:]
      var barred: Set<String> = []
      var durable: [String: UInt64] = [:]

      func hear(_ ticket: Int, _ outcome: CommitOutcome) {
        #expect(
          told.updateValue(outcome, forKey: ticket) == nil, "seed \(Self.seed), round \(round): \(ticket) is told twice"
        )
        guard let (id, revision) = asked[ticket] else { return }
        switch outcome {
        case .durable: durable[id] = max(durable[id] ?? 0, revision)
        case .refused: barred.insert(id)
        case .fenced, .unknown, .behind: Issue.record("seed \(Self.seed), round \(round): \(outcome)")
        }
      }
      func step() {
        now += .milliseconds(Int.random(in: 0...20, using: &generator))
        guard case .commit(let changes, _) = queue.next(now: now) else { return }
        for delivery in queue.answered(store.commit(changes), now: now) { hear(delivery.ticket, delivery.outcome) }
      }
      for ticket in 0..<100 {
        let id = "s\(Int.random(in: 0..<5, using: &generator))"
        let isNew = revisions[id] == nil
        revisions[id, default: 0] += 1
        asked[ticket] = (id, revisions[id] ?? 0)
        var record = CommitQueueTests.record(id, revisions[id] ?? 0)
        record.parts = Self.change(to: record.revision)
        let change = StoreChange(id, claim, isNew: isNew, .record(record), since: numbers[id] ?? 0)
        let outcome = queue.submit(change, .relaxed, ticket)
        numbers[id] = queue.lastNumber
        if let outcome {
          hear(ticket, outcome)
        }
        if Bool.random(using: &generator) { step() }
      }
      _ = queue.drain()
      while queue.count > 0 {
        now += .seconds(5)
        step()
      }
      #expect(told.count == 100, "seed \(Self.seed), round \(round)")
      nonisolated(unsafe) var outcomes: [ClaimOutcome] = []
      store.store.claim(revisions.keys.sorted().map { ClaimOffer($0, claim) }) { outcomes = $0 }
      for case .held(let record, _) in outcomes {
        let id = record.id
        let parts = (1...record.revision).reduce(PartsChange()) { $0.merged(with: Self.change(to: $1)) }
        #expect(record.parts.put == parts.put, "seed \(Self.seed), round \(round), \(id)")
        if barred.contains(id) {
          // A refused change may follow one whose answer was lost. A change that was told as durable is always
          // there.
          #expect(record.revision >= durable[id] ?? 0, "seed \(Self.seed), round \(round), \(id)")
        } else {
          #expect(record.revision == revisions[id], "seed \(Self.seed), round \(round), \(id)")
        }
      }
      // A session that the store does not have was refused when it was new.
      #expect(outcomes.count { $0 == .none } <= barred.count, "seed \(Self.seed), round \(round)")
    }
  }
}

private typealias CommitQueueTests = `The queue of changes`
