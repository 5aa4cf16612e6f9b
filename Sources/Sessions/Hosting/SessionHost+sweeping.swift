// SPDX-License-Identifier: MIT
import Locking
import Storing
import ViewModels

/// Forgets the sessions of the store that nobody uses.
extension SessionHost {
  /// The most rows of the store that are looked at in one step.
  private static let sweepRows = 1_000

  /// Has the store forget sessions that nobody has used for long, in steps, when the clocks allow it
  /// (``SweepPlan``).
  func sweep() {
    guard let keeper, keeper.isOpen else { return }
    let now = services.moment()
    let (step, leap) = sweeps.withLock { $0.step(now) }
    if let leap { report(leap: leap, isAtStart: false) }
    switch step {
    case .wait: break
    case .survey(let id): survey(after: id, keeper)
    case .sweep(var rule):
      for (name, (type, _)) in types where type.owner == .room {
        rule.roomsUnusedSince[name] =
          type.roomTime.map { rule.now - ($0 + configuration.idleTime * 2).components.seconds } ?? .min
      }
      sweep(by: rule, keeper)
    }
  }

  private func sweep(by rule: ExpiryRule, _ keeper: SessionKeeper) {
    keeper.committer.withStore { store throws(StoreError) in
      try store.expire(by: rule, limit: Self.sweepRows) { self.isInMemory($0) }
    } then: { [sweeps, report = services.report] result in
      guard case .success(let expiry) = result else { return }
      for error in expiry.setAside { report(.setAside(reason: "\(error)")) }
      if let count = sweeps.withLock({ $0.forgot(expiry.forgotten) }) { report(.forgotten(sessions: count)) }
    }
  }

  /// Whether a session is in memory, or on its way there. The store must not forget such a session, whatever a
  /// clock says.
  func isInMemory(_ id: String) -> Bool {
    // The order matters: a session is in the table before it stops being on its way.
    if loading.withLock({ $0[id] != nil }) { return true }
    return table.has(id)
  }

  /// Reads the times of the last use of some sessions of the store.
  private func survey(after id: String?, _ keeper: SessionKeeper) {
    keeper.committer.withStore { store throws(StoreError) in
      try store.list(after: id, limit: Self.sweepRows)
    } then: { result in
      let pause = self.sweeps.withLock { plan -> Duration? in
        guard case .success(let summaries) = result else {
          plan.surveyFailed()
          return nil
        }
        for summary in summaries { if let lastUsed = summary.lastUsed { plan.found(lastUsed: lastUsed) } }
        return plan.surveyed(to: summaries.count < Self.sweepRows ? nil : summaries.last?.id)
      }
      if let pause { self.report(leap: pause, isAtStart: true) }
    }
  }

  private func report(leap: Duration, isAtStart: Bool) {
    services.report(.clockLeapt(by: leap, isAtStart: isAtStart, rest: sweeps.withLock { $0.kept }))
  }
}
