// SPDX-License-Identifier: MIT

/// A handler that can subscribe to observables, and is told when they change.
///
/// The short form is the safe form: `Observer(self) { me, value in … }` and `handle(self) { me, value in … }`
/// hand over the owner without keeping it alive, so no cycle can arise (S0-12).
///
/// An observer also stands for an action of a view, the reverse flow: the view invokes it to perform the
/// action.
public final class Observer<Value>: GraphMember {
  // It is not optional, as calling an optional closure of a generic type allocates.
  @exclusivity(unchecked) @usableFromInline var handler: (Value) throws -> Void
  /// The owner that the handler gets; `nil` if it gets none.
  @usableFromInline weak var owner: AnyObject?
  /// The sequences that the observer follows, which end as it goes; `nil` if it has followed none.
  @usableFromInline var followings: DisposeBag?

  /// Makes an observer without a handler: telling it does nothing until it has one (S0-11).
  @inlinable
  public override init() {
    handler = { _ in }
    super.init()
  }

  /// Makes an observer with a handler. Objects that the handler captures live as long as the observer or its
  /// graph.
  @inlinable
  public init(_ handler: @escaping (Value) throws -> Void) {
    self.handler = handler
    super.init()
  }

  override func tearDown() { handler = { _ in } }
}
