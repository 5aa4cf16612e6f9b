// SPDX-License-Identifier: MIT
import Metering
import ObservableCore
import ViewModels

/// What a session does about the runs of its view model's commands.
extension Session {
  /// Tells the view model where it lives. What a command of it writes after a suspension is published when the turn in
  /// which that happens is over.
  func settleIn() {
    model.stateLimit = services.maxStateBytes
    runs.workNotes = services.workNotes
    if services.workNotes != nil { executor.runs = runs }
    let me = SessionReference(self)
    runs.didBegin = { [meters] in
      meters.commands.increment()
      return me.session?.inTurn { $0.deadlineOfRun() } ?? .now
    }
    runs.didEnd = { [modelName, meters] run, number, error in
      Self.count(run, error, in: meters)
      let (isStopped, report) = (run.isStopped, Self.report(run, error, of: modelName))
      me.session?.inTurn { $0.runDidEnd(number, isStopped: isStopped, report) }
    }
    model.live(in: self, runWatcher: runs) { me.session?.inTurn { $0.publishLater() } }
  }

  private func deadlineOfRun() -> ContinuousClock.Instant {
    let deadline = services.now() + services.commandLimit
    look(noLaterThan: deadline)
    return deadline
  }

  /// What the log should have of a run's end: an error that the client is not shown.
  private static func report(_ run: CommandRun, _ error: (any Error)?, of modelName: String) -> SessionReport? {
    guard let error, !(error is any PresentableError), !(error is CancellationError) else { return nil }
    return .commandFailed(command: "\(run.origin)", model: modelName, reason: "\(type(of: error)): \(error)")
  }

  private func runDidEnd(_ run: UInt64, isStopped: Bool, _ report: SessionReport?) {
    if let report { executor.afterTurn { [services] in services.report(report) } }
    guard !actionWaits.isEmpty else { return }
    for index in actionWaits.indices where actionWaits[index].runs.remove(run) != nil && !isStopped {
      // Now, as another run of the command may be over before the turn is. One that was stopped came to nothing.
      for part in actionWaits[index].results.parts.indices where actionWaits[index].results.parts[part].run == run {
        actionWaits[index].results.parts[part].result = result(at: actionWaits[index].results.parts[part].path)
      }
    }
    publishLater()
  }

  /// Answers those whose commands are over. To be called when what they came to is published.
  func answerActions() {
    guard actionWaits.contains(where: { $0.runs.isEmpty }) else { return }
    let over = actionWaits.filter { $0.runs.isEmpty }
    actionWaits.removeAll { $0.runs.isEmpty }
    for wait in over { answer(wait) }
  }

  /// Ends the wait for an action's commands, which go on; one that is over already is left alone.
  ///
  /// Who has waited long enough ends it for all who sent the same request: there is one answer. Who has left is forgotten.
  ///
  /// - Parameter hasReader: whether there still is somebody to answer.
  public func endActionWait(_ id: UInt64, hasReader: Bool) {
    guard let index = actionWaits.firstIndex(where: { $0.readers.contains { $0.id == id } }) else { return }
    if hasReader { return answer(actionWaits.remove(at: index)) }
    actionWaits[index].readers.removeAll { $0.id == id }
    // One that has a key is answered when the commands are over, which takes no longer than they may: for who asks again.
    if actionWaits[index].readers.isEmpty, actionWaits[index].request == nil { actionWaits.remove(at: index) }
  }

  /// Whether a command is executing.
  public var isExecuting: Bool { !runs.running.isEmpty }

  /// Has the waiter told when the commands that run now are over.
  ///
  /// - Returns: whether any does; if not, the waiter is not told.
  public func waitForCommands(_ waiter: ActionWaiter) -> Bool {
    let running = runs.running
    if running.isEmpty || isClosed { return false }
    actionWaits.append(
      ActionWait(readers: [waiter], request: nil, since: version, results: .one([], nil), runs: running))
    return true
  }

  private func answer(_ wait: ActionWait) {
    let message = frame(since: wait.since, wait.results)
    if let request = wait.request { remember(.frame(message), ofWork: request) }
    for reader in wait.readers { tell { reader.answer($0.map { .failed($0) } ?? .frame(message)) } }
  }
}
