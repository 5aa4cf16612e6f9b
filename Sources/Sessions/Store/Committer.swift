// SPDX-License-Identifier: MIT
package import Dispatch
import Locking
package import ViewModels

/// Commits what sessions have become, in groups, on a thread of its own, and tells each what came of it.
///
/// While one group is being written the next one gathers: the more there is to do, the larger the groups are, and the less a
/// session costs. Who asks is told on the committer's thread, once, and must not wait there.
package final class Committer: Sendable {
  /// Which pieces of time it has.
  package struct Clock: Sendable {
    package let now: @Sendable () -> ContinuousClock.Instant
    /// Has that done on the queue after so long.
    package let after: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void

    package init(
      now: @escaping @Sendable () -> ContinuousClock.Instant,
      after: @escaping @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void
    ) {
      self.now = now
      self.after = after
    }

    package static let system = Clock(now: { .now }) { delay, queue, work in
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay / .nanoseconds(1))), execute: work)
    }
  }

  package typealias Answer = @Sendable (CommitOutcome) -> Void
  package typealias ClaimAnswer = @Sendable (ClaimOutcome) -> Void
  private typealias Queue = CommitQueue<Answer, ClaimAnswer>

  /// Something that is done before all that is committed after it was asked for.
  private typealias FirstJob = @Sendable (Result<any SessionStore, StoreError>) -> Void

  private struct State {
    var queue: Queue
    var first: [FirstJob] = []
    /// Set while the thread is at work, or on its way to: it looks at everything before it is cleared.
    var isAtWork = false
    var trouble = StoreTrouble()
    /// When the thread will be woken, after a failure.
    var alarm: ContinuousClock.Instant?
    var lastClaim: UInt64 = 0
    /// The thing to do when everything is committed and the store is closed.
    var stopping: [@Sendable () -> Void] = []
    var isClosed = false
  }

  /// The number of the opening of the store that its claims are made with.
  package let boot: UInt64
  private let store: any SessionStore
  private let clock: Clock
  /// Told when the store cannot be used, or refuses something, and why; and when it can, as `nil`.
  private let report: @Sendable (StoreError?) -> Void
  private let thread = DispatchQueue(label: "euripus.committer")
  private let state: Locked<State>

  /// Opens a store, and commits to it.
  ///
  /// - Throws: what the store throws.
  package convenience init(
    opening store: any SessionStore, as holder: String, clock: Clock = .system,
    report: @escaping @Sendable (StoreError?) -> Void = { _ in }
  ) throws(StoreError) {
    self.init(store, boot: try store.open(as: holder), limits: .init(), clock: clock, report: report)
  }

  init(
    _ store: any SessionStore, boot: UInt64, limits: CommitQueue<Answer, ClaimAnswer>.Limits, clock: Clock,
    report: @escaping @Sendable (StoreError?) -> Void = { _ in }
  ) {
    self.report = report
    self.store = store
    self.boot = boot
    self.clock = clock
    state = Locked(State(queue: Queue(limits: limits)))
  }

  // MARK: Sessions

  /// The claim of a session that is made now, which no other owner can know of.
  package func newClaim() -> SessionClaim {
    SessionClaim(
      boot: boot,
      number: state.withLock { state in
        state.lastClaim += 1
        return state.lastClaim
      })
  }

  /// Reads a session and makes it this process's, after what is to be committed of it.
  package func claim(_ id: String, then answer: @escaping ClaimAnswer) {
    let claim = newClaim()
    let isTaken = state.withLock { $0.queue.claim(.init(id: id, claim: claim, ticket: answer)) }
    if isTaken { wake() } else { answer(.failed(.stopped)) }
  }

  /// Has a change committed. A later one of the same session may take its place and carry its answer.
  ///
  /// After `fenced` and `refused` the session's later changes get the same, until ``release(_:_:)``.
  ///
  /// - Parameter answer: is never told `unknown`, except by a committer that stops.
  package func commit(_ change: StoreChange, _ durability: Durability, then answer: @escaping Answer) {
    let (outcome, deliveries) = state.withLock { state in
      var deliveries: [Queue.Delivery] = []
      let outcome = state.queue.submit(change, durability, answer) { deliveries.append($0) }
      return (outcome, deliveries)
    }
    for delivery in deliveries { delivery.ticket(delivery.outcome) }
    if let outcome { return answer(outcome) }
    wake()
  }

  /// To be called when the copy of a session is dropped whose changes were not taken.
  package func release(_ id: String, _ claim: SessionClaim) { state.withLock { $0.queue.release(id, claim) } }

  /// The sessions that a client has in the store.
  package func sessions(
    of owner: Credential, then answer: @escaping @Sendable (Result<[StoredSession], StoreError>) -> Void
  ) {
    onThread(
      { store in
        store.sessions(of: owner) { result in
          self.note(result)
          answer(result)
        }
      }, orElse: { answer(.failure(.stopped)) })
  }

  /// Does something with the store between two of its calls: what the operator asks for, or expiry.
  package func withStore<Result: Sendable>(
    _ body: @escaping @Sendable (any SessionStore) throws(StoreError) -> Result,
    then answer: @escaping @Sendable (Swift.Result<Result, StoreError>) -> Void
  ) {
    onThread(
      { store in
        let result = Swift.Result { () throws(StoreError) in try body(store) }
        self.note(result)
        answer(result)
      },
      orElse: { answer(.failure(.stopped)) })
  }

  /// Does something with the store before any change is committed that comes after this call.
  package func withStoreFirst(
    _ body: @escaping @Sendable (any SessionStore) throws(StoreError) -> Void,
    then answer: @escaping @Sendable (StoreError?) -> Void
  ) {
    let isClosed = state.withLock { state in
      if state.isClosed { return true }
      state.first.append { store in
        do throws(StoreError) {
          try body(try store.get())
          answer(nil)
        } catch {
          self.note(error)
          answer(error)
        }
      }
      return false
    }
    if isClosed { answer(Self.stopped) } else { wake() }
  }

  private static let stopped = StoreError(.stopped, "the session store is closed; expected it to be opened first")

  /// Sessions whose changes are not in the store yet.
  package var backlog: Int { state.withLock { $0.queue.count } }

  // MARK: The thread

  private func onThread(
    _ body: @escaping @Sendable (any SessionStore) -> Void, orElse refuse: @escaping @Sendable () -> Void
  ) {
    thread.async {
      if self.state.withLock({ $0.isClosed }) { refuse() } else { body(self.store) }
    }
  }

  private func wake() {
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

  private func work() {
    while let step = nextStep() {
      for job in takeFirst() { job(.success(store)) }
      switch step {
      case .claim(let requests): claim(requests)
      case .commit(let changes, let survivesPowerCut):
        store.commit(changes, survivesPowerCut: survivesPowerCut) { self.answered($0) }
      case .wait(let instant): clock.after(instant - clock.now(), thread) { self.ring() }
      case .finished: close()
      case .idle: break
      }
    }
    if state.withLock({ $0.isClosed }) { for job in takeFirst() { job(.failure(Self.stopped)) } }
  }

  private func takeFirst() -> [FirstJob] {
    state.withLock { state in
      defer { state.first = [] }
      return state.first
    }
  }

  /// The next thing to do; `nil`, and the thread is not at work any more, if nothing is left that can be done now.
  private func nextStep() -> Queue.Step? {
    let now = clock.now()
    return state.withLock { state in
      // The outcome of a batch still on its way is nobody's any more.
      if state.isClosed { return nil }
      let step = state.queue.next(now: now)
      switch step {
      case .claim, .commit, .finished: return step
      case .wait(let instant) where state.alarm != instant:
        // The next look finds the alarm set.
        state.alarm = instant
        return step
      case .wait, .idle:
        if !state.first.isEmpty { return .idle }
        state.isAtWork = false
        return nil
      }
    }
  }

  private func claim(_ requests: [Queue.ClaimRequest]) {
    store.claim(requests.map { ($0.id, $0.claim) }) { outcomes in
      for case .failed(let error) in outcomes { self.note(error) }
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

  /// Whether the store has failed of late, and has not worked since.
  var isFailing: Bool {
    let now = clock.now()
    return state.withLock { state in state.trouble.failedAt.map { now - $0 < Self.failureCounts } ?? false }
  }

  /// After that a failure counts no more: one that is not tried again must not keep clients away for ever.
  private static let failureCounts: Duration = .seconds(60)

  private func note(_ error: StoreError) {
    let now = clock.now()
    if state.withLock({ $0.trouble.failed(error, now) }) { report(error) }
  }

  private func note<Value>(_ result: Result<Value, StoreError>) {
    if case .failure(let error) = result { note(error) }
  }

  // MARK: The end

  /// Commits what is left, then closes the store. What cannot be committed within the time is given up, and told so.
  package func stop(within patience: Duration, then done: @escaping @Sendable () -> Void) {
    let (isClosed, claims) = state.withLock { state -> (Bool, [ClaimAnswer]) in
      if state.isClosed { return (true, []) }
      state.stopping.append(done)
      return (false, state.queue.drain())
    }
    if isClosed { return done() }
    for answer in claims { answer(.failed(.stopped)) }
    clock.after(patience, thread) { self.giveUp() }
    wake()
  }

  private func giveUp() {
    let (deliveries, stopping) = state.withLock { state -> ([Queue.Delivery], [@Sendable () -> Void]?) in
      let isClosed = state.isClosed
      return (isClosed ? [] : state.queue.giveUp(), Self.end(&state))
    }
    for delivery in deliveries { delivery.ticket(delivery.outcome) }
    close(stopping)
  }

  private func close() { close(state.withLock { Self.end(&$0) }) }

  private static func end(_ state: inout State) -> [@Sendable () -> Void]? {
    if state.isClosed { return nil }
    state.isClosed = true
    defer { state.stopping = [] }
    return state.stopping
  }

  private func close(_ stopping: [@Sendable () -> Void]?) {
    guard let stopping else { return }
    store.close()
    for done in stopping { done() }
  }
}
