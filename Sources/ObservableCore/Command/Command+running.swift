// SPDX-License-Identifier: MIT

extension Command {
  /// A run with its input, and the task that waits for its end.
  struct Pending {
    let run: CommandRun
    let input: Input
    /// The watcher that was told of the run's beginning, and is told of its end.
    weak let watcher: (any CommandRunWatcher)?
    /// Gets the result, or `nil` if the run was cancelled.
    let whoWaits: ((CommandResult<Content>?) -> Void)?

    func end(_ result: CommandResult<Content>?) {
      watcher?.runDidEnd(run, result?.error)
      whoWaits?(result)
    }
  }

  var isBusy: Bool { running != nil || !queue.isEmpty }

  /// The reason why an input is refused now; `nil` if it would be taken.
  private var refusal: CommandRefusal? {
    if operation == nil { return .closed }
    if let condition, (try? condition.get()) != true { return .disabled }
    switch policy {
    case .refuse: return isBusy ? .executing : nil
    case .queue(let limit): return queue.count >= limit && isBusy ? .queueFull(limit: limit) : nil
    case .latest: return nil
    }
  }

  func begin(
    _ input: Input, on isolation: (any Actor)?, end: ((CommandResult<Content>?) -> Void)? = nil
  ) -> (start: CommandStart, run: CommandRun?) {
    if let refusal { return (.refused(refusal), nil) }
    // The run of another command may execute this one; its actor is for that run alone.
    let isolation = (isolation as? RunActor)?.base ?? isolation
    guard let isolation = isolation ?? graph?.isolation else {
      if let graph, graph.awaitsIsolation {
        graph.whenIsolated.append { [weak self] in _ = self?.begin(input, on: $0, end: end) }
        return (.queued, nil)
      }
      stopProgram(
        "\(isExecuting.origin): a command was executed outside every actor",
        expected: "an actor for its operation to run on",
        remedy: "execute it on an actor, or give its graph one: Graph(isolation:)")
    }
    lastNumber += 1
    let run = CommandRun(lastNumber, of: self, isExecuting.origin, on: isolation)
    run.isRepeatable = isRepeatable
    let watcher = graph?.runWatcher
    let pending = Pending(run: run, input: input, watcher: watcher, whoWaits: end)
    watcher?.runDidBegin(run)
    if isBusy || isFinishing, case .queue = policy {
      queue.append(pending)
      settle(undoing: run) { try isExecuting.set(true) }
      return (.queued, run)
    }
    let replaced = running
    running = pending
    settle(undoing: run) {
      try isExecuting.set(true)
      guard let replaced else { return }
      try lastProgress.set(nil)
      if isInSteps {
        return stopAfterSteps([replaced], cancelled: replaced) { command in
          command.running = replaced
          pending.run.stop()
          pending.end(nil)
        }
      }
      if replaced.run.hasBegun { cancelHandler?() }
      replaced.run.stop()
      replaced.end(nil)
    }
    if isInSteps { return (launchAfterSteps(pending), run) }
    // An observer that was told of the run may have cancelled it.
    if isRunning(run) { launch(pending) }
    return (.started, run)
  }

  /// Starts the operation of the run whose turn it is, unless its watcher holds it back.
  func launch(_ pending: Pending) {
    if pending.watcher?.mayStart(pending.run) == false { return }
    pending.run.hasBegun = true
    // The run's actor checks that the caller is on it, so no value crosses into another isolation.
    let launched = ActorBound(value: (command: self, pending: pending))
    pending.run.place.assumeIsolated { launched.value.command.launch(launched.value.pending, on: $0) }
  }

  private func launch(_ pending: Pending, on actor: isolated any Actor) {
    guard let operation else { return }
    let (run, input) = (pending.run, pending.input)
    weak let me = self
    let executor = run.steps?.executor
    executor?.didFail = { [weak run] error in
      if let run { me?.fail(run, error) }
    }
    let begin = {
      run.task = Task.immediate {
        _ = actor
        let result: CommandResult<Content>?
        do { result = .content(try await operation(input, run)) } catch {
          result = error is CancellationError && Task.isCancelled ? nil : .error(error)
        }
        guard let executor else { return me?.finish(run, result) ?? () }
        // It runs after the step: an error that undoes the step is the run's error.
        executor.conclusion = { error in me?.finish(run, error.map { .error($0) } ?? result) }
      }
    }
    if let executor { executor.step(begin) } else { begin() }
  }

