// SPDX-License-Identifier: MIT

/// A value that a formula makes of other values. All values that the formula reads are its inputs.
///
/// ```swift
/// let valid = Computed { username.value.count >= 6 }
/// ```
///
/// By default the formula runs when the value is read, if it never ran or an input has changed. A computed that
/// is observed, or an input of a combiner, is brought up to date in each transaction that reaches it. That is
/// one run in a transaction, and one more for each read between two changes. A read in the body of a
/// ``transaction(_:name:_:)``, or in a handler, sees the values that were written before it. An equal write
/// runs no formula, even in a body. Inputs may differ from run to run. An equal result is no change, by the
/// ``CutOff``.
///
/// An error that the formula throws is kept like a value: ``ObservableValue/get()`` throws it until an input
/// changes. An equal error, if its type is `Equatable`, is no change. If the computed is observed, the error
/// reaches the caller of the transaction once, in place of the observers. The next value is a change, even if
/// it is equal to the last one.
///
/// Observers are told of a value that differs from the one that they know. A value that moved and came back
/// before their turn is no news. Neither is an error that came and went before it, or went and came back. A
/// computed whose owner has gone is over: its observers are told nothing more, and no caller gets an error.
///
/// A formula must not write: that throws ``ObservableError/writeInFormula(_:)``. A formula that reads its own
/// value, directly or by others, gets ``ObservableError/cycle(_:)``. A computed keeps its inputs alive; they do
/// not keep it alive.
public final class Computed<Value>: ObservableValue<Value> {
  // The first field: see `NodePointer.formula`.
  @exclusivity(unchecked) @usableFromInline var formula: Unmanaged<Formula>
  /// The last value, kept beneath an error too; `nil` before the first run.
  @exclusivity(unchecked) @usableFromInline var current: Value?
  /// The value from before the transaction, while the node `hasBefore`.
  @exclusivity(unchecked) @usableFromInline var before: Value?
  /// The value or error that the observers know, while they wait to be told of another one.
  @exclusivity(unchecked) @usableFromInline var known: Result<Value, any Error>?
  /// The error in place of a value.
  @exclusivity(unchecked) @usableFromInline var failure: (any Error)?
  @exclusivity(unchecked) @usableFromInline var failureBefore: (any Error)?
  /// The owner that the formula gets; `nil` if it gets none.
  @usableFromInline var owner: FormulaOwner?

  @inlinable
  init(
    _ name: StaticString, _ file: StaticString, _ line: UInt, _ cutOff: CutOff<Value>,
    _ formula: @escaping () throws -> Value
  ) {
    self.formula = Unmanaged.passRetained(
      Formula { node, keeping in
        unsafeDowncast(node, to: Computed<Value>.self).evaluate(keeping, cutOff.isDuplicate, formula)
      })
    super.init(name, file, line, Self.flags) { node, operation, entry in
      try unsafeDowncast(node, to: Computed<Value>.self).operate(operation, entry, cutOff.isDuplicate)
    }
  }

  /// The same, with equality as the cut-off. Its closures are its own, so that they are compiled with the
  /// comparison in them.
  @inlinable
  init(
    _ name: StaticString, _ file: StaticString, _ line: UInt, _ formula: @escaping () throws -> Value
  ) where Value: Equatable {
    self.formula = Unmanaged.passRetained(
      Formula { node, keeping in unsafeDowncast(node, to: Computed<Value>.self).evaluate(keeping, ==, formula) })
    super.init(name, file, line, Self.flags) { node, operation, entry in
      try unsafeDowncast(node, to: Computed<Value>.self).operate(operation, entry, ==)
    }
  }

  @inlinable
  static var flags: NodeFlags {
    _isPOD(Value.self) ? [.computed, .fresh, .dirty, .stale, .trivial] : [.computed, .fresh, .dirty, .stale]
  }

  deinit {
    // Its captures are released when `detach` has taken the node out of all lists; they may run user code then.
    withPropagation { $0.leavingObjects.append(Unmanaged.fromOpaque(formula.toOpaque())) }
  }

  @inlinable @inline(__always)
  func readOrTrap() -> Value {
    Propagation.willReadOrTrap(state)
    if !state.has([.failed, .fresh]), let current { return current }
    cannotThrow(missing)
  }

  @inlinable @inline(__always)
  func read() throws -> Value {
    try Propagation.willRead(state)
    if !state.has([.failed, .fresh]), let current { return current }
    throw missing
  }

  /// The error that is thrown in place of a value.
  @usableFromInline
  var missing: any Error { failure ?? ObservableError.closed(origin.description) }

