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
  public var now: WallTime { clock().time }

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
    try set(.at(time), for: name, ahead: time - now)
  }

  /// Does the same at the end of a duration that begins now. The duration stays as long as it is if somebody sets
  /// the server's clock meanwhile.
  public func wake(in duration: Duration, for name: String) throws {
    let length = min(max(duration, .zero), Timers.farthest)
    try set(.after(length, ends: clock().instant + length), for: name, ahead: duration)
  }

  private func set(_ wake: Timers.Wake, for name: String, ahead: Duration) throws {
    guard canWake else {
      throw WakeRefused(
        description:
          "a view model wants to be woken for '\(name)'; expected a surface that says what is done then: write "
          + "'.onWake(…)' in the surface of the view model that is hosted")
    }
    if ahead > Timers.farthest {
      throw WakeRefused(
        description:
          "the wake for '\(name)' is \(ahead.components.seconds / 86_400) days ahead; expected at most 366")
    }
    if name.utf8.count > Timers.longestName {
      throw WakeRefused(
        description: "the name of a wake has \(name.utf8.count) bytes; expected at most \(Timers.longestName)")
    }
    var wanted = timers.value
    wanted.wakes[name] = wake
    if wanted.wakes.count > Timers.mostWakes {
      throw WakeRefused(
        description:
          "the session would have \(wanted.wakes.count) wakes at a time; expected at most \(Timers.mostWakes): cancel "
          + "one, or set the next one when one is done")
    }
    try set(wanted)
  }

  /// Cancels the wake for a name. If there is none, nothing happens.
  ///
  /// - Throws: the error of an observer.
  public func cancelWake(for name: String) throws {
    var wanted = timers.value
    if wanted.wakes.removeValue(forKey: name) != nil { try set(wanted) }
  }

  /// The times that were set and have not come, by their names.
  public var wakes: [String: WallTime] {
    let now = clock()
    return timers.value.wakes.mapValues { $0.time(at: now) }
  }

  /// The instant at which the first timer is due, as the wall clock is set now; `nil` for none.
  package func nextTimer(at now: Moment) -> ContinuousClock.Instant? { timers.value.next(at: now) }

  package func timersDue(at now: Moment) -> [SessionTimer] { timers.value.due(at: now) }

  /// The timers as they are stored; `nil` for a view model that has none.
  package func storedTimers(at now: Moment) -> JSON? { hasTimers ? timers.value.json(at: now) : nil }

  func set(_ wanted: Timers) throws {
    try timers.set(wanted)
    didSetTimers()
  }
}
