// SPDX-License-Identifier: MIT

/// An observable made from others: its handler takes their present values and gives its value.
///
/// ```swift
/// let loginEnabled = ObservableCombiner(.every, false)
/// loginEnabled.combine(usernameValid).combine(passwordValid).handle { $0 && $1 }
/// ```
///
/// Combining and setting the handler run nothing; the handler runs when an input notifies, as the ``CombineStrategy``
/// says, once a transaction, after its inputs have settled (S0-13 to S0-18). A combiner made without a value is an
/// observable of an optional that is `nil` until then.
///
/// Inputs may be woven later and in a circle (S0-22): it settles when the cut-off stops the changes, or the transaction
/// throws ``ObservableError/unsettled(_:rounds:)``. A combiner keeps its inputs alive, they do not keep it (S0-21).
public final class ObservableCombiner<Value>: Observable<Value> {
  let strategy: CombineStrategy
  @exclusivity(unchecked) private var handler: (() throws -> Value)?

  /// A combiner that holds `value` until its handler first runs.
  public init(
    _ strategy: CombineStrategy, _ value: Value, cutOff: CutOff<Value>, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.strategy = strategy
    super.init(value, cutOff: cutOff, name: name, file: file, line: line)
  }

  /// A combiner that holds `value` until its handler first runs, cut off by equality.
  public convenience init(
    _ strategy: CombineStrategy, _ value: Value, name: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) where Value: Equatable {
    self.init(strategy, value, cutOff: .equality, name: name, file: file, line: line)
  }

  /// A combiner whose value is `nil` until its handler first runs.
  ///
  /// It is cut off as the documents' is: a `nil` over a `nil` notifies again (S0-19).
  public convenience init<Wrapped: Equatable>(
    _ strategy: CombineStrategy, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(strategy, nil, cutOff: .equalityOverNil(), name: name, file: file, line: line)
  }

  /// Combines inputs; `handle` on what comes back sets the handler, `combine` adds another input.
  public func combine<each Input>(_ inputs: repeat Observable<each Input>) -> Combination<Value, repeat each Input> {
    repeat attach(each inputs)
    return Combination(combiner: self, inputs: repeat each inputs)
  }

  deinit { detachInputs { handler = nil } }

  /// Sets the handler; what was notified before is not made up for (S0-20).
  @usableFromInline
  func install(_ handler: @escaping () throws -> Value) {
    let hasRun = inputs.contains { $0.seen != $0.base }
    for index in inputs.indices {
      inputs[index].seen = inputs[index].node.version
      // For `first`, to have run is to have seen more than the base; for `all` the base is what counts from.
      if strategy == .first, !hasRun { inputs[index].base = inputs[index].seen }
    }
    self.handler = handler
  }

  override func run(in propagation: Propagation) throws {
    let wasNotified = inputs.contains { $0.seen != $0.node.version }
    guard wasNotified, let handler else { return }
    switch strategy {
    case .every: break
    case .first: if inputs.contains(where: { $0.seen != $0.base }) { return }
    case .all: if inputs.contains(where: { $0.node.version == $0.base }) { return }
    }
    for index in inputs.indices { inputs[index].seen = inputs[index].node.version }
    try propagation.count(self)
    writeDecided(try handler(), in: propagation)
  }

  override func tearDown() {
    super.tearDown()
    detachInputs { handler = nil }
  }
}
