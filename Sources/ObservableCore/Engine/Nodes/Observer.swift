// SPDX-License-Identifier: MIT

/// A handler that can be subscribed, and is told when an observable changes.
///
/// The short form is the safe form: `Observer(self) { me, value in … }` and `handle(self) { me, value in … }` hand the
/// owner in without keeping it alive, so no cycle can come of it (S0-12).
///
/// An observer also stands for an action of a view, the reverse flow: performing the action invokes it.
public final class Observer<Value>: GraphMember {
  // Not optional, as calling an optional closure of a generic type allocates.
  @exclusivity(unchecked) @usableFromInline var handler: (Value) throws -> Void
  /// The owner that the handler gets, if it gets one.
  @usableFromInline weak var owner: AnyObject?

  /// An observer without a handler: being told does nothing until it has one (S0-11).
  @inlinable
  public override init() {
    handler = { _ in }
    super.init()
  }

  /// An observer with a handler. Objects that the handler captures live as long as the observer or its graph.
  @inlinable
  public init(_ handler: @escaping (Value) throws -> Void) {
    self.handler = handler
    super.init()
  }

  override func tearDown() { handler = { _ in } }
}
