// SPDX-License-Identifier: MIT
import ObservableCore

/// A place for one disposable: one that is put into it ends the one before (`flatMapLatest`, `concat`, timers).
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
