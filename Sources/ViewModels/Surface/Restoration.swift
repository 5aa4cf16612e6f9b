// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The way of a stored state back into a view model.
///
/// Values are gathered, and put back together without telling any observer. Making view models runs code of
/// theirs, which may read values that were put back and write any. So the gathered values go in before it. When
/// all view models are made, everything is put back once more, and again after they were told that they are
/// restored: the stored state has the last word.
final class Restoration {
  /// The values that were gathered since values were last put back, and all values that ever were.
  private var gathered: [() -> Void] = []
  private var all: [() -> Void] = []
  /// The assignments of variables outside of the graph.
  private var assignments: [() -> Void] = []
  /// Whether code of the view model has run between one value and another.
  private var hasMade = false
  /// Secrets that were set when the state was stored.
  private var lostSecrets: [Observable<String>] = []
  /// Closures that run when all values are there, as a change of their own.
  private var lookings: [() -> Void] = []
  private var models: [any ViewModel] = []
  /// The present place in the stored state.
  private var path: [String] = []
  /// Notes of the events of a trial; `nil` otherwise.
  private let notes: RestorationNotes?

  init(notes: RestorationNotes? = nil) { self.notes = notes }

  /// - Parameter takeIn: reads the stored state.
  func run(_ takeIn: () throws -> Void) throws {
    try takeIn()
    putBack()
    if hasMade { putBackAll() }
    try ViewModelFailure.wrapping { try transaction(.undo) { for model in models { model.didRestore() } } }
    putBackAll()
  }

  // MARK: Values

  func put<Value>(_ value: Value, into observable: Observable<Value>) { gather { observable.putBack(value) } }

  /// - Parameter put: puts a value back; it is called within `puttingBack`.
  func gather(_ put: @escaping () -> Void) {
    gathered.append(put)
    all.append(put)
  }

  /// Assigns a variable that is no part of the graph.
  func assign(_ assignment: @escaping () -> Void) {
    assignment()
    assignments.append(assignment)
  }

  /// Puts back the gathered values.
  func putBack() {
    if gathered.isEmpty { return }
    let due = gathered
    gathered = []
    puttingBack { for put in due { put() } }
  }

  private func putBackAll() {
    for assign in assignments { assign() }
    puttingBack { for put in all { put() } }
  }

  /// - Parameter name: the member which says that the secret was set.
  func lose(_ secret: Observable<String>, _ name: String) {
    notes?.secrets.insert(path + [name])
    lostSecrets.append(secret)
  }

  /// Notes an object that migrations have changed.
  func migrated(to json: JSON, _ model: String, from: UInt32, to: UInt32) {
    guard let notes, from != to else { return }
    notes.migrations.append(.init(pointer: "\(JSONPointer(path))", model: model, from: from, to: to))
    notes.migrated.append((path, json))
  }

  func look(_ looking: @escaping () -> Void) { lookings.append(looking) }

  /// Tells the changes of the restart: the view model sees them as usual changes.
  func tellLosses(of model: some ViewModel) throws {
    if !lostSecrets.isEmpty { try ViewModelFailure.wrapping { try tellAnew(lostSecrets) } }
    if !lookings.isEmpty {
      try ViewModelFailure.wrapping { try transaction(.undo) { for look in lookings { look() } } }
    }
    var losses = RestartLosses()
    model.addLosses(to: &losses)
    try losses.interrupt()
  }

  // MARK: View models

  /// Runs code of the view model that makes view models, or may do so.
  func make<Made>(_ body: () throws -> Made) throws(ViewModelFailure) -> Made {
    putBack()
    hasMade = true
    return try ViewModelFailure.wrapping { try transaction(.undo) { try body() } }
  }

  func came(to model: any ViewModel) { models.append(model) }

  // MARK: Where it is

  /// Does something below a member, an element or a row.
  func below(_ token: String, _ body: () throws -> Void) rethrows {
    path.append(token)
    defer { path.removeLast() }
    try body()
  }

  func unreadable(_ reason: String) -> StoredStateError { .unreadable(at: path, reason) }

  /// Reads a stored value.
  ///
  /// - Returns: `nil` for a value that has no JSON and was stored as `null`, such as a number that is not
  ///   finite.
  func value<Value: JSONRepresentable>(_ json: JSON, as _: Value.Type) throws(StoredStateError) -> Value? {
    do throws(JSONMismatch) { return try Value(json: json) } catch {
      let isPartlyWritable = error.expected == Double.jsonTypeName || Value.self is any PartlyWritable.Type
      if error.found == "null", isPartlyWritable { return nil }
      throw .unreadable(at: path + error.pointer.tokens, "expected \(error.expected), got \(error.found)")
    }
  }
}

/// The secrets and the command runs of a living view model that a restart ends.
struct RestartLosses {
  var secrets: [Observable<String>] = []
  /// Closures that each end the runs of a command.
  var ends: [() -> Void] = []
  /// Closures that each tell a view model of its interrupted command.
  var tellings: [() throws -> Void] = []

  /// Ends the runs of all commands, and then tells the view models, which may execute any of the commands again.
  func interrupt() throws {
    for end in ends { end() }
    for tell in tellings { try tell() }
  }
}
