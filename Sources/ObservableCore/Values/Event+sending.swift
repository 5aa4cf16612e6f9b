// SPDX-License-Identifier: MIT

extension Event {
  /// An event to which nothing was sent yet. Errors and traces call it by its `name`.
  @inlinable
  public convenience init(name: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(name, file, line)
  }

  /// Sends a pulse: the observers are told before this returns; inside a ``transaction(_:name:_:)`` or a handler, when that is
  /// over.
  ///
  /// - Throws: the errors of observers; all the others have run nevertheless.
  public func send(_ value: Value) throws {
    try transaction {
      try add(value)
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
  /// - Returns: a handle that ends just this subscription.
  @discardableResult
  public func addObserver(_ observer: Observer<Value>) -> Subscription {
    let subscription = Subscription(observer)
    join(subscription)
    return subscription
  }

  /// Removes every subscription of the observer; one that is not subscribed is left alone (S0-6).
  public func removeObserver(_ observer: Observer<Value>) { removeEntries(of: observer) }
}

extension Event where Value == Void {
  /// Sends a pulse that carries nothing.
  public func send() throws { try send(()) }
}