  /// Takes the result of a run, if the run still counts (S1-6).
  ///
  /// - Parameters:
  ///   - result: `nil` if the run was cancelled.
  ///   - isStopped: whether its operation is still at work and has to be stopped.
  private func finish(_ run: CommandRun, _ result: CommandResult<Content>?, isStopped: Bool = false) {
    if let graph = isExecuting.graph, Graph.entered !== graph {
      // Observers of its end belong to the graph, and so does what they make.
      return graph.enter { finish(run, result, isStopped: isStopped) }
    }
    guard isRunning(run), let ended = running else { return }
    running = nil
    isFinishing = true
    settle {
      try lastProgress.set(nil)
      if let result {
        try lastResult.set(result)
        try lastError.set(result.error)
      }
      // It comes after the result (S1-4).
      try isExecuting.set(isBusy)
      if isStopped, run.hasBegun { cancelHandler?() }
    }
    isFinishing = false
    if isStopped { run.stop() }
    ended.end(result)
    advance()
  }

  /// Starts the inputs that wait. It is a loop, as an operation may be over before `launch` returns.
  func advance() {
    if isAdvancing { return }
    isAdvancing = true
    defer { isAdvancing = false }
    while running == nil, !queue.isEmpty {
      let next = queue.removeFirst()
      running = next
      launch(next)
    }
  }

  /// Cancels the running one and the waiting ones, as far as they are doomed.
  func drop(_ isDoomed: (Pending) -> Bool) {
    let (running, queue) = (running, queue)
    let stopped = running.flatMap { isDoomed($0) ? $0 : nil }
    if stopped != nil { self.running = nil }
    let dropped = queue.filter(isDoomed)
    self.queue.removeAll(where: isDoomed)
    settle {
      if stopped != nil { try lastProgress.set(nil) }
      try isExecuting.set(isBusy)
      if isInSteps {
        return stopAfterSteps([stopped].compactMap(\.self) + dropped, cancelled: stopped) { command in
          (command.running, command.queue) = (running, queue)
        }
      }
      // This comes last, as the handler may execute the command anew.
      if stopped?.run.hasBegun == true { cancelHandler?() }
    }
    if isInSteps { return }
    for ended in [stopped].compactMap(\.self) + dropped {
      ended.run.stop()
      ended.end(nil)
    }
    advance()
  }

  /// Does as `cancel()`, for a command that ends or was closed. From here on nothing may refer to the command.
  func endForGood() {
    guard isBusy else { return }
    let ended = [running].compactMap(\.self) + queue
    let hadBegun = running?.run.hasBegun == true
    running = nil
    queue = []
    isExecuting.value = false
    lastProgress.value = nil
    if hadBegun { cancelHandler?() }
    for pending in ended {
      pending.run.stop()
      pending.end(nil)
    }
  }

  /// Writes in one transaction. An observer's error has no caller to reach, so the command's `error` tells it.
  ///
  /// - Parameter run: the run that these writes begin. It is undone if the transaction, or the one around it,
  ///   is undone.
  func settle(undoing run: CommandRun? = nil, _ writes: () throws -> Void) {
    do {
      try transaction {
        if !isUndoing { withPropagation { $0.onUndo { [weak self] in self?.undo(run) } } }
        try writes()
      }
    } catch {
      do { try lastError.set(error) } catch let second {
        if hostTakes(second, of: "an observer of the error of \(isExecuting.origin)", in: graph) { return }
        stopProgram(
          "\(lastError.origin): an observer that was told of the error '\(error)' threw '\(second)'",
          expected: "an observer of 'error' that throws nothing, as nobody is left to be told",
          remedy: "catch the error in that observer")
      }
    }
  }

  /// Corrects the command after a transaction was undone: the runs that it began are cancelled, and `executing`
  /// tells the truth again.
  private func undo(_ begun: CommandRun?) {
    isUndoing = true
    drop { $0.run.number == begun?.number }
    isUndoing = false
  }
}

extension Command: CommandRunning {
  func isRunning(_ run: CommandRun) -> Bool { running?.run.number == run.number }

  func start(_ run: CommandRun) {
    if let running, running.run === run, !run.hasBegun { launch(running) }
  }

  func report(_ progress: Double?, from run: CommandRun) {
    if isRunning(run) { settle { try lastProgress.set(progress) } }
  }

  func fail(_ run: CommandRun, _ error: any Error) {
    if isRunning(run) {
      finish(run, .error(error), isStopped: true)
    } else {
      cancel(run)
    }
  }

  func cancel(_ run: CommandRun) {
    if isRunning(run) || queue.contains(where: { $0.run.number == run.number }) {
      drop { $0.run.number == run.number }
    }
  }
}
