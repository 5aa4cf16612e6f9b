// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching

/// The duty of the server with each request, in plain words: the ledger's state, and the operations that it has
/// decided.
struct PlainLedger {
  private(set) var entries: [String] = []
  private(set) var note = ""
  private(set) var isOpen = true
  private(set) var rows: [String] = []
  /// The operation that has closed the session.
  private(set) var closing: String?
  private var lastNumber: [Int: UInt64] = [:]
  /// The answer to each operation that is decided.
  private var answers: [String: TestClient.Response] = [:]
  let areNumbered: Bool

  init(areNumbered: Bool) { self.areNumbered = areNumbered }

  /// The answer that the server owes one request.
  enum Verdict {
    /// An answer by which the session decides nothing, so the request may come again.
    case undecided(status: Int, problem: String)
    /// The session decides it now.
    case decided(status: Int)
    /// The first answer again.
    case repeated(TestClient.Response)
    /// The session decided it before a later operation of its client.
    case replayed
  }

  /// Receives a copy of an operation.
  mutating func receive(_ operation: Operation) -> Verdict {
    if let closing {
      return closing == operation.id ? .decided(status: 204) : .undecided(status: 410, problem: "session-closed")
    }
    if areNumbered {
      let last = lastNumber[operation.client] ?? 0
      if operation.number < last { return .replayed }
      if operation.number > last + 1 { return .undecided(status: 409, problem: "out-of-order") }
    }
    if let answer = answers[operation.id] { return .repeated(answer) }
    lastNumber[operation.client] = operation.number
    return .decided(status: perform(operation))
  }

  /// Keeps the answer to an operation that was decided now.
  mutating func keep(_ answer: TestClient.Response, of operation: Operation) { answers[operation.id] = answer }

  func hasDecided(_ operation: Operation) -> Bool { answers[operation.id] != nil || closing != nil }

  private mutating func perform(_ operation: Operation) -> Int {
    switch operation.kind {
    case .append: entries.append(operation.id)
    case .guarded:
      guard isOpen else { return 409 }
      entries.append(operation.id)
    case .note: note = operation.id
    case .toggle: isOpen.toggle()
    case .add: rows.append(operation.id)
    case .turn: rows.reverse()
    case .drop: if !rows.isEmpty { rows.removeFirst() }
    case .batch:
      entries += operation.parts
      note = operation.id
    case .badBatch: return 422
    case .fail, .failingBatch: return 500
    case .close:
      closing = operation.id
      return 204
    }
    return 200
  }

  /// The first difference of a state from the right one; nil if there is none.
  func difference(from state: JSON) -> String? {
    let wanted: [(String, JSON?, JSON)] = [
      ("entries", state["entries"], .array(entries.map { .string($0) })), ("note", state["note"], .string(note)),
      ("isOpen", state["isOpen"], .bool(isOpen)), ("rows", state["rows"]?["order"], .array(rows.map { .string($0) })),
    ]
    for (name, found, wanted) in wanted where found != wanted {
      return "\(name) is \(found.map { "\($0)" } ?? "absent"), wanted \(wanted)"
    }
    return nil
  }
}
