// SPDX-License-Identifier: MIT

/// A pulse without a present value, such as a tap. Each pulse counts, so there is no cut-off (S0-4).
///
/// Two pulses in one transaction are two calls of each observer, in the order of sending, which also holds
/// across several events. An observer that joins later is not told of earlier pulses: subscribing replays
/// nothing.
public final class Event<Value>: Node {
  /// The pulses of this transaction, each with the version that it gave the event.
  @usableFromInline var pulses: [(value: Value, version: UInt32)] = []
  /// The number of pulses that the delivery has taken.
  @usableFromInline var taken = 0
  /// The newest pulse as a value; `nil` until code asks for it.
  var held: Observable<Value?>?

  @inlinable
  init(_ name: StaticString, _ file: StaticString, _ line: UInt) {
    super.init(name, file, line, .event, Self.operation)
  }

  @inlinable
  static var operation: Operate {
    { node, operation, entry in try unsafeDowncast(node, to: Event<Value>.self).operate(operation, entry) }
  }

  @inlinable
  func operate(_ operation: Operation, _ entry: SubscriberPlacePointer?) throws -> Bool {
    switch operation {
    case .nextPulse:
      if taken == pulses.count { return false }
      taken += 1
      return true
    case .tell: try tell(entry.unsafelyUnwrapped, pulses[taken - 1].value)
    case .forgetBefore, .restore:
      pulses = []
      taken = 0
    case .hasChanged, .evaluate, .isNews, .knowBefore, .forgetKnown: break
    }
    return false
  }

  /// Sends a pulse within a transaction.
  func add(_ value: Value) throws {
    try withPropagation { propagation in
      if propagation.mustNotWrite { throw ObservableError.writeInFormula(origin.description) }
      state.pointee.flags.insert(.hasBefore)
      propagation.touch(state)
      // Pulses that a body sends are no sign of a cycle, however many they are.
      if propagation.phase == .settling { try propagation.count(state) }
      propagation.bump(state)
      pulses.append((value, state.pointee.version))
      if state.has(.observed) { propagation.enqueuePulse(state) }
      if state.has(.traced) { propagation.traceWrite(state) }
    }
  }

  override func words() -> String? { pulses.last.map { inWords($0.value) } }

  override func isDue(_ entry: SubscriberPlacePointer) -> Bool {
    let version = pulses[taken - 1].version
    guard Int32(bitPattern: version &- entry.pointee.seen) > 0 else { return false }
    entry.pointee.seen = version
    return true
  }

  override func tearDown() {
    super.tearDown()
    held = nil
    operate = Self.operation
    state.pointee.flags.remove(.closed)
  }
}
