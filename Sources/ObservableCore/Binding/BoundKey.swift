// SPDX-License-Identifier: MIT

/// One key path of a binding, with its subscription to the present model.
final class BoundKey<Model: AnyObject> {
  let keyPath: PartialKeyPath<Model>
  /// It is set before the first call of the callback, which may already update the key path.
  var subscription: Subscription?
  private let subscribe: (BoundKey, Model) -> Void
  /// Set when another callback has replaced this one, which must not be bound again.
  private var isRetired = false

  init(_ keyPath: PartialKeyPath<Model>, _ subscribe: @escaping (BoundKey, Model) -> Void) {
    self.keyPath = keyPath
    self.subscribe = subscribe
  }

  func bind(to model: Model) {
    unbind()
    if !isRetired { subscribe(self, model) }
  }

  func unbind() {
    subscription?.dispose()
    subscription = nil
  }

  func retire() {
    isRetired = true
    unbind()
  }
}
