// SPDX-License-Identifier: MIT
import Dispatch
import Locking

/// The committer's thread: it looks for work, does it, and tells the outcome.
extension Committer {
  func onThread(
    _ body: @escaping @Sendable (any SessionStore) -> Void, orElse refuse: @escaping @Sendable () -> Void
  ) {
    thread.async {
      if self.state.withLock({ $0.isClosed }) { return refuse() }
      self.doFirst()
      body(self.store)
    }
  }

  func wake() {
    let isMine = state.withLock { state in
      defer { state.isAtWork = true }
      return !state.isAtWork
    }
    if isMine { thread.async { self.work() } }
  }

  private func ring() {
    state.withLock { $0.alarm = nil }
    wake()
  }

  /// Does one step. Other jobs of the thread come before the next one, however many changes are to be committed.
  private func work() {
    guard let step = nextStep() else {
      if state.withLock({ $0.isClosed }) { refuseTheRest() }
      return
    }
    doFirst()
    switch step {
    case .claim(let requests): claim(requests)
    case .commit(let changes, let survivesPowerCut):
      store.commit(changes, survivesPowerCut: survivesPowerCut) { self.answered($0) }
    case .wait(let instant): clock.after(instant - clock.now(), thread) { self.ring() }
    case .finished: close()
    case .idle: break
    }
    let looks = takeLooks()
    if !looks.isEmpty { store.look(looks) }
    thread.async { self.work() }
  }

  private func doFirst() { for job in takeFirst() { job(.success(store)) } }

  private func refuseTheRest() {
    for job in takeFirst() { job(.failure(Self.stopped)) }
    let looks = state.withLock { state in
      defer { state.looks = [] }
      return state.looks
    }
    for look in looks { look.fail(.stopped) }
  }

  private func takeFirst() -> [FirstJob] {
    state.withLock { state in
      defer { state.first = [] }
      return state.first
    }
  }

  /// The looks of the next trip. After so many at most, changes have their turn.
  private func takeLooks() -> [StoreLook] {
    state.withLock { state in
      if state.isClosed { return [] }
      let looks = Array(state.looks.prefix(256))
      state.looks.removeFirst(looks.count)
      return looks
    }
  }

  /// The next step; `nil` if nothing can be done now. With `nil` the thread is not at work any more.
  private func nextStep() -> Queue.Step? {
    let now = clock.now()
    return state.withLock { state in
      // The store is closed. Nobody waits any more for the outcome of a batch that is still on its way.
      if state.isClosed { return nil }
      let step = state.queue.next(now: now)
      switch step {
      case .claim, .commit, .finished: return step
      case .wait(let instant) where state.alarm != instant:
        // The next call finds the alarm set.
        state.alarm = instant
        return step
      case .wait, .idle:
        if !state.first.isEmpty || !state.looks.isEmpty { return .idle }
        state.isAtWork = false
        return nil
      }
    }
  }

  private func claim(_ requests: [Queue.ClaimRequest]) {
    store.claim(requests.map(\.offer)) { outcomes in
      // A session that a later version has stored is not a failure of the store.
      for case .failed(let error) in outcomes where error.kind != .newer { self.note(error) }
      for (request, outcome) in zip(requests, outcomes) { request.ticket(outcome) }
    }
  }

  private func answered(_ outcomes: [CommitOutcome]) {
    let now = clock.now()
    let trouble = outcomes.lazy.compactMap(\.error).first
    let (deliveries, isNews) = state.withLock { state -> ([Queue.Delivery], Bool) in
      if state.isClosed { return ([], false) }
      let isNews =
        trouble.map { state.trouble.failed($0, now) } ?? (outcomes.contains(.durable) && state.trouble.worked())
      return (state.queue.answered(outcomes, now: now), isNews)
    }
    if isNews { report(trouble) }
    for delivery in deliveries { delivery.ticket(delivery.outcome) }
    wake()
  }

  /// Whether the store failed a short time ago, and has not worked since.
  package var isFailing: Bool {
    let now = clock.now()
    return state.withLock { state in state.trouble.failedAt.map { now - $0 < Self.failureCounts } ?? false }
  }

  /// The time after which a failure counts no more. An operation that is not tried again must not keep clients
  /// away for ever.
  private static let failureCounts: Duration = .seconds(60)

  package func note(_ error: StoreError) {
    let now = clock.now()
    if state.withLock({ $0.trouble.failed(error, now) }) { report(error) }
  }

  /// Notes that the store has done something as safely as it commits. So it works again, unless a change still
  /// waits to be stored. A failing server gets no requests, so it commits nothing that would show that the
  /// store works.
  package func noteWorks() {
    let isNews = state.withLock { $0.queue.count == 0 && $0.trouble.worked() }
    if isNews { report(nil) }
  }

  func note<Value>(_ result: Result<Value, StoreError>) {
    if case .failure(let error) = result { note(error) }
  }
}
