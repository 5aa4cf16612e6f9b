// SPDX-License-Identifier: MIT
import Dispatch
import Glibc
import Locking
import ObservableCore
import ViewModels

/// The executor of one session: whoever has the turn *is* the executor, for as long as they are in (D4).
///
/// A thread that finds the turn free takes it and is inside without a task or a hop. One that finds it taken leaves its
/// job behind and goes on; who has the turn does that job before giving the turn back. So no thread ever waits.
final class SessionExecutor: SerialExecutor {
  /// Runs with the turn held.
  typealias Entry = @Sendable () -> Void

  private enum Job: Sendable {
    case entry(Entry)
    case task(UnownedJob)
  }

  private struct State {
    /// Who has the turn; `nil` while it is free.
    var holder: pthread_t?
    /// What came while it was taken, oldest first.
    var waiting: [Job] = []
    /// Set while a drain is on its way to a worker thread, which will take the turn.
    var isDrainScheduled = false
    /// What is to be done once the turn was given back.
    var wakeups: [Wakeup] = []
  }

  private let state = Locked(State())
  // Called by who has the turn alone.
  private nonisolated(unsafe) let model: any HostedModel
  /// The session, if it is a stored one: what a turn has changed is handed over at its end. Set before there is a turn.
  nonisolated(unsafe) var stored: SessionReference?
  /// The runs of commands that steps of tasks are of; set before there can be any.
  nonisolated(unsafe) var runs: RunLedger?

  /// - Parameter model: what the steps of tasks that run here belong to.
  init(for model: any HostedModel) { self.model = model }

  func addFootprint(to footprint: inout Footprint) {
    footprint.add(self)
    footprint.add(state.memory)
  }

  /// Takes the turn if it is free and nobody waits for it.
  ///
  /// A turn that is taken is offered the processor twice: who has it may just have been interrupted, and letting them
  /// finish costs less than to suspend a request and to resume it.
  func tryEnter() -> Bool {
    for attempt in 0...2 {
      let isMine = state.withLock { state in
        guard state.holder == nil, state.waiting.isEmpty else { return false }
        state.holder = pthread_self()
        return true
      }
      if isMine { return true }
      if attempt < 2 { sched_yield() }
    }
    return false
  }

  /// Gives the turn back, after doing what came meanwhile.
  ///
  /// Whoever had the turn, a plain thread or a task's step: what they left to be done is done here.
  func leave() {
    // Kept to the end: what is done here may have been the last to hold it, and somebody waits for what it has to tell.
    let stored = stored?.session
    var wakeups: [Wakeup] = []
    var isEnding = stored == nil
    while true {
      if let job = nextOrLeave(&wakeups, mayLeave: isEnding) {
        run(job)
        isEnding = stored == nil
      } else if isEnding {
        break
      } else {
        stored?.inTurn { $0.store() }
        isEnding = true
      }
    }
    for wakeup in wakeups { wakeup() }
  }

  /// Has `wakeup` done when the turn is given back. To be called by who has the turn.
  func afterTurn(_ wakeup: @escaping Wakeup) { state.withLock { $0.wakeups.append(wakeup) } }

  /// Does the entry here if the turn is free, or leaves it to who has the turn.
  func submit(_ entry: @escaping Entry) {
    let isMine = state.withLock { state in
      state.waiting.append(.entry(entry))
      guard state.holder == nil else { return false }
      state.holder = pthread_self()
      return true
    }
    if isMine { leave() }
  }

  /// Does the entry on a worker thread, when the turn is free: for code of the view model's, on a thread that must not wait.
  func submitElsewhere(_ entry: @escaping Entry) { drains.async { self.submit(entry) } }

  /// A step of a task: never run here, since whoever makes a task ready may be anywhere.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustSchedule = state.withLock { state in
      state.waiting.append(.task(job))
      if state.holder != nil || state.isDrainScheduled { return false }
      state.isDrainScheduled = true
      return true
    }
    if mustSchedule { drains.async { self.drain() } }
  }

  /// Where this session's steps are run when nobody has its turn.
  private var drains: DispatchQueue { Self.queue(for: ObjectIdentifier(self).hashValue) }

  /// One of a few serial queues, always the same for a number.
  static func queue(for number: Int) -> DispatchQueue {
    queues[Int(bitPattern: number.magnitude) % queues.count]
  }

  // Serial queues get threads of their own, whatever others do; those of the concurrent ones are Swift's tasks' as well,
  // and code that blocks can use them up.
  private static let queues = (0..<max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))).map {
    DispatchQueue(label: "euripus.sessions.\($0)")
  }

  private func drain() {
    let isMine = state.withLock { state in
      state.isDrainScheduled = false
      guard state.holder == nil else { return false }
      state.holder = pthread_self()
      return true
    }
    if isMine { leave() }
  }

  /// - Parameter mayLeave: whether the turn is given back if nobody waits for it.
  /// - Returns: what came meanwhile; `nil` if nothing did.
  private func nextOrLeave(_ wakeups: inout [Wakeup], mayLeave: Bool) -> Job? {
    state.withLock { state in
      if state.waiting.isEmpty {
        if !mayLeave { return nil }
        state.holder = nil
        swap(&state.wakeups, &wakeups)
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  private func run(_ job: Job) {
    switch job {
    case .entry(let entry): entry()
    // What a command's operation makes after a suspension is the view model's as well.
    case .task(let task):
      let step = { self.model.enter { task.runSynchronously(on: self.asUnownedSerialExecutor()) } }
      if let runs { runs.step(step) } else { step() }
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
    // Not precondition, which says nothing in a release build: a view model that is used by another thread comes here.
    fatalError("a session's view model was used out of its turn: expected the thread that has the turn, got another")
  }
}

/// Something to do after the turn was given back: a reply, never a decision.
typealias Wakeup = @Sendable () -> Void
