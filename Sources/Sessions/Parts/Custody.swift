// SPDX-License-Identifier: MIT

/// The part of a session that the store does not have yet, and the outputs that wait for it. Only the session's turn
/// uses it.
final class Custody {
  /// The next change, as the store sees it.
  enum Next: Equatable {
    /// The first change of a new session.
    case first
    /// A change that builds on the one of that number; 0 for the state that the session was loaded with.
    case change(since: UInt64)
    /// All parts, as the store has lost changes that a further one would build on.
    case whole
  }

  private(set) var next: Next
  /// Whether something has changed that has to be stored.
  var isUnsaved: Bool
  /// Whether the store has the session as one that no request has found since its opening.
  var isUntouched: Bool
  /// The last use of the session that the store knows of.
  var storedUse: ContinuousClock.Instant
  /// The number, at the gate, of the last change that had all parts because the store was behind; 0 if none had.
  private var lastWhole: UInt64 = 0
  /// The outputs that are told when the changes of this turn are stored.
  private var outputs: [OutputGate.Output] = []

  /// - Parameters:
  ///   - isNew: whether the store does not know the session yet.
  ///   - isUntouched: whether the store knows of no use; `nil` if that is so for a new session alone.
  init(isNew: Bool, isUntouched: Bool? = nil, lastUsed: ContinuousClock.Instant) {
    next = isNew ? .first : .change(since: 0)
    isUnsaved = isNew
    self.isUntouched = isUntouched ?? isNew
    storedUse = lastUsed
  }

  /// The topics that the next change tells.
  private var told: [String] = []

  func add(told topics: [String]) {
    told += topics
    isUnsaved = true
  }

  func takeTold() -> [String] {
    defer { told = [] }
    return told
  }

  /// Whether the next change has to have all parts of the session.
  var isWhole: Bool { next == .whole }

  /// The number that the committer gave to the last change; 0 if there was none.
  var lastNumber: UInt64 { if case .change(let since) = next { since } else { 0 } }

  /// Holds an output until the changes of the turn are handed over.
  func hold(_ output: @escaping OutputGate.Output) { outputs.append(output) }

  /// Takes out the outputs of the turn.
  func takeOutputs() -> [OutputGate.Output] {
    defer { outputs = [] }
    return outputs
  }

  /// Notes that a change is handed over with the session's last use.
  ///
  /// - Parameter number: its number at the gate.
  /// - Returns: whether the store may not know the session, and the number of the change that this one builds on.
  func handOver(_ number: UInt64, lastUsed: ContinuousClock.Instant) -> (isNew: Bool, since: UInt64) {
    storedUse = lastUsed
    switch next {
    case .first: return (true, 0)
    case .change(let since): return (false, since)
    // A store that has lost changes may have lost the session itself.
    case .whole:
      lastWhole = number
      return (true, 0)
    }
  }

  /// Notes the number that the committer gave to the change that was just handed over.
  func noteHandedOver(as change: UInt64) { next = .change(since: change) }

  /// Notes that the store has lost changes that a change builds on.
  ///
  /// - Parameter number: that change's number at the gate.
  /// - Returns: whether all parts have to be handed over once more. No change on its way has them.
  func noteLoss(at number: UInt64) -> Bool {
    guard number > lastWhole, !isWhole else { return false }
    (next, isUnsaved) = (.whole, true)
    return true
  }
}
