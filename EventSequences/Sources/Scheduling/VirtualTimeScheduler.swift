// SPDX-License-Identifier: MIT
public import ObservableCore

/// A scheduler whose time passes when it is told to: for tests that wait for nothing (S3-5).
///
/// Actions run within ``advance(by:)`` or ``run()``, earliest first, and in the order of scheduling at the same time.
public final class VirtualTimeScheduler: TimeScheduler {
  /// The time that has passed since the scheduler was made.
  public private(set) var now: Duration = .zero

  /// The scheduled actions, sorted by time and then by order of scheduling.
  private var agenda: [(time: Duration, action: ScheduledAction)] = []

  /// A scheduler whose time is zero.
  public init() {}

  /// The number of actions that are still to run.
  public var pendingCount: Int { agenda.count { !$0.action.isDisposed } }

  @discardableResult
  public func schedule(_ action: @escaping () -> Void) -> any Disposable {
    schedule(after: .zero, action)
  }

  @discardableResult
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any Disposable {
    let time = now + max(delay, .zero)
    let scheduled = ScheduledAction(action)
    let place = agenda.firstIndex { $0.time > time } ?? agenda.count
    agenda.insert((time, scheduled), at: place)
    return scheduled
  }

  /// Runs the actions that are due at the present time, and those that they schedule for the same time.
  public func run() { advance(by: .zero) }

  /// Lets time pass, and runs the actions that become due.
  ///
  /// - Parameter duration: not negative.
  public func advance(by duration: Duration) {
    if duration < .zero {
      stopProgram(
        "the time was advanced by \(duration)", expected: "a duration that is not negative",
        remedy: "make a scheduler anew to begin again")
    }
    let end = now + duration
    while let first = agenda.first, first.time <= end {
      agenda.removeFirst()
      now = first.time
      first.action.run()
    }
    now = end
  }
}
