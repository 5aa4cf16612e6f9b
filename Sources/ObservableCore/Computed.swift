// SPDX-License-Identifier: MIT

/// A value that a formula makes of others, which are found by reading: whatever the formula reads is its input.
///
/// ```swift
/// let valid = Computed { username.value.count >= 6 }
/// ```
///
/// By default the formula runs when the value is first read and an input has changed since it last ran, at most once a
/// transaction; one that is observed, or an input of a combiner, is brought up to date in each transaction that reaches
/// it. Inputs may differ from run to run. An equal result is no change, as the ``CutOff`` says. In the body of a
/// ``transaction(_:_:)`` it is fresh: it sees what the body wrote.
///
/// An error that the formula throws is kept like a value: ``ObservableValue/get()`` throws it until an input changes. If
/// the computed is observed, the error reaches the caller of the transaction once, in place of the observers; the next
/// value is a change, whatever it is.
///
/// A formula must not write: that throws ``ObservableError/writeInFormula(_:)``. One that reads itself, by whatever way,
/// finds ``ObservableError/cycle(_:)``. A computed keeps its inputs alive, they do not keep it.
public final class Computed<Value>: ObservableValue<Value> {
  /// The last value, kept beneath an error as well; none before the first run.
  @exclusivity(unchecked) @usableFromInline var current: Value?
  /// The value from before the transaction, while the node `hasBefore`.
  @exclusivity(unchecked) @usableFromInline var before: Value?
  /// The error in place of a value.
  @exclusivity(unchecked) @usableFromInline var failure: (any Error)?
  @exclusivity(unchecked) @usableFromInline var failureBefore: (any Error)?

  /// - Parameters:
  ///   - cutOff: when a result is no change.
  ///   - name: how errors and traces call it.
  @inlinable
  public init(
    cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    _ formula: @escaping () throws -> Value
  ) {
    super.init(name, file, line, [.computed, .fresh, .dirty, .stale]) { node, operation, entry in
      try unsafeDowncast(node, to: Computed<Value>.self).operate(operation, entry, cutOff.isDuplicate, formula)
    }
  }

  /// A computed of a value that equality cuts off.
  @inlinable
  public init(
    name: StaticString = "", file: StaticString = #fileID, line: UInt = #line, _ formula: @escaping () throws -> Value
  ) where Value: Equatable {
    super.init(name, file, line, [.computed, .fresh, .dirty, .stale]) { node, operation, entry in
      try unsafeDowncast(node, to: Computed<Value>.self).operate(operation, entry, ==, formula)
    }
  }

  /// The present value.
  ///
  /// - Precondition: the formula did not throw and does not read itself: ask such a one with ``ObservableValue/get()``.
  @inlinable
  public override var value: Value {
    do { return try read() } catch { Self.cannotThrow(origin, error) }
  }

  @inlinable @inline(__always)
  func read() throws -> Value {
    if Propagation.isReading || state.has(.stale) { try Propagation.willRead(state) }
    if !state.has([.failed, .fresh]), let current { return current }
    throw failure ?? ObservableError.closed(origin.description)
  }

  @inlinable @inline(__always)
  func operate(
    _ operation: Operation, _ entry: EntryPointer?, _ isDuplicate: (_ old: Value, _ new: Value) -> Bool,
    _ formula: () throws -> Value
  ) throws -> Bool {
    switch operation {
    case .evaluate, .evaluateKeeping:
      let new: Value
      do { new = try formula() } catch {
        fail(error, isKeeping: operation == .evaluateKeeping)
        return true
      }
      if let current, !state.has(.failed), isDuplicate(current, new) { return false }
      if operation == .evaluateKeeping { keep() }
      current = new
      if state.has([.failed, .fresh]) { recover() }
      return true
    case .hasChanged:
      guard failure == nil, failureBefore == nil, let before, let current else { return true }
      return !isDuplicate(before, current)
    case .tell: try tell(entry.unsafelyUnwrapped, current.unsafelyUnwrapped)
    case .restore: restore()
    case .forgetBefore: (before, failureBefore) = (nil, nil)
    case .nextPulse: break
    }
    return false
  }

  @usableFromInline
  func keep() { (before, failureBefore) = (current, failure) }

  @usableFromInline
  func fail(_ error: any Error, isKeeping: Bool) {
    if isKeeping { keep() }
    failure = error
    state.pointee.flags.insert(.failed)
    state.pointee.flags.remove(.fresh)
  }

  @usableFromInline
  func recover() {
    failure = nil
    state.pointee.flags.subtract([.failed, .fresh])
  }

  @usableFromInline
  func restore() {
    swap(&before, &current)
    swap(&failure, &failureBefore)
    if failure == nil { state.pointee.flags.remove(.failed) } else { state.pointee.flags.insert(.failed) }
  }

  override func throwFailure() throws {
    if let failure { throw failure }
  }

  override func tearDown() {
    super.tearDown()
    // The formula is gone; what it gave last stays.
    operate = { node, operation, entry in
      if operation == .tell { return false }
      return try unsafeDowncast(node, to: Computed<Value>.self).operate(operation, entry, { _, _ in false }) {
        throw ObservableError.closed(node.origin.description)
      }
    }
  }
}

/// Runs `body` so that what it reads is no input of the formula that calls it.
public func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
  try withPropagation { propagation in
    let outer = (propagation.reader, propagation.readerLink, propagation.readerRun)
    propagation.reader = nil
    defer { (propagation.reader, propagation.readerLink, propagation.readerRun) = outer }
    return try body()
  }
}
