// SPDX-License-Identifier: MIT
public import ObservableCore

/// Decides when an action runs, in the isolation that the scheduler belongs to (S3-5).
///
/// Schedulers, their actions and all that those touch stay in one isolation, so a scheduler is not `Sendable`. Work
/// that leaves the isolation takes only `Sendable` things along and is a ``BackgroundSource``.
public protocol Scheduler: AnyObject {
  /// Runs `action` once, after those that were scheduled before.
  ///
  /// - Returns: a handle that takes the action back, unless it has run.
  @discardableResult
  func schedule(_ action: @escaping () -> Void) -> any Disposable
}

/// A scheduler that has a clock.
public protocol TimeScheduler: Scheduler {
  /// Runs `action` once `delay` has passed.
  @discardableResult
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any Disposable
}

/// Runs each action at once, before `schedule` returns.
public final class ImmediateScheduler: Scheduler {
  /// A scheduler without any state: all are alike.
  public init() {}

  @discardableResult
  public func schedule(_ action: @escaping () -> Void) -> any Disposable {
    let scheduled = ScheduledAction(action)
    scheduled.run()
    return scheduled
  }
}

/// An action that runs once or is taken back; it is let go of either way.
final class ScheduledAction: Disposable {
  private var action: (() -> Void)?
  /// The task that waits to run it, to be cancelled when it is taken back.
  var task: Task<Void, Never>?

  init(_ action: @escaping () -> Void) { self.action = action }

  var isDisposed: Bool { action == nil }

  func run() {
    let action = action
    self.action = nil
    action?()
  }

  func dispose() {
    action = nil
    task?.cancel()
  }
}
