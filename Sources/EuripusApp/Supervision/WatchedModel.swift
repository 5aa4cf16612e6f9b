// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
package import ViewModels

/// A living view model under supervision. It tells the supervisor of the causes for which its code runs, and
/// does not repeat a work that killed a server (PROTOCOL §9, Decisions/0032).
///
/// A change is noted as itself. A step of a command is noted as the change that started the command. Other
/// calls that run code, to show the state, to cancel or to follow a sequence, are noted as the cause of the
/// present state. That is the last change until it is stored, and then the session, which is not restored for
/// an hour.
final class WatchedModel: HostedModel {
  private let model: any HostedModel
  private let notes: WorkNotes
  /// The path of the session.
  private let session: String
  /// The client that has the session.
  private let owner: String
  private var cause: Work
  /// The present runs of commands, in the order of their beginning, and the works that started them.
  private var runs: [(run: CommandRun, work: Work)] = []
  /// The work whose code is running; `nil` if none is.
  private var current: Work?
  private weak var runWatcher: (any CommandRunWatcher)?

  var viewModel: any ViewModel { model.viewModel }

  /// - Parameter cause: the work that made the view model.
  init(_ model: any HostedModel, _ notes: WorkNotes, session: String, owner: String, cause: Work) {
    self.model = model
    self.notes = notes
    self.session = session
    self.owner = owner
    self.cause = cause
  }

  func apply(_ changes: [Change], by client: String?, _ willDo: (Int) -> Void) throws -> [Int: [UInt8]] {
    let work = work(of: changes, by: client)
    let parts = changes.map { self.work(of: [$0], by: client) }
    for work in [work] + parts { try notes.check(work) }
    cause = work
    return try during(work) {
      try model.apply(changes, by: client) { index in
        // A change is also known among others: adding a harmless one must not help.
        turn(to: parts[index])
        willDo(index)
      }
    }
  }

  func faults(of changes: [Change?], by client: String?) -> [(index: Int, error: SurfaceError)] {
    let changes = changes.map { change in change.flatMap { isPoisoned(work(of: [$0], by: client)) ? nil : $0 } }
    return during(work(of: changes.compactMap(\.self), by: client)) { model.faults(of: changes, by: client) }
  }

  /// - Parameter client: the client that acts; `nil` for the one that has the session. A room is nobody's.
  private func work(of changes: [Change], by client: String?) -> Work {
    Work.changing(session, changes, client: client ?? owner)
  }

  private func isPoisoned(_ work: Work) -> Bool {
    do throws(Poisoned) { try notes.check(work) } catch { return true }
    return false
  }

  /// Notes the next one of several changes.
  private func turn(to work: Work) {
    current = work
    notes.turn(to: work)
  }

  /// Runs a timer. If the server dies of it, the session is not restored for an hour.
  func runTimer(_ timer: SessionTimer) throws {
    cause = .restoring(session)
    try during(cause) { try model.runTimer(timer) }
  }

  /// Runs a step of a command. It cannot be told which run it belongs to; there is hardly ever more than one.
  func enter(_ body: () -> Void) { during(runs.last?.work ?? cause) { model.enter(body) } }

  func writeStored(to writer: inout JSONWriter) {
    during(cause) { model.writeStored(to: &writer) }
    cause = .restoring(session)
  }

  func writeStoredMain(isWhole: Bool, to writer: inout JSONWriter) -> PartsChange {
    defer { cause = .restoring(session) }
    return during(cause) { model.writeStoredMain(isWhole: isWhole, to: &writer) }
  }

  var storedPartCount: Int { model.storedPartCount }

  var storedPartBytes: Int { model.storedPartBytes }

  func noteStored(_ parts: [[UInt8]: [UInt8]]) { model.noteStored(parts) }

  private func during<Result, Failure: Error>(
    _ work: Work, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = current
    current = outer ?? work
    defer { current = outer }
    return try notes.during(work, body)
  }

  // MARK: As it is

  var context: SessionContext? { model.context }
  var stateLength: Int { model.stateLength }
  var memoryBytes: Int { model.memoryBytes }

  var database: (any DatabaseSource)? {
    get { model.database }
    set { model.database = newValue }
  }

  var stateLimit: Int {
    get { model.stateLimit }
    set { model.stateLimit = newValue }
  }

  func live(in isolation: any Actor, runWatcher: any CommandRunWatcher, didChange: @escaping () -> Void) {
    self.runWatcher = runWatcher
    during(cause) { model.live(in: isolation, runWatcher: self, didChange: didChange) }
  }

  func stamp(_ revision: UInt64) -> Bool { during(cause) { model.stamp(revision) } }
  func writeState(to writer: inout JSONWriter) { during(cause) { model.writeState(to: &writer) } }

  func writeValue(at path: [String], to writer: inout JSONWriter) -> Bool {
    during(cause) { model.writeValue(at: path, to: &writer) }
  }

  func lastChange(at path: [String]) -> UInt64? { model.lastChange(at: path) }

  func writeResult(at path: [String], to writer: inout JSONWriter) -> Bool {
    during(cause) { model.writeResult(at: path, to: &writer) }
  }

  func writePatch(since: UInt64, to writer: inout JSONWriter) {
    during(cause) { model.writePatch(since: since, to: &writer) }
  }

  var address: String? { during(cause) { model.address } }
  func addressChange(since: UInt64) -> AddressHistory? { model.addressChange(since: since) }
  func interrupt() throws { try during(cause) { try model.interrupt() } }
  func close() { during(cause) { model.close() } }
}

extension WatchedModel: CommandRunWatcher {
  func runDidBegin(_ run: CommandRun) {
    runs.append((run, current ?? cause))
    runWatcher?.runDidBegin(run)
  }

  func mayStart(_ run: CommandRun) -> Bool { runWatcher?.mayStart(run) ?? true }

  func runDidEnd(_ run: CommandRun, _ error: (any Error)?) {
    runs.removeAll { $0.run === run }
    runWatcher?.runDidEnd(run, error)
  }
}

extension HostedModelType {
  /// The same type, with view models under supervision.
  package func watched(_ notes: WorkNotes) -> HostedModelType {
    decorated { [name] origin, isRestored, make in
      let session = "/sessions/\(name)/\(origin.id)"
      // Any client may ask to open a session, so an opening is tried again after a while.
      let cause = isRestored ? Work.restoring(session) : .opening(name, client: origin.client, address: origin.address)
      try notes.check(cause, rest: isRestored ? WorkNotes.longRest : .seconds(60))
      return WatchedModel(
        try notes.during(cause, make), notes, session: session, owner: origin.client, cause: cause)
    }
  }
}
