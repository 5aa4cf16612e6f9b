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
  /// A combiner that holds `value` until its handler first runs.
  @inlinable
  public convenience init(
    _ strategy: CombineStrategy, _ value: Value, cutOff: CutOff<Value>, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(value, strategy.flags, name, file, line) { node, operation, entry in
      try unsafeDowncast(node, to: Observable<Value>.self).operate(operation, entry, cutOff.isDuplicate)
    }
  }

  /// A combiner that holds `value` until its handler first runs, cut off by equality.
  @inlinable
  public convenience init(
    _ strategy: CombineStrategy, _ value: Value, name: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) where Value: Equatable {
    self.init(value, strategy.flags, name, file, line) { node, operation, entry in
      try unsafeDowncast(node, to: Observable<Value>.self).operate(operation, entry, ==)
    }
  }

  /// A combiner whose value is `nil` until its handler first runs.
  ///
  /// It is cut off as the documents' is: a `nil` over a `nil` notifies again (S0-19).
  @inlinable
  public convenience init<Wrapped: Equatable>(
    _ strategy: CombineStrategy, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(strategy, nil, cutOff: .equalityOverNil(), name: name, file: file, line: line)
  }

  /// Combines inputs; `handle` on what comes back sets the handler, `combine` adds another input.
  public func combine<each Input>(
    _ inputs: repeat ObservableValue<each Input>
  ) -> Combination<Value, repeat each Input> {
    repeat attach(each inputs)
    return Combination(combiner: self, inputs: repeat each inputs)
  }

  func attach(_ input: Node) {
    withPropagation { propagation in
      if input.state.has(.computed) { propagation.guarding { try propagation.bringUpToDate(input.state) } }
      propagation.decideEarly(input.state)
      propagation.link(state, to: input.state, after: state.pointee.inputs?.pointee.previousInput, before: nil)
      // Who depends on a stale node is stale as well.
      if input.state.has(.stale), !state.has([.stale, .onPath]) {
        state.pointee.flags.insert(.stale)
        propagation.enqueue(state)
        propagation.mark(state)
      }
    }
  }

  /// Whether one of its links keeps an input alive.
  @usableFromInline
  func keeps(_ input: Node) -> Bool {
    var link = state.pointee.inputs
    while let here = link {
      if here.input == input.state { return true }
      link = here.pointee.nextInput
    }
    return false
  }

  /// Sets the handler; what was notified before is not made up for (S0-20).
  @usableFromInline
  func install(_ handler: @escaping Operate) {
    var link = state.pointee.inputs
    while let here = link {
      if here.pointee.entry.seen != here.input.pointee.version {
        here.pointee.entry.seen = here.input.pointee.version
        here.pointee.hasNotified = true
      }
      link = here.pointee.nextInput
    }
    state.pointee.flags.insert(.handled)
    operate = handler
  }
}

extension CombineStrategy {
  @usableFromInline
  var flags: NodeFlags {
    switch self {
    case .every: .combiner
    case .first: [.combiner, .firstOnly]
    case .all: [.combiner, .afterAll]
    }
  }
}
