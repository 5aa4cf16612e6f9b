// SPDX-License-Identifier: MIT
public import ObservableCore

/// A closure that ends something, run once.
///
/// Dropping it runs nothing.
public final class AnyDisposable: Disposable {
  private var action: (() -> Void)?

  /// A disposable that runs `action` when it is disposed of. The action is let go of once it has run.
  public init(_ action: @escaping () -> Void) { self.action = action }

  /// Whether the closure was run.
  public var isDisposed: Bool { action == nil }

  /// Runs the closure, the first time.
  public func dispose() {
    let action = action
    self.action = nil
    action?()
  }
}
