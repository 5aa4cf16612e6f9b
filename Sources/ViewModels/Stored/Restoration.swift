// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A stored state on its way back into a view model.
///
/// Values are gathered, and put back together where nobody is told. Making view models runs code of theirs, which may read
/// what was put back and write what it likes: so what was gathered goes in first, and when a pass over the stored state has
/// made something there is another. When one has made nothing, the view models are told that they are restored, and what
/// was stored is put back once more: it has the last word.
final class Restoration {
  private var gathered: [() -> Void] = []
  /// How many view models the pass has made.
  private var makings = 0
  /// Secrets that were set when the state was stored.
  private var lostSecrets: [Observable<String>] = []
  /// What is to be looked at once all values are there, as a change of its own.
  private var lookings: [() -> Void] = []
  /// The coordinators that went where they were.
  private var hasGone: Set<ObjectIdentifier> = []
  /// Those that the pass came to.
  private var models: [any ViewModel] = []
  /// Where in the stored state it is.
  private var path: [String] = []

  /// More passes than that are no accident: each undoes what the one before has made.
  private static let mostPasses = 8

  /// - Parameter pass: takes in the stored state.
  func run(_ pass: () throws -> Void) throws {
    var areTold = false
    for _ in 0..<Self.mostPasses {
      (makings, lookings, lostSecrets, models) = (0, [], [], [])
      try pass()
      putBack()
      if makings > 0 { continue }
      if areTold { return }
      try ViewModelFailure.wrapping { try transaction(.undo) { for model in models { model.didRestore() } } }
      areTold = true
    }
    throw StoredStateError.unreadable(
      at: [], "making it again did not end after \(Self.mostPasses) times: what makes one view model removes another")
  }

  // MARK: Values

  func put<Value>(_ value: Value, into observable: Observable<Value>) {
    gathered.append { observable.putBack(value) }
  }

  /// - Parameter put: does it, within `puttingBack`.
  func gather(_ put: @escaping () -> Void) { gathered.append(put) }

  /// Puts back what was gathered.
  func putBack() {
    if gathered.isEmpty { return }
    let due = gathered
    gathered = []
    puttingBack { for put in due { put() } }
  }

  func lose(_ secret: Observable<String>) { lostSecrets.append(secret) }

  func look(_ looking: @escaping () -> Void) { lookings.append(looking) }

  /// Tells of what the restart has changed: the view model sees it as changes of the usual kind.
  func tellLosses(of model: some ViewModel) throws {
    if !lostSecrets.isEmpty { try ViewModelFailure.wrapping { try tellAnew(lostSecrets) } }
    if !lookings.isEmpty {
      try ViewModelFailure.wrapping { try transaction(.undo) { for look in lookings { look() } } }
    }
    var losses = Losses()
    model.addLosses(to: &losses)
    for interrupt in losses.interruptions { interrupt() }
  }

  // MARK: View models

  /// Runs code of the view model's that makes one, or may.
  func make<Made>(_ body: () throws -> Made) throws(ViewModelFailure) -> Made {
    putBack()
    makings += 1
    return try ViewModelFailure.wrapping { try transaction(.undo) { try body() } }
  }

  /// Has a coordinator go its way, unless an earlier pass did and it came no further.
  func goOnce(_ coordinator: Coordinator, _ go: () -> Void) throws(ViewModelFailure) {
    if hasGone.insert(ObjectIdentifier(coordinator)).inserted { try make(go) }
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
  /// - Returns: `nil` for a number that was not finite, which has no JSON and was stored as `null`.
  func value<Value: JSONRepresentable>(_ json: JSON, as _: Value.Type) throws(StoredStateError) -> Value? {
    do throws(JSONMismatch) { return try Value(json: json) } catch {
      if error.found == "null", error.expected == Double.jsonTypeName { return nil }
      throw .unreadable(at: path + error.pointer.tokens, "expected \(error.expected), got \(error.found)")
    }
  }
}
