// SPDX-License-Identifier: MIT
package import JSONPatching
import ObservableCore

/// Timers: times at which the view model is to act, whether anybody has the session open then or not.
///
/// ```swift
/// try context.wake(at: context.now + .seconds(86_400), for: "reminder")
/// ```
extension SessionContext {
  /// The present time: that of the server, and in a test that of its clock.
  public var now: WallTime { clock() }

  /// Has the surface's `.onWake` called at a time, or soon after it, with `name`. One that was set for the name before is set no
  /// more. A time that has passed is due at once.
  ///
  /// It is part of the transaction: where that is undone, so is this. It is kept with the session, over restarts, and done once: what
  /// it does, and that it is due no more, are stored together. A session that nobody has open is loaded for it, and is not
  /// forgotten before.
  ///
  /// - Throws: ``WakeRefused`` for a time that is more than a year ahead, a name of more than 200 bytes, or more than 64 names at a time.
  public func wake(at time: WallTime, for name: String) throws {
    guard canWake else {
      stopProgram(
        "a view model wants to be woken for '\(name)'", expected: "a surface that says what is done then",
        remedy: "write '.onWake(…)' in the surface of the view model that is hosted")
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

  /// The same after a time.
  public func wake(in duration: Duration, for name: String) throws { try wake(at: now + duration, for: name) }

  /// Has nothing done for the name any more; nothing happens where it was not to be.
  ///
  /// - Throws: what an observer threw.
  public func cancelWake(for name: String) throws {
    var wanted = timers.value
    if wanted.due.removeValue(forKey: .wake(name)) != nil { try set(wanted) }
  }

  /// The times that were set and have not come, by their names.
  public var wakes: [String: WallTime] { timers.value.wakes }

  /// The first time at which a timer is due; `nil` for none.
  package var nextTimer: WallTime? { timers.value.next }

  package func timersDue(at now: WallTime) -> [SessionTimer] { timers.value.due(at: now) }

  /// The timers as they are stored; `nil` for a view model that has none.
  package var storedTimers: JSON? { hasTimers ? timers.value.json : nil }

  func set(_ wanted: Timers) throws {
    try timers.set(wanted)
    didSetTimers()
  }
}
