// SPDX-License-Identifier: MIT
public import ViewModels

/// The limits of sessions: their life, the work and memory that each may take, and the place where they are kept.
public struct SessionConfiguration: Sendable {
  /// The time for which a session stays in memory without a request; one that is not stored ends then.
  public var idleTime: Duration = .seconds(30 * 60)
  public var maxSessions = 50_000
  /// Sessions that one client has open at once; one more ends the one that it has not used for longest.
  public var maxSessionsPerClient = 20
  /// The rate at which one client may open sessions, and from one address clients that have none; `nil` for as often as
  /// is wanted. The addresses of one IPv6 /64 are one.
  public var openingRate: Rate? = Rate(60, per: .seconds(60), burst: 60)
  /// The bytes that all sessions in memory may take, with the keys that they remember; `nil` for half of the memory that the
  /// process may have. Near it the sessions that nobody uses leave; at it none is opened.
  public var maxMemoryBytes: Int?
  /// The time that a run of a command may take before its error is `timed-out`; to the second.
  public var commandLimit: Duration = .seconds(30)
  /// The rate at which requests may change the state of one session; `nil` for as often as they come.
  public var actionRate: Rate? = Rate(100, per: .seconds(1), burst: 200)
  /// The time that the actions of one client may take in each second, once they have taken one second more than that; `nil` for
  /// as long as they take.
  public var actionTime: Duration? = .milliseconds(200)
  /// The longest state of one session, as JSON, in bytes.
  public var maxStateBytes = 1_048_576

  /// The place where sessions are kept over a restart; `nil` for nowhere: they end with the process. One server at a
  /// time has it.
  public var storage: SessionStorage?
  /// The promise of an answer where there is a storage, for the view models that do not say it themselves.
  public var durability = Durability.relaxed
  /// The time for which a stored session lives without a request; with the next one it is back in memory.
  public var storedTime: Duration = .seconds(7 * 24 * 60 * 60)

  /// Polls and streams of one client, and in one session, that wait at once; a newer one takes the place of the oldest.
  public var maxPollsPerClient = 4
  public var maxPollsPerSession = 8

  /// Idempotency keys that a session remembers, names of numbered ones, and the bytes of both with their answers.
  public var maxKeys = 1_000
  public var maxKeyNames = 1_000
  public var maxKeyBytes = 262_144
  /// The time for which a key is remembered, and a name of numbered ones is not forgotten.
  public var keyAge: Duration = .seconds(24 * 60 * 60)

  /// The most threads for code of view models that may take long.
  /// Whether a proxy or the app says in each request who its user is.
  package var takesProofs = true
  package var workers = 64

  public init() {}
}
