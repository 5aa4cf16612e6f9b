// SPDX-License-Identifier: MIT

/// A pulse without a present value, such as a tap: each one counts, so there is no cut-off (S0-4).
///
/// Two pulses sent in one transaction are two calls of each observer, in the order of sending, that of several events
/// too. An observer that joins later is not told of what was sent before; subscribing replays nothing.
public final class Event<Value>: Node {
  /// What was sent in this transaction, each with the version that it gave the event.
  @exclusivity(unchecked) @usableFromInline var pulses: [(value: Value, version: UInt32)] = []
  /// How many of them were taken up by the delivery.
  @exclusivity(unchecked) @usableFromInline var taken = 0
  @exclusivity(unchecked) private var held: Observable<Value?>?

  /// An event to which nothing was sent yet. Errors and traces call it by its `name`.
  @inlinable
  public init(name: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    super.init(name, file, line, .event) { node, operation, entry in
      try unsafeDowncast(node, to: Event<Value>.self).operate(operation, entry)
    }
  }

  @inlinable
  func operate(_ operation: Operation, _ entry: EntryPointer?) throws -> Bool {
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

  /// Sends a pulse: the observers are told before this returns; inside a ``transaction(_:name:_:)`` or a handler, when that is
  /// over.
  ///
  /// - Throws: what observers threw; all the others have run nevertheless.
  public func send(_ value: Value) throws {
    try transaction {
      try withPropagation { propagation in
        if propagation.mustNotWrite { throw ObservableError.writeInFormula(origin.description) }
        state.pointee.flags.insert(.hasBefore)
        propagation.touch(state)
        // One that a body sends is no sign of a cycle, however many they are.
        if propagation.phase == .settling { try propagation.count(state) }
        propagation.bump(state)
        pulses.append((value, state.pointee.version))
        if state.has(.observed) { propagation.enqueuePulse(state) }
        if state.has(.traced) { propagation.traceWrite(state) }
      }
      try held?.set(value)
    }
  }

  /// The newest pulse since this was first asked for, `nil` before: for combining pulses with values.
  ///
  /// It has no cut-off: a combiner runs for each transaction with a pulse, also for an equal one.
  public var latest: ObservableValue<Value?> {
    if let held { return held }
    let made = Observable<Value?>(nil, cutOff: .never)
    held = made
    return made
  }

  /// Adds an observer; the same one added twice is told twice (S0-6).
  ///
  /// - Returns: what ends just this subscription.
  @discardableResult
  public func addObserver(_ observer: Observer<Value>) -> Subscription {
    let subscription = Subscription(observer)
    withPropagation { propagation in
      propagation.guarding { try propagation.join(subscription, to: state) }
    }
    return subscription
  }

  /// Removes every subscription of the observer; one that is not subscribed is left alone (S0-6).
  public func removeObserver(_ observer: Observer<Value>) { removeEntries(of: observer) }

  override func words() -> String? { pulses.last.map { inWords($0.value) } }

  override func isDue(_ entry: EntryPointer) -> Bool {
    let version = pulses[taken - 1].version
    guard Int32(bitPattern: version &- entry.pointee.seen) > 0 else { return false }
    entry.pointee.seen = version
    return true
  }

  override func tearDown() {
    super.tearDown()
    held = nil
    operate = { node, operation, entry in
      try unsafeDowncast(node, to: Event<Value>.self).operate(operation, entry)
    }
    state.pointee.flags.remove(.closed)
  }
}

extension Event where Value == Void {
  /// Sends a pulse that carries nothing.
  public func send() throws { try send(()) }
}
