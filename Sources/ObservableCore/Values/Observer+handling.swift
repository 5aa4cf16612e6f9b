// SPDX-License-Identifier: MIT

extension Observer {
  /// Makes an observer whose handler gets `owner` without keeping it alive. Once the owner has gone it does
  /// nothing.
  @inlinable
  public convenience init<Owner: AnyObject>(_ owner: Owner, _ handler: @escaping (Owner, Value) throws -> Void) {
    self.init(Self.handing(owner, to: handler))
    self.owner = owner
  }

  /// Sets the handler; it replaces the one before (S0-11).
  @discardableResult
  public func handle(_ handler: @escaping (Value) throws -> Void) -> Self {
    self.handler = handler
    owner = nil
    return self
  }

  /// Sets the handler, which gets `owner` without keeping it alive.
  @discardableResult
  public func handle<Owner: AnyObject>(_ owner: Owner, _ handler: @escaping (Owner, Value) throws -> Void) -> Self {
    self.handler = Self.handing(owner, to: handler)
    self.owner = owner
    return self
  }

  @inlinable
  static func handing<Owner: AnyObject>(
    _ owner: Owner, to handler: @escaping (Owner, Value) throws -> Void
  ) -> (Value) throws -> Void {
    { [weak owner] value in
      guard let owner else { return }
      try handler(owner, value)
    }
  }

  /// Subscribes to an observable; one observer may subscribe to several (S0-11).
  @discardableResult
  public func subscribe(_ observable: ObservableValue<Value>, replay: Bool = false) -> Subscription {
    observable.addObserver(self, replay: replay)
  }

  /// Runs the handler as one transaction, or as part of the present one. Without a handler it does nothing
  /// (S0-11).
  ///
  /// - Throws: the error of the handler; if the transaction is its own, the writes are undone then. Or the
  ///   errors of observers that its writes reached.
  public func invoke(_ value: Value) throws {
    let handler = handler
    // Its reads are no inputs of a formula that invokes it.
    try transaction { try untracked { try handler(value) } }
  }

  /// Tells the observer the present value when it subscribes. Within a transaction, the transaction's caller
  /// gets its error.
  func replay(_ value: Value) {
    let isWithin = withPropagation { propagation in
      if propagation.phase == .idle { return false }
      propagation.guarding { try propagation.untracked { try handler(value) } }
      return true
    }
    if isWithin { return }
    do { try invoke(value) } catch {
      if hostTakes(error, of: "an observer that was told on subscribing") { return }
      stopProgram(
        "'\(error)' was thrown on subscribing, which cannot throw",
        expected: "an observer that takes the present value",
        remedy: "subscribe inside 'try transaction { }'")
    }
  }
}

extension Observer where Value == Void {
  /// Runs the handler of an observer that takes no value.
  public func invoke() throws { try invoke(()) }
}
