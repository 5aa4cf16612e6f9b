// SPDX-License-Identifier: MIT
import ObservableCore

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
