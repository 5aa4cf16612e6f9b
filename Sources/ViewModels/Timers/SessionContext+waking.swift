// SPDX-License-Identifier: MIT
package import JSONPatching
import ObservableCore

/// Timers: times at which the view model acts, even while no client has the session open.
///
/// ```swift
/// try context.wake(at: context.now + .seconds(86_400), for: "reminder")
/// ```
extension SessionContext {
  /// The present time: that of the server's clock, or of a test's own.
  public var now: WallTime { clock() }

  /// Asks for a call of the surface's `.onWake` with `name`, at a time or soon after it. It replaces the wake
  /// that was set for this name before. A time that has passed is due at once.
  ///
  /// The wake is part of the transaction, and is undone with it. It is kept with the session, over restarts,
  /// and done once: the changes of its code, and the fact that it is done, are stored together. A session that
  /// no client has open is loaded for it, and is not forgotten before.
  ///
  /// - Throws: ``WakeRefused`` for a time that is more than 366 days ahead, a name of more than 200 bytes,
  ///   more than 64 wakes at once, or a surface without `.onWake`.
  public func wake(at time: WallTime, for name: String) throws {
    guard canWake else {
      throw WakeRefused(
        description:
          "a view model wants to be woken for '\(name)'; expected a surface that says what is done then: write "
          + "'.onWake(…)' in the surface of the view model that is hosted")
    }
    if time - now > Timers.farthest {
      throw WakeRefused(
        description:
          "the wake for '\(name)' is \((time - now).components.seconds / 86_400) days ahead; expected at most 366")
    }
    if name.utf8.count > Timers.longestName {
      throw WakeRefused(
        description: "the name of a wake has \(name.utf8.count) bytes; expected at most \(Timers.longestName)")
    }
    var wanted = timers.value
    wanted.due[.wake(name)] = time
    if wanted.wakes.count > Timers.mostWakes {
      throw WakeRefused(
        description:
          "the session would have \(wanted.wakes.count) wakes at a time; expected at most \(Timers.mostWakes): cancel "
          + "one, or set the next one when one is done")
    }
    try set(wanted)
  }

  /// Does the same for a time from now.
  public func wake(in duration: Duration, for name: String) throws { try wake(at: now + duration, for: name) }

  /// Cancels the wake for a name. If there is none, nothing happens.
  ///
  /// - Throws: the error of an observer.
  public func cancelWake(for name: String) throws {
    var wanted = timers.value
    if wanted.due.removeValue(forKey: .wake(name)) != nil { try set(wanted) }
  }

  /// The times that were set and have not come, by their names.
  public var wakes: [String: WallTime] { timers.value.wakes }

  /// The earliest time at which a timer is due; `nil` for none.
  package var nextTimer: WallTime? { timers.value.next }

  package func timersDue(at now: WallTime) -> [SessionTimer] { timers.value.due(at: now) }

  /// The timers as they are stored; `nil` for a view model that has none.
  package var storedTimers: JSON? { hasTimers ? timers.value.json : nil }

  func set(_ wanted: Timers) throws {
    try timers.set(wanted)
    didSetTimers()
  }
}
