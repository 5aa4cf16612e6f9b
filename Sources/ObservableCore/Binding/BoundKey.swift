// SPDX-License-Identifier: MIT

/// One key path of a binding, with the subscription to the model that it has now.
final class BoundKey<Model: AnyObject> {
  let keyPath: PartialKeyPath<Model>
  /// Set before the callback is first called, which may update the key already.
  var subscription: Subscription?
  private let subscribe: (BoundKey, Model) -> Void
  /// Set when another callback has taken the place of this one, which must not be bound again.
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
