// SPDX-License-Identifier: MIT
import Locking
import Storing
import ViewModels

/// The timers of sessions in the store.
extension SessionHost {
  /// Loads sessions that have a timer due, some at a time. A session in memory looks after its timers itself.
  /// It is told when the wall clock was set.
  func sweepTimers() {
    let now = services.moment()
    if timerPlan.withLock({ $0.noteClocks(now) }) { for session in table.withContext { session.renewTimers() } }
    guard let keeper, keeper.isOpen, holdsLease else { return }
    guard let (time, last) = timerPlan.withLock({ $0.step(now) }) else { return }
    keeper.committer.withStore { store throws(StoreError) in
      try store.due(by: time, after: last, limit: TimerPlan.limit)
    } then: { result in
      let ids = self.timerPlan.withLock { $0.found(try? result.get(), now: self.now()) }
      for id in ids { self.wake(id, keeper) }
    }
  }

  private func wake(_ id: String, _ keeper: SessionKeeper) {
    if let session = table.inMemory(id) {
      timerPlan.withLock { $0.loaded(id, rest: nil, now: self.now()) }
      return session.checkTimers()
    }
    Task(executorPreference: executor) {
      let rest: Duration? =
        switch await self.loadSession(id, keeper, for: .timers) {
        case .here: nil
        case .elsewhere: TimerPlan.restElsewhere
        case .failed: TimerPlan.rest
        }
      self.timerPlan.withLock { $0.loaded(id, rest: rest, now: self.now()) }
    }
  }

  /// Finds the user for a user's own session that is loaded without a client: as a client of the user has it
  /// now, or else as it was stored.
  func userWithoutClient(
    for reason: Loading, _ outcome: ClaimOutcome, _ keeper: SessionKeeper
  ) async throws(SessionError) -> User? {
    guard reason.isTimers, case .held(let record, _) = outcome, types[record.model]?.type.owner == .user,
      let stored = record.visitor?.user, Credential.ofUser(stored.id) == record.owner
    else { return nil }
    let clients = try await keeper.ask { store throws(StoreError) in try store.clients(of: stored.id) }
    return clients.max { $0.changed < $1.changed }?.user ?? stored
  }

  /// Whether a session ends instead of running its timers: it was not used for as long as sessions are kept,
  /// and it has not asked to be woken.
  func isOverForTimers(_ record: SessionRecord) -> Bool {
    let now = services.moment()
    if let type = types[record.model]?.type, type.owner == .room {
      // As for other sessions, not where the clock may be wrong, and not before an idle session has been stored.
      guard let time = type.roomTime, sweeps.withLock({ $0.unusedSince(now) }) != nil else { return false }
      return record.lastUsed < now.milliseconds / 1_000 - (time + configuration.idleTime * 2).components.seconds
        && record.timers(at: now)?.wakes.isEmpty ?? true
    }
    guard let since = sweeps.withLock({ $0.unusedSince(now) }) else { return false }
    return record.lastUsed < since && record.timers(at: now)?.wakes.isEmpty ?? true
  }
}

/// The reason why a session is loaded.
enum Loading: Sendable {
  /// A client asks for the session.
  case request(client: Credential?, network: ClientNetwork, released: Elsewhere?)
  /// A timer of the session is due.
  case timers

  var isTimers: Bool { if case .timers = self { true } else { false } }
  var client: Credential? { if case .request(let client, _, _) = self { client } else { nil } }
  var network: ClientNetwork { if case .request(_, let network, _) = self { network } else { .unknown } }
}

extension SessionTable {
  /// The sessions in memory that may have timers.
  fileprivate var withContext: [Session] { state.withLock { $0.sessions.values.map(\.session) }.filter(\.hasContext) }

  /// Finds a session in memory. This does not count as a use.
  func inMemory(_ id: String) -> Session? { state.withLock { $0.sessions[id]?.session } }
}
