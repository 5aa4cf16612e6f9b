// SPDX-License-Identifier: MIT

/// A value that can be watched and written.
///
/// A write is a change unless the observable's ``CutOff``, equality by default, calls it equal. A change tells
/// every observer, in the order of their subscription, before the assignment returns. Inside a
/// ``transaction(_:name:_:)`` or a handler it tells them when that is over.
public class Observable<Value>: ObservableValue<Value> {
  @exclusivity(unchecked) @usableFromInline final var current: Value
  /// The value from before the transaction, while the node `hasBefore`.
  @exclusivity(unchecked) @usableFromInline final var before: Value

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
    _ operation: Operation, _ entry: SubscriberPlacePointer?, _ isDuplicate: (_ old: Value, _ new: Value) -> Bool
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

  @inlinable @inline(__always)
  final func readOrTrap() -> Value {
    Propagation.willReadOrTrap(state)
    return current
  }

  @inlinable @inline(__always)
  final func read() throws -> Value {
    try Propagation.willRead(state)
    return current
  }

  @inlinable @inline(__always)
  final func write(_ value: Value) throws {
    try withPropagation { propagation in
      if propagation.mustNotWrite { throw ObservableError.writeInFormula(origin.description) }
      switch propagation.phase {
      case .idle:
        before = current
        current = value
        if try operate(self, .hasChanged, nil) { try propagation.settleWrite(state) } else { current = before }
      case .collecting: try writeInBody(value, propagation)
      case .settling, .restoring: try writeDecided(value)
      }
    }
  }

  /// Writes in a transaction's body. Whether that is a change is decided at the end of the body. A value equal
  /// to the present one, or to the one from before the transaction, is decided at once.
  @inlinable
  final func writeInBody(_ value: Value, _ propagation: Propagation) throws {
    let isFirst = !state.has(.hasBefore)
    guard try take(value) else { return }
    if !isFirst, try !operate(self, .hasChanged, nil), propagation.takeBackInBody(state) { return }
    propagation.didWriteInBody(state)
  }

  /// Writes while the graph settles: it is decided at once whether that is a change.
  @inlinable
  final func writeDecided(_ value: Value) throws {
    if try take(value) { withPropagation { $0.didWriteWhileSettling(state) } }
  }

  /// Stores a value that is not equal to the present one, and keeps the one from before the transaction.
  /// Answers whether it did.
  @inlinable
  final func take(_ value: Value) throws -> Bool {
    if state.has(.hasBefore) {
      let (old, first) = (current, before)
      before = old
      current = value
      let isChange = try operate(self, .hasChanged, nil)
      before = first
      if !isChange { current = old }
      return isChange
    }
    replace(&before, by: current)
    replace(&current, by: value)
    if try operate(self, .hasChanged, nil) { return true }
    replace(&current, by: before)
    return false
  }

  /// Changes the value in place, as `set` would with a changed copy. So an array that a transaction changes
  /// often is copied once.
  ///
  /// - Parameter body: makes a change. While the graph settles the cut-off is not asked. It runs no user code,
  ///   not even by releasing an object.
  /// - Throws: as `set`.
  package final func change(_ body: (inout Value) -> Void) throws {
    try withPropagation { propagation in
      if propagation.mustNotWrite { throw ObservableError.writeInFormula(origin.description) }
      switch propagation.phase {
      case .idle:
        before = current
        body(&current)
        try propagation.settleWrite(state)
      case .collecting:
        if !state.has(.hasBefore) { replace(&before, by: current) }
        body(&current)
        propagation.didWriteInBody(state)
      case .settling, .restoring:
        if !state.has(.hasBefore) { replace(&before, by: current) }
        body(&current)
        propagation.didWriteWhileSettling(state)
      }
    }
  }

  /// Stores the value as if it had never had another.
  final func replaceAll(by value: Value) {
    withPropagation { propagation in
      // Releasing values may run user code, which must not find others half put back.
      propagation.letGoLater(of: Gone(current, before))
      current = value
      before = value
      propagation.didPutBack(state)
    }
  }

  override func words() -> String? { inWords(current) }
  override func wordsBefore() -> String? { inWords(before) }

  override func tearDown() {
    super.tearDown()
    // Its value can still be written. The captures of its cut-off are gone, so each write is a change.
    operate = Self.operation { _, _ in false }
    state.pointee.flags.remove(.closed)
  }
}

extension Observable {
  /// The operation of an observable with a given cut-off.
  @inlinable @inline(__always)
  static func operation(_ isDuplicate: @escaping (_ old: Value, _ new: Value) -> Bool) -> Operate {
    { node, operation, entry in
      try unsafeDowncast(node, to: Observable<Value>.self).operate(operation, entry, isDuplicate)
    }
  }

  /// The same with equality as the cut-off. Its closure is its own, so that it is compiled with the comparison
  /// in it.
  @inlinable @inline(__always)
  static func operationByEquality() -> Operate where Value: Equatable {
    { node, operation, entry in
      try unsafeDowncast(node, to: Observable<Value>.self).operate(operation, entry, ==)
    }
  }
}

/// Values that are to be released.
private final class Gone<Value> {
  private let values: (Value, Value)
  init(_ current: Value, _ before: Value) { values = (current, before) }
}

extension Node {
  /// Calls the observer of the entry with the value.
  @inlinable @inline(__always)
  final func tell<Value>(_ entry: SubscriberPlacePointer, _ value: Value) throws {
    // The handler may end the subscription, and the observer with it. The call of the closure keeps the closure
    // alive.
    let observer = entry.subscription._withUnsafeGuaranteedRef { $0.observer.unsafelyUnwrapped }
    try observer._withUnsafeGuaranteedRef { try unsafeDowncast($0, to: Observer<Value>.self).handler(value) }
  }
}

/// Puts `value` into a field of a node. Releasing the old value may run user code, which must find the field
/// whole. An assignment to an enum with several payloads would end the old value first.
@inlinable @inline(__always)
func replace<Value>(_ field: inout Value, by value: Value) {
  var value = value
  swap(&field, &value)
}

/// A value as traces show it. A text has quotation marks, so that an empty one can be seen.
func inWords<Value>(_ value: Value) -> String { String(reflecting: value) }

extension Observable<String> {
  /// Makes it a secret, which no client reads. Its graph counts the bytes of its text (``Graph/secretBytes``).
  package func becomeSecret() {
    isSecret = true
    countAsSecret()
  }
}
