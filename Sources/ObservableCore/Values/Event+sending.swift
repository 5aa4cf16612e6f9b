// SPDX-License-Identifier: MIT

extension Event {
  /// Makes an event without pulses. Errors and traces call it by its `name`.
  @inlinable
  public convenience init(name: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(name, file, line)
  }

  /// Sends a pulse. The observers are told before this returns; inside a ``transaction(_:name:_:)`` or a
  /// handler, when that is over.
  ///
  /// - Throws: the errors of observers; all the other observers have run nevertheless.
  public func send(_ value: Value) throws {
    try transaction {
      try add(value)
      try held?.set(value)
    }
  }

  /// The newest pulse since the first call of this property; `nil` before. Use it to combine pulses with
  /// values.
  ///
  /// It has no cut-off: a combiner runs for each transaction with a pulse, even an equal one.
  public var latest: ObservableValue<Value?> {
    if let held { return held }
    let made = Observable<Value?>(nil, cutOff: .never)
    held = made
    return made
  }

  /// Adds an observer. One that is added twice is told twice (S0-6).
  ///
  /// - Returns: a handle that ends this subscription alone.
  @discardableResult
  public func addObserver(_ observer: Observer<Value>) -> Subscription {
    let subscription = Subscription(observer)
    join(subscription)
    return subscription
  }

  /// Removes every subscription of the observer, if it has any (S0-6).
  public func removeObserver(_ observer: Observer<Value>) { removeEntries(of: observer) }
}

extension Event where Value == Void {
  /// Sends a pulse without a value.
  public func send() throws { try send(()) }
}
