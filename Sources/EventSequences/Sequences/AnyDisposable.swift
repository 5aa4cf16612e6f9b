// SPDX-License-Identifier: MIT
public import ObservableCore

/// A closure that ends something, run once.
///
/// Dropping it runs nothing.
public final class AnyDisposable: Disposable {
  private var action: (() -> Void)?

  public init(_ action: @escaping () -> Void) { self.action = action }

  public var isDisposed: Bool { action == nil }

  public func dispose() {
    let action = action
    self.action = nil
    action?()
  }
}

/// What a subscription returns: it ends the subscriber without keeping it alive, so nothing leaks by being kept, and
/// knows when the source has let go of it.
final class SubscriptionHandle: Disposable {
  private weak var subscriber: (any Disposable)?

  init(_ subscriber: any Disposable) {
    if !subscriber.isDisposed { self.subscriber = subscriber }
  }

  var isDisposed: Bool { subscriber?.isDisposed ?? true }

  func dispose() { subscriber?.dispose() }
}

/// A place for one disposable: what is put into it ends the one before (`flatMapLatest`, `concat`, timers).
final class SerialDisposable: Disposable {
  private var current: (any Disposable)?
  private(set) var isDisposed = false

  func replace(with next: (any Disposable)?) {
    if isDisposed {
      next?.dispose()
    } else {
      let previous = current
      current = next
      previous?.dispose()
    }
  }

  func dispose() {
    isDisposed = true
    let last = current
    current = nil
    last?.dispose()
  }
}

/// Several disposables that end together.
final class CompositeDisposable: Disposable {
  private let bag = DisposeBag()
  private(set) var isDisposed = false

  init(_ disposables: (any Disposable)...) {
    for disposable in disposables { bag.insert(disposable) }
  }

  func insert(_ disposable: any Disposable) {
    if isDisposed { disposable.dispose() } else { bag.insert(disposable) }
  }

  func dispose() {
    isDisposed = true
    bag.dispose()
  }
}
