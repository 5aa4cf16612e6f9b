// SPDX-License-Identifier: MIT

/// A value that can be watched and written.
///
/// A write that is a change (by the observable's ``CutOff``; equality by default) tells every observer, in the order of
/// their subscription, before the assignment returns; inside a ``transaction(_:name:_:)`` or a handler, when that is over.
public class Observable<Value>: ObservableValue<Value> {
  @exclusivity(unchecked) @usableFromInline final var current: Value
  /// The value from before the transaction, while the node `hasBefore`.
  @exclusivity(unchecked) @usableFromInline final var before: Value

  /// An observable that holds `value` and tells nobody of it (S0-1). Errors and traces call it by its `name`.
  @inlinable
  public convenience init(
    _ value: Value, cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(value, [], name, file, line) { node, operation, entry in
      try unsafeDowncast(node, to: Observable<Value>.self).operate(operation, entry, cutOff.isDuplicate)
    }
  }

  /// An observable of a value that equality cuts off (S0-3).
  @inlinable
  public convenience init(
    _ value: Value, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value: Equatable {
    self.init(value, [], name, file, line) { node, operation, entry in
      try unsafeDowncast(node, to: Observable<Value>.self).operate(operation, entry, ==)
    }
  }

  @inlinable
  init(
    _ value: Value, _ flags: NodeFlags, _ name: StaticString, _ file: StaticString, _ line: UInt,
    _ operate: @escaping Operate
  ) {
    current = value
    before = value
    super.init(name, file, line, _isPOD(Value.self) ? flags.union(.trivial) : flags, operate)
  }

  @inlinable @inline(__always)
  final func operate(
    _ operation: Operation, _ entry: EntryPointer?, _ isDuplicate: (_ old: Value, _ new: Value) -> Bool
  ) throws -> Bool {
    switch operation {
    case .hasChanged: return !isDuplicate(before, current)
    case .tell: try tell(entry.unsafelyUnwrapped, current)
    case .restore: swap(&before, &current)
    case .forgetBefore: replace(&before, by: current)
    case .evaluate, .nextPulse, .isNews, .knowBefore, .forgetKnown: break
    }
    return false
  }

  /// The present value.
  ///
  /// Assigning runs the observers. An assignment cannot throw: if an observer may, write with ``set(_:)`` or inside a
  /// transaction, otherwise its error ends the process, as `try!` would.
  @inlinable
  public final var value: Value {
    @inline(__always)
    get {
      Propagation.willReadOrTrap(state)
      return current
    }
    set {
      do { try set(newValue) } catch { Self.cannotThrowOnAssignment(origin, error) }
    }
  }

  @inlinable @inline(__always)
  final func read() throws -> Value {
    try Propagation.willRead(state)
    return current
  }

  /// Writes the value, and settles everything that depends on it unless a transaction is open.
  ///
  /// - Throws: what observers and combiners threw; all the others have run nevertheless. Or
  ///   ``ObservableError/writeInFormula(_:)``.
  @inlinable
  public final func set(_ value: Value) throws {
    try withPropagation { propagation in
      if propagation.mustNotWrite { throw ObservableError.writeInFormula(origin.description) }
      switch propagation.phase {
      case .idle:
        before = current
        current = value
        if try operate(self, .hasChanged, nil) { try propagation.settleWrite(state) } else { current = before }
      case .collecting:
        // The value that the transaction found is kept.
        if !state.has(.hasBefore) { replace(&before, by: current) }
        replace(&current, by: value)
        propagation.didWriteInBody(state)
      case .settling, .restoring: try writeDecided(value)
      }
    }
  }

  /// While the graph settles: at once a change, or none.
  @inlinable
  final func writeDecided(_ value: Value) throws {
    if state.has(.hasBefore) {
      let (old, first) = (current, before)
      before = old
      current = value
      let isChange = try operate(self, .hasChanged, nil)
      before = first
      if !isChange { return current = old }
    } else {
      replace(&before, by: current)
      replace(&current, by: value)
      if try !operate(self, .hasChanged, nil) { return replace(&current, by: before) }
    }
    withPropagation { $0.didWriteWhileSettling(state) }
  }

  @usableFromInline
  static func cannotThrowOnAssignment(_ origin: Origin, _ error: any Error) -> Never {
    // Not preconditionFailure, which says nothing in a release build.
    fatalError("\(origin): '\(error)' reached an assignment, which cannot throw; write with 'try set(_:)'")
  }

  override func words() -> String? { inWords(current) }
  override func wordsBefore() -> String? { inWords(before) }

  override func tearDown() {
    super.tearDown()
    // Its values can still be written; what a cut-off captured is gone, so that each write is a change.
    operate = { node, operation, entry in
      try unsafeDowncast(node, to: Observable<Value>.self).operate(operation, entry) { _, _ in false }
    }
    state.pointee.flags.remove(.closed)
  }
}

extension Node {
  @inlinable @inline(__always)
  final func tell<Value>(_ entry: EntryPointer, _ value: Value) throws {
    // The handler may end the subscription, and the observer with it: calling the closure keeps that alive.
    let observer = entry.subscription._withUnsafeGuaranteedRef { $0.observer.unsafelyUnwrapped }
    try observer._withUnsafeGuaranteedRef { try unsafeDowncast($0, to: Observer<Value>.self).handler(value) }
  }
}

/// Puts `value` into a field of a node. What goes may run user code, which must find the field whole: assigning to an
/// enum with several payloads ends the old one first.
@inlinable @inline(__always)
func replace<Value>(_ field: inout Value, by value: Value) {
  var value = value
  swap(&field, &value)
}

/// A value as traces show it: a text in quotation marks, so that an empty one can be seen.
func inWords<Value>(_ value: Value) -> String { String(reflecting: value) }
