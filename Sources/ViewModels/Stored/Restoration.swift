// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A stored state on its way back into a view model.
///
/// Values are gathered, and put back together where nobody is told. Making view models runs code of theirs, which may read
/// values that were put back and write any: so the gathered ones go in first, and when all are made everything is put back
/// once more, and again after they were told that they are restored: the stored state has the last word.
final class Restoration {
  /// The values that were gathered since some were last put back, and all that ever were.
  private var gathered: [() -> Void] = []
  private var all: [() -> Void] = []
  /// The assignments outside of the graph.
  private var assignments: [() -> Void] = []
  /// Whether code of the view model's has run, between one value and another.
  private var hasMade = false
  /// Secrets that were set when the state was stored.
  private var lostSecrets: [Observable<String>] = []
  /// Looks that are taken once all values are there, as a change of their own.
  private var lookings: [() -> Void] = []
  private var models: [any ViewModel] = []
  /// The place in the stored state at which it is.
  private var path: [String] = []
  /// Told of what happens, on trial; `nil` otherwise.
  private let notes: RestorationNotes?

  init(notes: RestorationNotes? = nil) { self.notes = notes }

  /// - Parameter takeIn: takes in the stored state.
  func run(_ takeIn: () throws -> Void) throws {
    try takeIn()
    putBack()
    if hasMade { putBackAll() }
    try ViewModelFailure.wrapping { try transaction(.undo) { for model in models { model.didRestore() } } }
    putBackAll()
  }

  // MARK: Values

  func put<Value>(_ value: Value, into observable: Observable<Value>) { gather { observable.putBack(value) } }

  /// - Parameter put: does it, within `puttingBack`.
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

  /// - Parameter name: the member that says so.
  func lose(_ secret: Observable<String>, _ name: String) {
    notes?.secrets.insert(path + [name])
    lostSecrets.append(secret)
  }

  /// Takes note of an object that migrations have made another.
  func migrated(to json: JSON, _ model: String, from: UInt32, to: UInt32) {
    guard let notes, from != to else { return }
    notes.migrations.append(.init(pointer: "\(JSONPointer(path))", model: model, from: from, to: to))
    notes.migrated.append((path, json))
  }

  func look(_ looking: @escaping () -> Void) { lookings.append(looking) }

  /// Tells the changes of the restart: the view model sees them as changes of the usual kind.
  func tellLosses(of model: some ViewModel) throws {
    if !lostSecrets.isEmpty { try ViewModelFailure.wrapping { try tellAnew(lostSecrets) } }
    if !lookings.isEmpty {
      try ViewModelFailure.wrapping { try transaction(.undo) { for look in lookings { look() } } }
    }
    var losses = RestartLosses()
    model.addLosses(to: &losses)
    for interrupt in losses.interruptions { interrupt() }
  }

  // MARK: View models

  /// Runs code of the view model's that makes one, or may.
  func make<Made>(_ body: () throws -> Made) throws(ViewModelFailure) -> Made {
    putBack()
    hasMade = true
    return try ViewModelFailure.wrapping { try transaction(.undo) { try body() } }
  }

  func came(to model: any ViewModel) { models.append(model) }

  // MARK: Where it is

  /// Goes on below a member, an element or a row.
  func below(_ token: String, _ body: () throws -> Void) rethrows {
    path.append(token)
    defer { path.removeLast() }
    try body()
  }

  func unreadable(_ reason: String) -> StoredStateError { .unreadable(at: path, reason) }

  /// A stored value as one of its type.
  ///
  /// - Returns: `nil` for a value that has no JSON and was stored as `null`, such as a number that is not finite.
  func value<Value: JSONRepresentable>(_ json: JSON, as _: Value.Type) throws(StoredStateError) -> Value? {
    do throws(JSONMismatch) { return try Value(json: json) } catch {
      let isPartlyWritable = error.expected == Double.jsonTypeName || Value.self is any PartlyWritable.Type
      if error.found == "null", isPartlyWritable { return nil }
      throw .unreadable(at: path + error.pointer.tokens, "expected \(error.expected), got \(error.found)")
    }
  }
}
