// SPDX-License-Identifier: MIT
import ObservableCore

/// The handle that a subscription returns: it ends the subscriber without keeping it alive, so nothing leaks by being
/// kept, and knows when the source has let go of it.
final class SubscriptionHandle: Disposable {
  private weak var subscriber: (any Disposable)?

  init(_ subscriber: any Disposable) {
    if !subscriber.isDisposed { self.subscriber = subscriber }
  }

  var isDisposed: Bool { subscriber?.isDisposed ?? true }

  func dispose() { subscriber?.dispose() }
}
