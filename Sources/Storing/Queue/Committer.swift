// SPDX-License-Identifier: MIT
package import Dispatch
import Locking
package import ViewModels

/// Commits the changes of sessions in groups, on a thread of its own, and tells each session the outcome.
///
/// While one group is being written, the next one gathers. So the more there is to do, the larger the groups
/// are, and the less a session costs. A caller is told once, on the committer's thread, and must not wait
/// there.
package final class Committer: Sendable {
  /// The functions of time that a committer uses.
  package struct Clock: Sendable {
    package let now: @Sendable () -> ContinuousClock.Instant
    /// Runs the closure on the queue after the duration.
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
  typealias Queue = CommitQueue<Answer, ClaimAnswer>

  /// A job that is done before everything that is committed after the job was asked for.
  typealias FirstJob = @Sendable (Result<any SessionStore, StoreError>) -> Void

  struct State {
    var queue: Queue
    var first: [FirstJob] = []
    var looks: [StoreLook] = []
    /// Set while the thread is at work, or about to be. Before it is cleared, the thread looks at everything.
    var isAtWork = false
    var trouble = StoreTrouble()
    /// The time at which the thread is woken after a failure.
    var alarm: ContinuousClock.Instant?
    var lastClaim: UInt64 = 0
    /// Closures that run when everything is committed and the store is closed.
    var stopping: [@Sendable () -> Void] = []
    var isClosed = false
  }

  let store: any SessionStore
  package let clock: Clock
  /// Called with the reason when the store cannot be used or refuses something, and with `nil` when the store
  /// works again.
  let report: @Sendable (StoreError?) -> Void
  let thread = DispatchQueue(label: "euripus.committer")
  /// Taken while the store is lent, or about to be.
  let lending = DispatchSemaphore(value: 1)
  let state: Locked<State>

  /// Opens a store, and commits to it.
  ///
  /// - Parameter migrations: the steps of the app's own tables.
  /// - Throws: the error of the store.
  package convenience init(
    opening store: any SessionStore, as holder: String, _ migrations: [Migration] = [], clock: Clock = .system,
    report: @escaping @Sendable (StoreError?) -> Void = { _ in }
  ) throws(StoreError) {
    _ = try store.open(as: holder)
    do throws(StoreError) { try store.migrateApp(migrations) } catch {
      store.close()
      throw error
    }
    self.init(store, limits: .init(), clock: clock, report: report)
  }

  init(
    _ store: any SessionStore, limits: CommitQueue<Answer, ClaimAnswer>.Limits, clock: Clock,
    report: @escaping @Sendable (StoreError?) -> Void = { _ in }
  ) {
    self.report = report
    self.store = store
    self.clock = clock
    state = Locked(State(queue: Queue(limits: limits)))
  }

  /// The number of the store's present opening, with which claims are made.
  package var boot: UInt64 { store.boot }

  // MARK: Sessions

  /// A claim for a session that is made now. No other owner can have it.
  package func newClaim() -> SessionClaim {
    SessionClaim(
      boot: store.boot,
      number: state.withLock { state in
        state.lastClaim += 1
        return state.lastClaim
      })
  }

  /// Reads a session and claims it for this process, after its waiting changes have been committed.
  ///
  /// - Parameter evenFrom: the claim of another node that does not count any more.
  package func claim(_ id: String, evenFrom: SessionClaim? = nil, then answer: @escaping ClaimAnswer) {
    let offer = ClaimOffer(id, newClaim(), evenFrom: evenFrom)
    let isTaken = state.withLock { $0.queue.claim(.init(offer: offer, ticket: answer)) }
    if isTaken { wake() } else { answer(.failed(.stopped)) }
  }

  /// Commits a change. A later change of the same session may take its place and carry its answer.
  ///
  /// After `fenced` or `refused`, the session's later changes get the same outcome, until ``release(_:_:)``.
  ///
  /// - Parameter answer: gets the outcome, which is never `unknown` unless the committer stops.
  /// - Returns: the number of the change, for the `since` of the next one.
  @discardableResult
  package func commit(_ change: StoreChange, _ durability: Durability, then answer: @escaping Answer) -> UInt64 {
    let (outcome, deliveries, number) = state.withLock { state in
      var deliveries: [Queue.Delivery] = []
      let outcome = state.queue.submit(change, durability, answer) { deliveries.append($0) }
      return (outcome, deliveries, state.queue.lastNumber)
    }
    for delivery in deliveries { delivery.ticket(delivery.outcome) }
    if let outcome { answer(outcome) } else { wake() }
    return number
  }

  /// Gives up the claim on a session when a copy is dropped whose changes were not taken.
  package func release(_ id: String, _ claim: SessionClaim) { state.withLock { $0.queue.release(id, claim) } }

  /// The sessions that a client has in the store.
  package func sessions(
    of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void
  ) {
    look(
      .sessions(of: owner) { result in
        self.note(result)
        answer(result)
      })
  }

  /// The client with a first or present credential; `nil` if it has never signed in.
  package func client(
    of credential: Credential, then answer: @escaping @Sendable (Result<ClientRecord?, StoreError>) -> Void
  ) {
    look(
      .client(of: credential) { result in
        self.note(result)
        answer(result)
      })
  }

  /// Looks that come while the store is at work wait for one trip together.
  private func look(_ look: StoreLook) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.looks.append(look) }
      return state.isClosed
    }
    if isClosed { look.fail(.stopped) } else { wake() }
  }

  /// Runs `body` with the store between two of its other calls, for a wish of the operator's or for expiry.
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

  /// Runs `body` with the store between two of its other calls, and gives its result.
  package func withStore<Result: Sendable>(
    _ body: @escaping @Sendable (any SessionStore) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await withCheckedContinuation { answer in withStore(body) { answer.resume(returning: $0) } }.get()
  }

  /// Runs `body` with the store before any change is committed that comes after this call.
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

  static let stopped = StoreError(.stopped, "the session store is closed; expected it to be opened first")

  /// The number of sessions whose changes are not in the store yet.
  package var backlog: Int { state.withLock { $0.queue.count } }
}
