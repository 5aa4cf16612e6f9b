// SPDX-License-Identifier: MIT
import ViewModels

/// The things that a session has of its host: one object for all sessions.
final class SessionServices: Sendable {
  let identities: Identities
  let limits: PollLimits
  let watch: ActionWatch
  let pace = Pace()
  let pool: WorkerPool
  /// How long a run of a command may take.
  let commandLimit: Duration
  /// How often a session's state may be changed by requests; `nil` for as often as they come.
  let actionRate: Rate?
  /// The time that the actions of one client may take in each second; `nil` for as long as they take.
  let actionTime: Duration?
  /// The bytes that a state's JSON may have.
  let maxStateBytes: Int
  let keyLimits: KeyMemory.Limits
  let now: @Sendable () -> ContinuousClock.Instant
  /// Milliseconds since 1970.
  let wallClock: @Sendable () -> Int64
  /// A closure that is told of a session that is not in memory any more.
  let didLeave: @Sendable (Session) -> Void
  /// A closure that is told of a session that is closed for good.
  let didClose: @Sendable (Session, Closing) -> Void
  /// Has the session looked at by its host at that instant.
  let check: @Sendable (Session, ContinuousClock.Instant) -> Void
  /// Whether a request has found the session of this id since it was opened.
  let isUsed: @Sendable (String) -> Bool
  let budget: MemoryBudget
  /// The bytes of all sessions of a network.
  let bytesOfNetwork: @Sendable (ClientNetwork) -> Int
  /// Counts a session with that many bytes from now on.
  let count: @Sendable (Session, Int) -> Void
  /// Takes reports for the log.
  let report: @Sendable (SessionReport) -> Void

  init(
    identities: Identities, limits: PollLimits, watch: ActionWatch, pool: WorkerPool, commandLimit: Duration,
    actionRate: Rate?,
    actionTime: Duration?, maxStateBytes: Int,
    keyLimits: KeyMemory.Limits, now: @escaping @Sendable () -> ContinuousClock.Instant,
    wallClock: @escaping @Sendable () -> Int64, didLeave: @escaping @Sendable (Session) -> Void,
    didClose: @escaping @Sendable (Session, Closing) -> Void,
    check: @escaping @Sendable (Session, ContinuousClock.Instant) -> Void,
    isUsed: @escaping @Sendable (String) -> Bool,
    budget: MemoryBudget, bytesOfNetwork: @escaping @Sendable (ClientNetwork) -> Int,
    count: @escaping @Sendable (Session, Int) -> Void,
    report: @escaping @Sendable (SessionReport) -> Void
  ) {
    self.identities = identities
    self.limits = limits
    self.watch = watch
    self.pool = pool
    self.commandLimit = commandLimit
    self.actionRate = actionRate
    self.actionTime = actionTime
    self.maxStateBytes = maxStateBytes
    self.keyLimits = keyLimits
    self.now = now
    self.wallClock = wallClock
    self.didLeave = didLeave
    self.didClose = didClose
    self.check = check
    self.isUsed = isUsed
    self.budget = budget
    self.bytesOfNetwork = bytesOfNetwork
    self.count = count
    self.report = report
  }

  /// The second clock, as view models have it.
  var clock: @Sendable () -> WallTime { { [wallClock] in WallTime(milliseconds: wallClock()) } }

  func moment() -> Moment { Moment(instant: now(), milliseconds: wallClock()) }
}
