// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// A claim that holds for every system, and the code that tries it.
struct Claim: Sendable, CustomTestStringConvertible {
  let name: String
  let body: @Sendable (any ReactiveSystem) throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (any ReactiveSystem) throws -> Void) {
    self.name = name
    self.body = body
  }

  var testDescription: String { name }
}

/// The systems on which the claims are tried.
enum TriedSystem: String, CaseIterable, CustomTestStringConvertible {
  /// The observable core.
  case core
  /// Its plain twin.
  case plain

  func make() -> any ReactiveSystem {
    switch self {
    case .core: EuripusSystem()
    case .plain: PlainSystem()
    }
  }

  var testDescription: String { rawValue }
}

/// Fails the claim unless `got` is `expected`.
///
/// A function in place of `#expect`: several hundred of those take the compiler a minute.
func expect<Value: Equatable>(
  _ got: Value, is expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  if got != expected { Issue.record("expected \(expected), got \(got)", sourceLocation: sourceLocation) }
}

/// Fails the claim unless `body` throws the failure of this name.
func expect(
  failure name: String, sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) {
  expect("an error named \(name)", sourceLocation, body) { ($0 as? Failure)?.name == name }
}

/// Performs `body` in a transaction that throws at its end. Fails the claim unless that error comes out.
func expectUndone(
  in system: any ReactiveSystem, sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) {
  expect(failure: "body", sourceLocation: sourceLocation) {
    try system.transaction {
      try body()
      throw Failure("body")
    }
  }
}

/// The same on the core itself.
func expectUndone(sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void) {
  expect(failure: "body", sourceLocation: sourceLocation) {
    try transaction {
      try body()
      throw Failure("body")
    }
  }
}

/// The same of several steps. `body` gets the function that settles one.
func expectStepsUndone(
  sourceLocation: SourceLocation = #_sourceLocation, of body: @escaping (_ settle: () throws -> Void) throws -> Void
) {
  expect(failure: "body", sourceLocation: sourceLocation) {
    try transactionInSteps { settle in
      try body(settle)
      throw Failure("body")
    }
  }
}

/// Fails the claim unless `body` throws failures of these names, in this order.
func expect(
  failures names: [String], sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) {
  expect("errors named \(names)", sourceLocation, body) {
    if case ObservableError.several(let errors) = $0 { errors.map { ($0 as? Failure)?.name } == names } else { false }
  }
}

/// Fails the claim unless `body` is not settled because of the nodes `names`, and perhaps of `others`.
func expect(
  unsettled names: Set<String>, perhaps others: Set<String> = [],
  sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) {
  expect("unsettled nodes \(names)", sourceLocation, body) {
    guard case ObservableError.unsettled(let nodes, rounds: 100) = $0 else { return false }
    return Set(nodes.map(nameAlone)).subtracting(others) == names
  }
}

/// Fails the claim unless `body` comes to a cycle of these computeds.
func expect(
  cycle names: Set<String>, sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) {
  expect("a cycle of \(names)", sourceLocation, body) {
    if case ObservableError.cycle(let nodes) = $0 { Set(nodes.map(nameAlone)) == names } else { false }
  }
}

/// Fails the claim unless `body` is refused a write, as a formula makes it.
func expectRefusal(sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void) {
  expect("a refusal to write", sourceLocation, body) {
    if case ObservableError.writeInFormula = $0 { true } else { false }
  }
}

private func expect(
  _ expected: String, _ sourceLocation: SourceLocation, _ body: () throws -> Void, _ isExpected: (any Error) -> Bool
) {
  do {
    try body()
    Issue.record("expected \(expected), but nothing was thrown", sourceLocation: sourceLocation)
  } catch {
    if !isExpected(error) { Issue.record("expected \(expected), got \(error)", sourceLocation: sourceLocation) }
  }
}

/// The name in an origin, such as `up` in `up (File.swift:12)`.
private func nameAlone(_ origin: String) -> String {
  origin.firstIndex(of: " ").map { String(origin[..<$0]) } ?? origin
}
