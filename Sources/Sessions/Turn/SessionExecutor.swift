// SPDX-License-Identifier: MIT
import Glibc
import Locking
import ObservableCore
import ViewModels

/// The executor of one session: the thread that has the turn *is* the executor, for as long as it is in (D4).
///
/// A thread that finds the turn free takes it and is inside without a task or a hop. One that finds it taken leaves its job
/// behind and goes on; the thread that has the turn does that job before it gives the turn back. So no thread ever waits. Jobs
/// that may take long are done in the pool alone: a thread that reads requests leaves them to it.
// @unchecked Sendable: `model` is called by the thread that has the turn alone, and `session` is set before there is a turn.
final class SessionExecutor: SerialExecutor, @unchecked Sendable {
  /// Runs with the turn held.
  typealias Body = @Sendable () -> Void
  /// Something to do after the turn was given back: a reply, never a decision.
  typealias Wakeup = @Sendable () -> Void

  private enum Job: Sendable {
    case work(Body, Pace.Lane)
    /// A step of a task, which may take as long as it likes.
    case step(Body)

    var lane: Pace.Lane {
      switch self {
      case .work(_, let lane): lane
      case .step: .slow
      }
    }
  }

  private struct State {
    /// The thread that has the turn; `nil` while it is free.
    var holder: pthread_t?
    /// The jobs that came while it was taken, oldest first.
    var waiting: [Job] = []
    /// Set while a job for the pool is on its way, which will take the turn.
    var isDrainScheduled = false
    /// The wakeups to be done once the turn was given back.
    var wakeups: [Wakeup] = []
  }

  private let state = Locked(State())
  private let model: any HostedModel
  private let pool: WorkerPool
  /// Whether the work at hand has proved quick. To be asked by the thread that has the turn.
  private(set) var isProven = false
  /// The session, if it is a stored one: the changes of a turn are handed over at its end.
  weak var stored: Session?

  /// - Parameter model: The one that the steps of tasks which run here belong to.
  init(for model: any HostedModel, pool: WorkerPool) {
    self.model = model
    self.pool = pool
  }

  /// Does the work with the turn held: here if the turn is free and the lane allows it, or else by the thread that has the
  /// turn, or in the pool.
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

  /// A step of a task: never run here, since the code that makes a task ready may be anywhere.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    enqueue(step: { job.runSynchronously(on: self.asUnownedSerialExecutor()) })
  }

  /// A step of a task, done as ``enqueue(_:)`` does a job.
  func enqueue(step: @escaping Body) {
    let drain = state.withLock { state in
      state.waiting.append(.step(step))
      return state.holder == nil ? Self.scheduleDrain(&state) : nil
    }
    if let drain { self.drain(drain) }
  }

  /// Has `wakeup` done when the turn is given back. To be called by the thread that has the turn.
  func afterTurn(_ wakeup: @escaping Wakeup) { state.withLock { $0.wakeups.append(wakeup) } }

  // MARK: The turn

  /// - Returns: The lane of the first job that waits, if the pool is to be asked for a thread.
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

  /// Does the first job, if there is one, and those that wait, and gives the turn back. To be called by the thread that has
  /// just taken it.
  private func runTurn(beginningWith first: Job? = nil, inPool: Bool) {
    // Kept to the end: a job may have been the last to hold it, and somebody waits for its answer.
    let stored = stored
    var isStored = true
    // One job in a turn that may take long: its answer does not wait for the next one, which has a place of its own.
    var takesAny = inPool
    var job = first ?? next(takesAny)
    while true {
      while let present = job {
        isProven = present.lane == .here
        run(present)
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

  /// The next job that this thread does.
  ///
  /// - Parameter takesAny: Whether jobs that may take long are done.
  private func next(_ takesAny: Bool) -> Job? {
    state.withLock { state in
      guard let first = state.waiting.first, takesAny || first.lane == .here else { return nil }
      return state.waiting.removeFirst()
    }
  }

  /// - Returns: What is to be done now that the turn is given back; `nil` if it is not, since there is a job again.
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

  private func run(_ job: Job) {
    switch job {
    case .work(let work, _): work()
    // The objects that a command's operation makes after a suspension are the view model's as well.
    case .step(let step): model.enter(step)
    }
  }

  // MARK: Isolation

  func isIsolatingCurrentContext() -> Bool? {
    state.withLock { state in
      if let holder = state.holder { pthread_equal(holder, pthread_self()) != 0 } else { false }
    }
  }

  func checkIsolated() {
    if isIsolatingCurrentContext() == true { return }
    // A view model that is used by another thread comes here.
    stopProgram(
      "a session's view model was used by a thread that has not its turn",
      expected: "its session's code alone to use it",
      remedy: "have a command wait for what happens elsewhere, or an observer follow it")
  }
}
