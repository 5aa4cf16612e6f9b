// SPDX-License-Identifier: MIT
import AtWork

/// What a session has of its host: one object for all of them, which stays in the processor's caches.
final class SessionServices: Sendable {
  let limits: PollLimits
  let watch: ActionWatch
  /// How long a run of a command may take.
  let commandLimit: Duration
  /// How often a session's state may be changed by requests; `nil` for as often as they come.
  let actionRate: Rate?
  /// What a state's JSON may have.
  let maxStateBytes: Int
  let keyLimits: KeyMemory.Limits
  let workNotes: WorkNotes?
  let now: @Sendable () -> ContinuousClock.Instant
  /// Milliseconds since 1970.
  let wallClock: @Sendable () -> Int64
  /// Told of a session that is not in memory any more.
  let didLeave: @Sendable (Session) -> Void
  /// Has the session looked at by its host at that instant.
  let check: @Sendable (Session, ContinuousClock.Instant) -> Void
  /// Takes what the log should have.
  let report: @Sendable (SessionReport) -> Void

  init(
    limits: PollLimits, watch: ActionWatch, commandLimit: Duration, actionRate: Rate?, maxStateBytes: Int,
    keyLimits: KeyMemory.Limits, workNotes: WorkNotes?, now: @escaping @Sendable () -> ContinuousClock.Instant,
    wallClock: @escaping @Sendable () -> Int64, didLeave: @escaping @Sendable (Session) -> Void,
    check: @escaping @Sendable (Session, ContinuousClock.Instant) -> Void,
    report: @escaping @Sendable (SessionReport) -> Void
  ) {
    self.limits = limits
    self.watch = watch
    self.commandLimit = commandLimit
    self.actionRate = actionRate
    self.maxStateBytes = maxStateBytes
    self.keyLimits = keyLimits
    self.workNotes = workNotes
    self.now = now
    self.wallClock = wallClock
    self.didLeave = didLeave
    self.check = check
    self.report = report
  }

  func moment() -> Moment { Moment(instant: now(), milliseconds: wallClock()) }
}
