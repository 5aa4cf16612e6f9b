// SPDX-License-Identifier: MIT
import JSONPatching
import Sessions
public import Testing

extension ModelDriver {
  /// Checks that a call changes the state just as the test names it, and changes nothing else of it.
  ///
  /// ```swift
  /// try todo.expectChange {
  ///   try todo.perform("add")
  /// } to: { state in
  ///   state.draft = ""
  ///   state.left = 1
  ///   state.items.append(row: "1", ["text": "Buy milk", "done": false])
  /// }
  /// ```
  ///
  /// The test fails, and shows the difference, for each value that changed and was not named. It also fails for
  /// one that was named and did not change, or that changed to another value. If nothing is to change, write
  /// `to: { _ in }`.
  ///
  /// - Parameters:
  ///   - body: makes the change.
  ///   - name: gets the state before, and writes each value that is to change.
  /// - Returns: the result of `body`.
  @discardableResult
  public func expectChange<Result>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result,
    to name: (inout ExpectedState) throws -> Void
  ) rethrows -> Result {
    let before = state
    let result = try body()
    try compare(before, sourceLocation, name)
    return result
  }

  /// The same for changes that the test has to wait for by `await model.settled()`. In an asynchronous test the
  /// compiler chooses this one.
  @discardableResult
  public func expectChange<Result>(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Result, to name: (inout ExpectedState) throws -> Void
  ) async rethrows -> Result {
    let before = state
    let result = try await body()
    try compare(before, sourceLocation, name)
    return result
  }

  /// Checks that a call throws, and that nothing of it is left: neither in the state nor in a property of the view model.
  ///
  /// An action that throws is undone. That puts back what is observed, and variables that are ``SurfaceEntry/stored(_:_:)``. Any
  /// other variable keeps what the action has assigned, which this finds. It looks at the variables of the view model that is
  /// driven, and not at those of objects within it.
  ///
  /// ```swift
  /// try todo.expectUndone { try todo.perform("add") }
  /// ```
  public func expectUndone(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) {
    let (before, properties) = (state, properties)
    do {
      try body()
      Issue.record("the call did not throw; expected an error, and all undone", sourceLocation: sourceLocation)
    } catch {
      let differences =
        ChangeDifference.all(from: before, to: state, expected: ExpectedState(unchanged: before)).map(\.text)
        + properties.differences(to: self.properties)
      if differences.isEmpty { return }
      Issue.record(
        """
        the call threw, and is not undone:
        \(differences.joined(separator: "\n"))
        expected what was before: make such a variable '@Observed', or add it to the surface as '.stored'
        """, sourceLocation: sourceLocation)
    }
  }

  private var properties: PlainProperties {
    Self.entering(session) { PlainProperties(of: $0.viewModel) }
  }

  private func compare(
    _ before: JSON, _ sourceLocation: SourceLocation, _ name: (inout ExpectedState) throws -> Void
  ) rethrows {
    var expected = ExpectedState(unchanged: before)
    try name(&expected)
    let differences = ChangeDifference.all(from: before, to: state, expected: expected)
    if differences.isEmpty { return }
    let text = differences.map(\.text).joined(separator: "\n")
    Issue.record("the state did not change as the test names it:\n\(text)", sourceLocation: sourceLocation)
  }
}
