// SPDX-License-Identifier: MIT
import AtWork

/// What a session has of its host.
struct SessionServices: Sendable {
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

  func moment() -> Moment { Moment(instant: now(), milliseconds: wallClock()) }
}