  /// Runs the formula, and stores its value. Answers whether that is a change.
  @inlinable @inline(__always)
  func evaluate(
    _ keeping: Keeping, _ isDuplicate: (_ old: Value, _ new: Value) -> Bool, _ formula: () throws -> Value
  ) -> Bool {
    let new: Value
    do { new = try formula() } catch {
      return fail(error, keeping)
    }
    if state.has([.failed, .fresh]) {
      if keeping != [] { keep(keeping) }
      current = new
      recover()
      return true
    }
    if let current, isDuplicate(current, new) { return false }
    if keeping != [] {
      if keeping == .known { known = current.map { .success($0) } } else { keep(keeping) }
    }
    current = new
    return true
  }

  @inlinable @inline(__always)
  func operate(
    _ operation: Operation, _ entry: SubscriberPlacePointer?, _ isDuplicate: (_ old: Value, _ new: Value) -> Bool
  ) throws -> Bool {
    switch operation {
    case .hasChanged:
      if let failure, let failureBefore { return !isEqual(failure, failureBefore) }
      guard failure == nil, failureBefore == nil, let before, let current else { return true }
      return !isDuplicate(before, current)
    case .tell: try tell(entry.unsafelyUnwrapped, current.unsafelyUnwrapped)
    case .restore: restore()
    case .forgetBefore:
      replace(&before, by: nil)
      replace(&failureBefore, by: nil)
    case .isNews:
      switch known {
      case .success(let known): return failure != nil || !isDuplicate(known, current.unsafelyUnwrapped)
      case .failure(let known): return failure.map { !isEqual(known, $0) } ?? true
      case nil: return true
      }
    case .knowBefore: replace(&known, by: failureBefore.map { .failure($0) } ?? before.map { .success($0) })
    case .forgetKnown: replace(&known, by: nil)
    case .evaluate, .nextPulse: break
    }
    return false
  }

  @usableFromInline
  func keep(_ keeping: Keeping) {
    if keeping.contains(.before) { (before, failureBefore) = (current, failure) }
    guard keeping.contains(.known) else { return }
    known = failure.map { .failure($0) } ?? current.map { .success($0) }
    // The error is released when it is compared.
    if failure != nil { state.pointee.flags.insert(.changedAgain) }
  }

  /// Stores an error in place of a value. Answers whether that is a change.
  @usableFromInline
  func fail(_ error: any Error, _ keeping: Keeping) -> Bool {
    if let failure, isEqual(failure, error) { return false }
    keep(keeping)
    failure = error
    state.pointee.flags.insert(.failed)
    state.pointee.flags.remove(.fresh)
    return true
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

  override func words() -> String? { failure.map { inWords($0) } ?? current.map { inWords($0) } }

  override func throwFailure() throws {
    // A computed whose owner has gone is over: nothing has failed.
    if let owner, owner.object == nil { return }
    if let failure { throw failure }
  }

  override var formulaOwner: FormulaOwner? { owner }

  override func failFormula(_ error: any Error, _ keeping: Keeping) -> Bool { fail(error, keeping) }

  override func tearDown() {
    super.tearDown()
    // The formula may be running now.
    let old = formula
    formula = Unmanaged.passRetained(Formula { _, _ in false })
    withPropagation { $0.letGo(of: old) }
  }
}

/// The formula of a computed. It never changes, so that a call need not keep it alive.
@usableFromInline
final class Formula {
  /// Runs the formula of the computed. Answers whether its value is a change.
  @usableFromInline let run: (_ computed: Node, _ keeping: Keeping) -> Bool

  @inlinable
  init(_ run: @escaping (_ computed: Node, _ keeping: Keeping) -> Bool) { self.run = run }
}

/// The owner of a computed's formula, which this does not keep alive.
@usableFromInline
struct FormulaOwner {
  @usableFromInline weak var object: AnyObject?

  @inlinable
  init(_ object: AnyObject) { self.object = object }
}

/// The roles in which a computed keeps its present value when it changes.
@usableFromInline
struct Keeping: OptionSet {
  @usableFromInline let rawValue: UInt8
  @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value from before the transaction.
  @inlinable static var before: Keeping { Keeping(rawValue: 1) }
  /// The value that the observers know.
  @inlinable static var known: Keeping { Keeping(rawValue: 2) }
}

extension UnsafeMutablePointer<NodeState> {
  /// The place of a computed's formula in its object, for a value of any type.
  static var formulaOffset: Int { 96 }

  var formula: Unmanaged<Formula> {
    (UnsafeRawPointer(self) - Self.offset + Self.formulaOffset).load(as: Unmanaged<Formula>.self)
  }
}

/// Whether two errors are equal. Only errors of one `Equatable` type can be.
@usableFromInline
func isEqual(_ one: any Error, _ other: any Error) -> Bool {
  func compare<Value: Equatable>(_ value: Value) -> Bool { (other as? Value) == value }
  guard let one = one as? any Equatable else { return false }
  return compare(one)
}
