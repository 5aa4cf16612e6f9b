// SPDX-License-Identifier: MIT
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
  expect(errorOf: body, sourceLocation: sourceLocation, is: "an error named \(name)") { ($0 as? Failure)?.name == name }
}

/// Fails the claim unless `body` throws an error that `isExpected` accepts.
func expect(
  errorOf body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation, is expected: String,
  _ isExpected: (any Error) -> Bool
) {
  do {
    try body()
    Issue.record("expected \(expected), but nothing was thrown", sourceLocation: sourceLocation)
  } catch {
    if !isExpected(error) { Issue.record("expected \(expected), got \(error)", sourceLocation: sourceLocation) }
  }
}
