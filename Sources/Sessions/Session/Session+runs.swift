// SPDX-License-Identifier: MIT
import ObservableCore
package import ViewModels

/// The runs of the commands of a session's view model.
extension Session {
  /// Tells the view model where it lives. From then on, each write of a command after a suspension is published
  /// at the end of its turn.
  func settleIn() {
    model.stateLimit = services.configuration.maxStateBytes
    model.database = database
    database?.signsIn = { [weak context = model.context] in context?.mayHaveWish == true }
    runs.awaitsStore = keeping != nil
    runs.didBegin = { [counts, weak self] run, number in
      counts.commands.increment()
      let identity = ObjectIdentifier(run)
      let isRepeatable = run.isRepeatable
      return self?.assumeIsolated { $0.runDidBegin(identity, number, isRepeatable) } ?? RunLedger.Beginning()
    }
    runs.didEnd = { [modelName, counts, weak self] run, number, error in
      Self.count(run, error, in: counts)
      let (isStopped, report) = (run.isStopped, Self.report(run, error, of: modelName))
      let fault = CommandFault(of: run, error)
      self?.assumeIsolated { $0.runDidEnd(number, isStopped: isStopped, fault, report) }
    }
    introduceContext()
    hearTold()
    watchDestination()
    watchFiles()
    countMembers()
    hostGraph()
    scheduleTimers()
    model.live(in: self, runWatcher: runs) { [weak self] in self?.assumeIsolated { $0.publishLater() } }
  }

  /// Runs a step of a task: its code between two suspensions.
  ///
  /// - Parameter run: the run of a command that it belongs to; `nil` for none.
  func run(step: () -> Void, of run: ObjectIdentifier?) {
    let outer = beginCode(run.map { runs.work(of: $0) } ?? .ofTask, since: services.now())
    // Objects that the operation makes after a suspension belong to the view model too.
    model.enter(step)
    services.pace.noteStep(modelName, took: endCode(outer))
  }

  /// The lane of the next step.
  nonisolated var laneOfSteps: Pace.Lane { services.pace.laneOfSteps(modelName) }

  /// Has a run that begins now wait for the store. A run that starts before the store has it would be run once
  /// more, if the server dies between the two and the request comes again (PROTOCOL §9).
  ///
  /// - Parameter isRepeatable: whether it may be run once more, so that it need not wait.
  private func runDidBegin(
    _ run: ObjectIdentifier, _ number: UInt64, _ isRepeatable: Bool
  ) -> RunLedger.Beginning {
    if keeping != nil, !isRepeatable {
      custody.isUnsaved = true
      tell { failure in
        guard failure == nil else { return }
        self.executor.enqueue(step: { self.assumeIsolated { $0.runs.noteStored(number) } }, of: run)
      }
    }
    let deadline = services.now() + services.configuration.commandLimit
    look(noLaterThan: deadline)
    return RunLedger.Beginning(
      deadline: deadline, action: actionAtWork, cause: turnWork.present?.work.cause ?? .client(nil))
  }

  /// The report of a run's end for the log, if its error is one that the client is not shown.
  private static func report(_ run: CommandRun, _ error: (any Error)?, of modelName: String) -> SessionReport? {
    guard let error, !(error is CancellationError) else { return nil }
    let reason = "\(type(of: error)): \(error)"
    // The app knows a reading of what it follows as no command, and no client is shown its error.
    if run.isRepeatable { return .readingFailed(code: "\(run.origin)", model: modelName, reason: reason) }
    if error is any PresentableError { return nil }
    return .commandFailed(command: "\(run.origin)", model: modelName, reason: reason)
  }

  private func runDidEnd(_ run: UInt64, isStopped: Bool, _ fault: CommandFault?, _ report: SessionReport?) {
    if let report { self.report(report) }
    if commandWaits.isEmpty { return }
    // The result is read now, as another run of the command may be over before the turn is. A run that was
    // stopped has no result.
    let path = isStopped ? nil : commandWaits.path(ofResultOf: run)
    let reader = commandWaits.request(waitingFor: run)?.requester
    commandWaits.noteEnd(of: run, result: path.map { path in showing(to: reader) { result(at: path) } }, fault: fault)
    publishLater()
  }

  /// Answers the requests whose commands are over. To be called when the commands' writes are published.
  func answerCommandWaits() {
    for wait in commandWaits.removeOver() { answer(wait) }
  }

  /// Ends a request's wait for commands, which go on. A wait that is over already is left alone.
  ///
  /// If a reader has waited long enough, all readers of the same request get the same answer now. If the client
  /// has left, its reader is forgotten.
  ///
  /// - Parameter hasReader: whether there still is a reader to answer.
  package func endWait(of request: ChangeRequest, hasReader: Bool) {
    if !hasReader { return commandWaits.removeReader(of: request) }
    if let wait = commandWaits.remove(request) { answer(wait) }
  }

  private func answer(_ wait: CommandWait) {
    let frame = { (request: ChangeRequest) in
      self.showing(to: request.requester) { self.frame(since: wait.since, wait.results) }
    }
    let message = frame(wait.request)
    let refusal = wait.failure(at: version).map(wait.request.refusal)
    // It is not known which work has made an invitation.
    let kept = turnWork.inviting == .nobodys ? KeptAnswer.frame(message) : nil
    if let key = wait.key { remember(refusal?.kept ?? kept, ofWork: key) }
    let grant = takeGrant(for: wait.request)
    for reader in wait.readers {
      if ending(for: reader.request.requester) != nil {
        tell(.failure(SessionError.credentialReplaced), with: grant, to: reader.answer)
      } else if let refusal {
        tell(.success(.failed(refusal)), with: grant, to: reader.answer)
      } else {
        // The same client may have other roles by the time that its request has come again.
        let own = isRoom && reader.request !== wait.request ? frame(reader.request) : message
        // The answer is that of the request that came first, which did not ask for an error.
        let isAgain = grant == nil && reader.request.isStrict && !wait.request.isStrict
        tell(.success(isAgain ? .again(.frame(own)) : .frame(own)), with: grant, to: reader.answer)
      }
    }
  }

  /// Ends the commands at work as a restart of the server does, for tests of view models.
  package func interrupt() throws {
    defer { publish() }
    // A command that the view model executes again, as it is told, goes on. So does a reading of what it follows, which a
    // restart begins anew.
    let interrupted = runs.latestFirst.filter { !$0.isRepeatable }
    try model.interrupt()
    model.enter { for run in interrupted { run.fail(with: CommandInterrupted()) } }
  }

  /// The view model, for tests that look at more than its surface.
  package var viewModel: any ViewModel { model.viewModel }

  /// Whether a command is executing.
  package var isExecuting: Bool { !runs.running.isEmpty }

  /// Calls `tell` when the commands that run now are over.
  ///
  /// - Returns: whether any command runs. If none does, `tell` is not called.
  package func whenCommandsAreOver(_ tell: @escaping @Sendable () -> Void) -> Bool {
    let running = runs.running
    if running.isEmpty || isClosed { return false }
    let request = ChangeRequest(
      .failure(SessionError.closed), key: nil, refusal: { ChangeRequest.Refusal($0, kept: nil) })
    let results = ActionResults(isList: true, parts: [])
    commandWaits.add(CommandWait((request, { _ in tell() }), key: nil, since: version, results, for: running))
    return true
  }
}
