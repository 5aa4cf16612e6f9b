// SPDX-License-Identifier: MIT

/// One observer's place among those whom an observable tells.
///
/// Dropping it ends nothing: the observable holds it (S0-8). ``dispose()`` ends it.
public final class Subscription<Value>: Disposable {
  let observer: Observer<Value>
  private weak var observable: Observable<Value>?
  /// The version that the observer was last told, or found when it subscribed.
  @exclusivity(unchecked) var seen: UInt64
  @exclusivity(unchecked) var isActive = true

  init(of observer: Observer<Value>, to observable: Observable<Value>) {
    self.observer = observer
    self.observable = observable
    seen = observable.version
  }

  /// Ends the subscription; from here on the observer is not told, not even of the value in flight. Twice is harmless.
  public func dispose() {
    guard isActive else { return }
    isActive = false
    observable?.subscriptions.removeAll { $0 === self }
  }

  /// Ends the subscription when `bag` goes.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}
