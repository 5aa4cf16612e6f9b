// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// The parts of the host that a session uses: one object for all sessions.
final class SessionServices: Sendable {
  let signIns: SignIns
  let limits: PollLimits
  let watch: ActionWatch
  let pace = Pace()
  let pool: WorkerPool
  let topics: TopicHub
  let spool: DiskSpool
  /// The limits and times.
  let configuration: SessionConfiguration
  let randomness: Randomness
  let now: @Sendable () -> ContinuousClock.Instant
  /// Milliseconds since 1970.
  let wallClock: @Sendable () -> Int64
  /// Called with a session that has left memory, and whether the store has ever had it.
  let didLeave: @Sendable (Session, _ isStored: Bool) -> Void
  /// Called with a session that is closed for good.
  let didClose: @Sendable (Session, Closing) -> Void
  /// Has the host look at the session at that instant.
  let check: @Sendable (Session, ContinuousClock.Instant) -> Void
  /// Whether a request has found the session of this id since it was opened.
  let isUsed: @Sendable (String) -> Bool
  let budget: MemoryBudget
  /// Gives the bytes that all sessions of a network take.
  let bytesOfNetwork: @Sendable (ClientNetwork) -> Int
  /// Counts a session with that many bytes from now on.
  let count: @Sendable (Session, Int) -> Void
  /// Takes reports for the log.
  let report: @Sendable (SessionReport) -> Void

  init(
    signIns: SignIns, limits: PollLimits, watch: ActionWatch, pool: WorkerPool, topics: TopicHub,
    spool: DiskSpool, configuration: SessionConfiguration,
    randomness: Randomness,
    now: @escaping @Sendable () -> ContinuousClock.Instant,
    wallClock: @escaping @Sendable () -> Int64, didLeave: @escaping @Sendable (Session, Bool) -> Void,
    didClose: @escaping @Sendable (Session, Closing) -> Void,
    check: @escaping @Sendable (Session, ContinuousClock.Instant) -> Void,
    isUsed: @escaping @Sendable (String) -> Bool,
    budget: MemoryBudget, bytesOfNetwork: @escaping @Sendable (ClientNetwork) -> Int,
    count: @escaping @Sendable (Session, Int) -> Void,
    report: @escaping @Sendable (SessionReport) -> Void
  ) {
    self.signIns = signIns
    self.limits = limits
    self.watch = watch
    self.pool = pool
    self.topics = topics
    self.spool = spool
    self.configuration = configuration
    self.randomness = randomness
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

  func moment() -> Moment { Moment(instant: now(), milliseconds: wallClock()) }
}
