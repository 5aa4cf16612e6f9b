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
