// SPDX-License-Identifier: MIT
public import Storing
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
  /// The most bytes of all sessions in memory, with the keys that they remember, as they are counted; `nil` for half of
  /// the memory that the process may have. Near this limit, sessions that nobody uses end, and stored ones leave memory.
  /// At the limit, no session is opened, and no state grows.
  public var maxMemoryBytes: Int?
  /// The time that a run of a command may take before it fails with `timed-out`; to the second.
  public var commandLimit: Duration = .seconds(30)
  /// The rate of changes of one session; each change of a batch counts. Beyond it the answer is `429` with `Retry-After`.
  /// `nil` sets no limit.
  public var actionRate: Rate? = Rate(100, per: .seconds(1), burst: 200)
  /// The running time that the actions of one client gain in each second. A client saves up at most one second of it.
  /// When it has none left, its next action is answered `429` with `Retry-After`, for at most 60 seconds. `nil` sets no
  /// limit.
  public var actionTime: Duration? = .milliseconds(200)
  /// The longest state of one session, as JSON, in bytes. A change that would exceed it is undone and answered `507`.
  /// Writes of a command after a suspension are not undone: the log tells of them.
  public var maxStateBytes = 1_048_576

  /// The store that keeps sessions over a restart. One server at a time can use a file; several can share a database of
  /// the product `EuripusNodes`. With `nil`, sessions end with the process.
  public var storage: SessionStorage?
  /// The steps that make the app's own tables in the ``storage``, beside those of the sessions (``DatabaseTransaction``).
  public var migrations: [Migration] = []
  /// The time for which an action may hold a database with one writer, from its first statement on. Every other commit
  /// waits for that long.
  package var databaseTime: Duration = .milliseconds(100)
  /// The failures that a change survives once the server has answered it. It applies where there is a ``storage``, to
  /// view models that were not given a durability of their own.
  public var durability = Durability.relaxed
  /// The time for which a stored session lives without a request. The next request brings it back into memory.
  /// If nobody has signed in and little was done in the session, it lives for a day.
  public var storedTime: Duration = .seconds(7 * 24 * 60 * 60)
  /// The time for which a client that has signed in is known in memory after its last request, where it has no session of
  /// its own there. With `nil` it is ten minutes beside a store, which knows the client too, and otherwise a day. Drivers
  /// of tests set it, as a test moves their clock for longer.
  package var awayTime: Duration?
  /// The bytes that all stored sessions may take, as they are counted; the file or the database takes more. Near this
  /// limit, those end that nobody has used for longest, of the networks that have most. At the limit, no session is
  /// opened and no state grows.
  public var maxStoreBytes = 4 << 30

  /// The directory of files that clients have sent and no action has taken, and of those that sessions offer; it is made when
  /// it is needed. By default it is beside the file of the ``storage``, as `FILE-uploads`, and otherwise a temporary one, which
  /// goes with the server. Servers that share a database can share a directory, and others must not: each drops the files of
  /// sessions that its store does not have.
  public var uploadDirectory: String?
  /// The bytes that all these files may take. What one client sends gets a quarter of it at most, and what one network
  /// sends a half.
  public var maxUploadBytes = 10 << 30

  /// The most polls and streams that wait at once in all sessions of one owner: a client, or for a user's own sessions
  /// the user. A newer one ends the oldest.
  public var maxPollsPerClient = 4
  /// The same limit for one session. It matters only where it is lower than ``maxPollsPerClient``.
  public var maxPollsPerSession = 8
  /// The most polls and streams that wait in one room. The server lowers it, so that no room has all its connections.
  package var maxReadersOfRoom = 20_000

  /// The most idempotency keys that a session remembers of a client. One more makes it forget the oldest.
  public var maxKeys = 1_000
  /// The most names of numbered keys, such as `tab` in `tab/3`; a session keeps the last number of each. A further name
  /// is answered `429` until one was not used for ``keyAge``.
  public var maxKeyNames = 1_000
  /// The most bytes of keys and kept answers. Beyond it the oldest answers are dropped first, then keys. A request whose
  /// answer was dropped is not done again: a repetition learns only that it was done.
  public var maxKeyBytes = 262_144
  /// The time for which a key is remembered, and for which a name of numbered keys is kept.
  public var keyAge: Duration = .seconds(24 * 60 * 60)

  /// Whether a proxy or the app says in each request who its user is.
  package var takesProofs = true
  /// The most threads for code of view models that may take long.
  package var workers = 64

  public init() {}

  /// The limits of a client's memory of keys in a session.
  var keyLimits: KeyMemory.Limits {
    KeyMemory.Limits(keys: maxKeys, names: maxKeyNames, bytes: maxKeyBytes, age: keyAge)
  }
}
