// SPDX-License-Identifier: MIT
import Glibc
import Locking
import ObservableCore
import ViewModels

/// The executor of one session. While a thread has the turn, that thread *is* the executor (D4).
///
/// A thread that finds the turn free takes it, and is inside without a task or a hop. A thread that finds it
/// taken leaves its job behind and goes on. The thread that has the turn does that job before it gives the turn
/// back. So no thread ever waits.
///
/// Jobs that may take long are done only in the pool. A thread that reads requests leaves them to it.
// @unchecked Sendable: only the thread that has the turn calls `model`, and `session` is set before there is a
// turn.
final class SessionExecutor: SerialExecutor, @unchecked Sendable {
  /// A job, which runs with the turn held.
  typealias Body = @Sendable () -> Void
  /// An act for the time after the turn was given back: a reply, never a decision.
  typealias Wakeup = @Sendable () -> Void

  private enum Job: Sendable {
    case work(Body, Pace.Lane)
    /// A step of a task, which may be that of a command's run.
    case step(Body, Pace.Lane, of: ObjectIdentifier?)

    var lane: Pace.Lane {
      switch self {
      case .work(_, let lane), .step(_, let lane, _): lane
      }
    }
  }

  private struct State {
    /// The thread that has the turn; `nil` while it is free.
    var holder: pthread_t?
    /// The jobs that came while the turn was taken, with the oldest first.
    var waiting: [Job] = []
    /// Set while a job that will take the turn is on its way to the pool.
    var isDrainScheduled = false
    /// The wakeups that are done once the turn was given back.
    var wakeups: [Wakeup] = []
  }

  private let state = Locked(State())
  private let model: any HostedModel
  private let pool: WorkerPool
  /// The session. If it is stored, its changes are handed over at the end of each turn.
  weak var session: Session?

  /// - Parameter model: the view model that the steps of tasks which run here belong to.
  init(for model: any HostedModel, pool: WorkerPool) {
    self.model = model
    self.pool = pool
  }

  /// Does the work with the turn held. It runs here if the turn is free and the lane allows it. Otherwise it
  /// runs on the thread that has the turn, or in the pool.
  func submit(_ lane: Pace.Lane = .here, _ work: @escaping Body) {
    let job = Job.work(work, lane)
    let (isMine, drain) = state.withLock { state in
      if state.holder == nil, state.waiting.isEmpty, lane == .here {
        state.holder = pthread_self()
        return (true, nil as Pace.Lane?)
      }
      state.waiting.append(job)
      return (false, state.holder == nil ? Self.scheduleDrain(&state) : nil)
    }
    if isMine { runTurn(beginningWith: job, inPool: false) }
    if let drain { self.drain(drain) }
  }

  /// Takes a step of a task. It never runs here, since code anywhere may make a task ready.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    enqueue(step: { job.runSynchronously(on: self.asUnownedSerialExecutor()) }, of: nil)
  }

  /// Takes a step of a task, as ``enqueue(_:)`` takes a job.
  ///
  /// - Parameter run: the identity of the command's run that it belongs to; `nil` for none.
  func enqueue(step: @escaping Body, of run: ObjectIdentifier?) {
    let job = Job.step(step, session?.laneOfSteps ?? .slow, of: run)
    let drain = state.withLock { state in
      state.waiting.append(job)
      return state.holder == nil ? Self.scheduleDrain(&state) : nil
    }
    if let drain { self.drain(drain) }
  }

  /// Runs `wakeup` when the turn has been given back. To be called by the thread that has the turn.
  func afterTurn(_ wakeup: @escaping Wakeup) { state.withLock { $0.wakeups.append(wakeup) } }

  // MARK: The turn

  /// - Returns: the lane of the first job that waits, if the pool has to give a thread.
  private static func scheduleDrain(_ state: inout State) -> Pace.Lane? {
    if state.isDrainScheduled { return nil }
    state.isDrainScheduled = true
    return state.waiting.first?.lane ?? .untried
  }

  private func drain(_ lane: Pace.Lane) {
    pool.run(isSlow: lane == .slow) {
      let isMine = self.state.withLock { state in
        state.isDrainScheduled = false
        guard state.holder == nil else { return false }
        state.holder = pthread_self()
        return true
      }
      if isMine { self.runTurn(inPool: true) }
    }
  }

  /// Does the first job, if there is one, and the jobs that wait. Then it gives the turn back. To be called by
  /// the thread that has just taken the turn.
  private func runTurn(beginningWith first: Job? = nil, inPool: Bool) {
    // The session is kept alive to the end: a job may have held the last reference to it, and a reader waits
    // for its answer.
    let session = session
    let stored = session?.keeping == nil ? nil : session
    var isStored = true
    // A turn has at most one job that may take long. Its answer does not wait for the next such job, which has
    // a thread of its own.
    var takesAny = inPool
    var job = first ?? next(takesAny)
    while true {
      while let present = job {
        // The answers of earlier jobs do not wait for one that may take long, and that one finds all handed over.
        if present.lane != .here, let stored { stored.assumeIsolated { $0.store() } }
        run(present, session)
        isStored = false
        if present.lane != .here { takesAny = false }
        job = next(takesAny)
      }
      if let stored, !isStored {
        stored.assumeIsolated { $0.store() }
        isStored = true
        job = next(takesAny)
        continue
      }
      if let wakeups = giveBack(takesAny) {
        for wakeup in wakeups { wakeup() }
        return
      }
      job = next(takesAny)
    }
  }

  /// The next job for this thread.
  ///
  /// - Parameter takesAny: whether the thread does jobs that may take long.
  private func next(_ takesAny: Bool) -> Job? {
    state.withLock { state in
      guard let first = state.waiting.first, takesAny || first.lane == .here else { return nil }
      return state.waiting.removeFirst()
    }
  }

  /// - Returns: the wakeups to be done now that the turn is given back; `nil` if it was not given back, as
  ///   there is another job.
  private func giveBack(_ takesAny: Bool) -> [Wakeup]? {
    let (wakeups, drain) = state.withLock { state -> ([Wakeup]?, Pace.Lane?) in
      if let first = state.waiting.first, takesAny || first.lane == .here { return (nil, nil) }
      state.holder = nil
      let wakeups = state.wakeups
      state.wakeups = []
      return (wakeups, state.waiting.isEmpty ? nil : Self.scheduleDrain(&state))
    }
    if let drain { self.drain(drain) }
    return wakeups
  }

  private func run(_ job: Job, _ session: Session?) {
    switch job {
    case .work(let work, _): work()
    case .step(let step, _, let run):
      if let session { session.assumeIsolated { $0.run(step: step, of: run) } } else { model.enter(step) }
    }
    // Before the next job, which comes too late for a session that has ended.
    session?.assumeIsolated { session in if session.turnWork.mayEnd { session.endIfWanted() } }
  }

  // MARK: Isolation

  func isIsolatingCurrentContext() -> Bool? {
    state.withLock { state in
      if let holder = state.holder { pthread_equal(holder, pthread_self()) != 0 } else { false }
    }
  }

  func checkIsolated() {
    if isIsolatingCurrentContext() == true { return }
    // A view model that another thread uses leads here.
    stopProgram(
      "a session's view model was used by a thread that has not its turn",
      expected: "its session's code alone to use it",
      remedy: "have a command wait for what happens elsewhere, or an observer follow it")
  }
}
