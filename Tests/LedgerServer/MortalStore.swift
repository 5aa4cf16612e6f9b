// SPDX-License-Identifier: MIT
import Glibc
import Locking
import Storing

/// A store whose process may die at its calls. As the control of the tests it can also answer before it has stored.
final class MortalStore: StoreInFront, @unchecked Sendable {
  private let answersEarly: Bool
  /// The changes that were answered last, and are not stored yet, of a store that answers early.
  private let late = Locked<[StoreChange]>([])
  /// The revision at which each session was stored or read last.
  private let revisions = Locked<[String: UInt64]>([:])

  init(_ store: any SessionStore, answersEarly: Bool) {
    self.answersEarly = answersEarly
    super.init(store)
  }

  override func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    // Several sessions may be claimed at once. Each counts.
    for _ in claims { Death.atClaim.mayCome() }
    super.claim(claims) { [revisions] outcomes in
      revisions.withLock { revisions in
        for case .held(let record, _) in outcomes { revisions[record.id] = record.revision }
      }
      for _ in outcomes { Death.afterClaim.mayCome() }
      answer(outcomes)
    }
  }

  override func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) {
    if answersEarly {
      // These are stored with the next ones, so a process that dies has always answered something that is lost.
      let before = late.withLock { late in
        defer { late = changes }
        return late
      }
      super.commit(before, survivesPowerCut: survivesPowerCut) { _ in }
      return answer(changes.map { _ in .durable })
    }
    Death.beforeCommit.mayCome()
    let hasLeaving = isLeaving(changes)
    if hasLeaving {
      Death.beforeLeaving.mayCome()
      // A window in which a request may come. Nothing is judged by its length.
      usleep(20_000)
    }
    super.commit(changes, survivesPowerCut: survivesPowerCut) { outcomes in
      if hasLeaving { Death.afterLeaving.mayCome() }
      Death.afterCommit.mayCome()
      answer(outcomes)
    }
  }

  /// Whether one of the changes stores a session that is stored already, but for its last use. Such a session
  /// is about to leave memory.
  private func isLeaving(_ changes: [StoreChange]) -> Bool {
    revisions.withLock { revisions in
      changes.reduce(into: false) { isLeaving, change in
        guard case .record(let record) = change.content else { return }
        if revisions.updateValue(record.revision, forKey: record.id) == record.revision { isLeaving = true }
      }
    }
  }
}
