// SPDX-License-Identifier: MIT
public import ViewModels

/// The limits of sessions: how long they live, the work and the memory that each may take, and where they are
/// kept.
public struct SessionConfiguration: Sendable {
  /// The time for which a session stays in memory without a request. One that is not stored ends after that.
  public var idleTime: Duration = .seconds(30 * 60)
  public var maxSessions = 50_000
  /// The most sessions that one client may have open. When it opens another, the session that it has not used
  /// for longest ends.
  public var maxSessionsPerClient = 20
  /// The rate at which a client may open sessions. It holds too for all clients of one address that have no
  /// session yet; addresses of one IPv6 /64 count as one. `nil` sets no limit.
  public var openingRate: Rate? = Rate(60, per: .seconds(60), burst: 60)
  /// The bytes that all sessions in memory may take, with the keys that they remember; `nil` for half of the
  /// memory that the process may have. Near this limit, sessions that nobody uses leave. At the limit, no
  /// session is opened.
  public var maxMemoryBytes: Int?
  /// The time that a run of a command may take before it fails with `timed-out`; to the second.
  public var commandLimit: Duration = .seconds(30)
  /// The rate at which requests may change the state of one session; `nil` sets no limit.
  public var actionRate: Rate? = Rate(100, per: .seconds(1), burst: 200)
  /// The time that the actions of one client may take in each second, once they have taken one second more than
  /// that. `nil` sets no limit.
  public var actionTime: Duration? = .milliseconds(200)
  /// The longest state of one session, as JSON, in bytes.
  public var maxStateBytes = 1_048_576

  /// The place where sessions are kept over a restart. One server at a time has it. With `nil` they end with
  /// the process.
  public var storage: SessionStorage?
  /// The promise that an answer makes where there is a storage. It holds for view models that do not choose one
  /// themselves.
  public var durability = Durability.relaxed
  /// The time for which a stored session lives without a request. The next request brings it back into memory.
  /// If nobody has signed in and little was done in the session, it lives for a day.
  public var storedTime: Duration = .seconds(7 * 24 * 60 * 60)
  /// The bytes that all stored sessions may take, as they are counted; the file or the database takes more. Near this
  /// limit, those end that nobody has used for longest, of the networks that have most. At the limit, no session is
  /// opened and no state grows.
  public var maxStoreBytes = 4 << 30

  /// The most polls and streams of one client, and in one session, that wait at once. A newer one takes the
  /// place of the oldest.
  public var maxPollsPerClient = 4
  public var maxPollsPerSession = 8

  /// The most idempotency keys that a session remembers, the most names of numbered keys, and the most bytes of
  /// both with their answers.
  public var maxKeys = 1_000
  public var maxKeyNames = 1_000
  public var maxKeyBytes = 262_144
  /// The time for which a key is remembered, and for which a name of numbered keys is kept.
  public var keyAge: Duration = .seconds(24 * 60 * 60)

  /// Whether a proxy or the app says in each request who its user is.
  package var takesProofs = true
  /// The most threads for code of view models that may take long.
  package var workers = 64

  public init() {}

  /// The limits of one session's memory of keys.
  var keyLimits: KeyMemory.Limits {
    KeyMemory.Limits(keys: maxKeys, names: maxKeyNames, bytes: maxKeyBytes, age: keyAge)
  }
}
