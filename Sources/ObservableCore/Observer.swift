// SPDX-License-Identifier: MIT

/// What is told when an observable changes: a handler that can be subscribed.
///
/// The short form is the safe form: `Observer(self) { me, value in … }` and `handle(self) { me, value in … }` hand the
/// owner in without keeping it alive, so no cycle can come of it (S0-12).
///
/// An observer also stands for what a view does, the reverse flow: performing the action invokes it.
public final class Observer<Value>: GraphMember {
  // Not optional, as calling an optional closure of a generic type allocates.
  @exclusivity(unchecked) @usableFromInline var handler: (Value) throws -> Void

  /// An observer without a handler: being told does nothing until it has one (S0-11).
  @inlinable
  public override init() {
    handler = { _ in }
    super.init()
  }

  /// An observer with a handler. What the handler captures lives as long as the observer or its graph.
  @inlinable
  public init(_ handler: @escaping (Value) throws -> Void) {
    self.handler = handler
    super.init()
  }

  /// An observer whose handler gets `owner` without keeping it alive; once the owner is gone it does nothing.
  @inlinable
  public convenience init<Owner: AnyObject>(_ owner: Owner, _ handler: @escaping (Owner, Value) throws -> Void) {
    self.init(Self.handing(owner, to: handler))
  }

  /// Sets the handler, in place of the one before (S0-11).
  @discardableResult
  public func handle(_ handler: @escaping (Value) throws -> Void) -> Self {
    self.handler = handler
    return self
  }

  /// Sets the handler, which gets `owner` without keeping it alive.
  @discardableResult
  public func handle<Owner: AnyObject>(_ owner: Owner, _ handler: @escaping (Owner, Value) throws -> Void) -> Self {
    self.handler = Self.handing(owner, to: handler)
    return self
  }

  @inlinable
  static func handing<Owner: AnyObject>(
    _ owner: Owner, to handler: @escaping (Owner, Value) throws -> Void
  ) -> (Value) throws -> Void {
    let reference = WeakReference(owner)
    return { value in
      guard let owner = reference.object else { return }
      try handler(unsafeDowncast(owner, to: Owner.self), value)
    }
  }

  /// Subscribes to an observable; one observer may subscribe to several (S0-11).
  @discardableResult
  public func subscribe(_ observable: ObservableValue<Value>, replay: Bool = false) -> Subscription {
    observable.addObserver(self, replay: replay)
  }

  /// Runs the handler as one transaction, or as part of the one in which it is called; without a handler it does nothing
  /// (S0-11).
  ///
  /// - Throws: what the handler threw, the transaction's writes undone if it is its own; or what those whom its writes
  ///   reached threw.
  public func invoke(_ value: Value) throws {
    let handler = handler
    // What it reads is no input of a formula that invokes it.
    try transaction { try untracked { try handler(value) } }
  }

  /// Tells the observer the present value on its subscribing. Within a transaction an error goes to whoever runs that.
  func replay(_ value: Value) {
    let isWithin = withPropagation { propagation in
      if propagation.phase == .idle { return false }
      propagation.guarding { try propagation.untracked { try handler(value) } }
      return true
    }
    if isWithin { return }
    do { try invoke(value) } catch {
      // Not preconditionFailure, which says nothing in a release build.
      fatalError(
        "'\(error)' was thrown on subscribing, which cannot throw; subscribe inside 'try transaction { }'")
    }
  }

  override func tearDown() { handler = { _ in } }
}

extension Observer where Value == Void {
  /// Runs the handler of an observer that takes no value.
  public func invoke() throws { try invoke(()) }
}
