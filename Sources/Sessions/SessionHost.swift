// SPDX-License-Identifier: MIT
package import AtWork
import Locking
public import Metering
import ObservableCore
public import ViewModels

/// All sessions of a server: opens them, finds them for those who may use them, and ends those that nobody uses.
public final class SessionHost: Sendable {
  public struct Configuration: Sendable {
    /// How long a session stays in memory without a request; one that is not stored ends then.
    public var idleTime: Duration = .seconds(30 * 60)
    public var maxSessions = 50_000
    public var maxSessionsPerCredential = 20
    /// How long a run of a command may take, before its error is `timed-out`; to the second.
    public var commandLimit: Duration = .seconds(30)
    /// How often requests may change the state of a session; `nil` for as often as they come.
    public var actionRate: Rate? = Rate(100, per: .seconds(1), burst: 200)
    /// What a session's state may have, as JSON, in bytes.
    public var maxStateBytes = 1_048_576
    /// Where sessions are kept over a restart; `nil` for nowhere.
    public var storage: SessionStorage?
    /// What an answer promises, for view models that do not say it themselves. Without a storage it is always memory.
    public var durability = Durability.relaxed
    /// How long a stored session lives without a request.
    public var storedTime: Duration = .seconds(7 * 24 * 60 * 60)
    /// What is counted goes in here.
    public var metrics = MetricRegistry()
    /// Waiting polls of one credential, and in one session (§5).
    public var maxWaitingPerCredential = 4
    public var maxWaitingPerSession = 8
    /// Idempotency keys that a session remembers, names of numbered ones, and the bytes of both with their answers (§4).
    public var maxKeys = 1_000
    public var maxKeyNames = 1_000
    public var maxKeyBytes = 256 * 1_024
    /// How long a key is remembered, and a name of numbered ones is not forgotten.
    public var keyAge: Duration = .seconds(24 * 60 * 60)
    /// Where it is noted what is at work, if a supervisor is to know.
    package var workNotes: WorkNotes?
    public init() {}
  }

  /// The registered view models, in the order of their names.
  public let modelNames: [String]
  let types: [String: (type: HostedModelType, meters: ModelMeters)]
  let configuration: Configuration
  let services: SessionServices
  let table: SessionTable
  let randomness: Randomness
  let keeper: SessionKeeper?
  /// Who waits for a session that is being read.
  let loading = Locked<[String: [@Sendable (SessionError?) -> Void]]>([:])
  /// When the store is looked over next for what is not used any more.
  let sweeps: Locked<ContinuousClock.Instant>
  /// The clock that idle time is measured with.
  public let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - types: each under a name of its own.
  ///   - now: the clock that idle time is measured with.
  ///   - wallClock: milliseconds since 1970.
  ///   - report: takes what the log should have: an error that nobody else hears of.
  public init(
    _ types: [HostedModelType], configuration: Configuration = Configuration(), randomness: Randomness = .system,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    wallClock: @escaping @Sendable () -> Int64 = Moment.wallClock,
    report: @escaping @Sendable (SessionReport) -> Void = { _ in }
  ) {
    modelNames = types.map(\.name).sorted()
    precondition(Set(modelNames).count == types.count, "two view models have one name: \(modelNames)")
    let metrics = configuration.metrics
    let typesByName = Dictionary(
      uniqueKeysWithValues: types.map { ($0.name, (type: $0, meters: ModelMeters($0.name, in: metrics))) })
    self.types = typesByName
    self.configuration = configuration
    self.randomness = randomness
    self.now = now
    let table = SessionTable(
      now: now(), maxSessions: configuration.maxSessions, maxPerCredential: configuration.maxSessionsPerCredential,
      isStored: configuration.storage != nil)
    self.table = table
    keeper = configuration.storage.map { SessionKeeper($0, configuration.durability) }
    sweeps = Locked(now() + configuration.idleTime)
    services = SessionServices(
      limits: PollLimits(
        perCredential: configuration.maxWaitingPerCredential, perSession: configuration.maxWaitingPerSession),
      watch: ActionWatch(), commandLimit: configuration.commandLimit, actionRate: configuration.actionRate,
      maxStateBytes: configuration.maxStateBytes,
      keyLimits: KeyMemory.Limits(
        keys: configuration.maxKeys, names: configuration.maxKeyNames, bytes: configuration.maxKeyBytes,
        age: configuration.keyAge),
      workNotes: configuration.workNotes, now: now, wallClock: wallClock, didLeave: { table.left($0) },
      check: { table.check($0, at: $1) }, report: report)
    let (limits, keeper) = (services.limits, keeper)
    metrics.read("euripus_store_backlog", .gauge, "Sessions whose changes are not in the store yet.") {
      [MetricReading(keeper?.backlog ?? 0)]
    }
    metrics.read("euripus_sessions", .gauge, "Living sessions in memory.") {
      typesByName.map { MetricReading($0.value.meters.living, [("model", $0.key)]) }
    }
    metrics.read("euripus_commands_executing", .gauge, "Runs of commands that are under way.") {
      typesByName.map { MetricReading($0.value.meters.executing, [("model", $0.key)]) }
    }
    metrics.read("euripus_polls_waiting", .gauge, "Polls and streams that wait for a change.") {
      [MetricReading(limits.count)]
    }
    metrics.read(
      "euripus_polls_displaced_total", .counter,
      "Polls and streams that had to make room for a newer one of their client."
    ) { [MetricReading(limits.displaced)] }
  }

  /// Whether the credential is a client's: of a session that lives, or that is remembered as closed.
  public func knows(_ credential: Credential) -> Bool { table.knows(credential) }

  public enum Found: Sendable {
    case session(Session)
    /// The caller owned it and closed it, by a request with this key.
    case closed(by: KeyedRequest?)
    /// No such session, or not the caller's: one answer for both.
    case none
  }

  /// Whether the store has nothing to tell of a client that is not known.
  public func knowsAll(of credential: Credential) -> Bool { table.knowsAll(of: credential) }

  /// What is known of an id, before it is known who asks.
  // One that is handed on and not copied, as each copy would be counted.
  public struct Candidate: ~Copyable, Sendable {
    fileprivate let id: SessionID?
    fileprivate let record: SessionTable.Record
  }

  /// Looks up an id. What a session takes of memory is on its way from here on, while the caller finds out who asks. Who knows
  /// the id of another's session might tell from the time it takes that it is in memory: of 128 random bits nobody knows.
  ///
  /// - Parameter id: `nil` for a text that is none.
  public func candidate(_ id: SessionID?) -> Candidate {
    guard let id else { return Candidate(id: nil, record: .none) }
    let record = table.find(id)
    if case .living(let session) = record { session.prefetch(.found) }
    return Candidate(id: id, record: record)
  }

  /// The session `id` of view model `name`, if `credential` is its owner's.
  ///
  /// - Throws: ``SessionsToFetch``, which says as ``SessionError/expired`` that there is none.
  public func find(_ name: String, _ id: String, as credential: Credential?) throws(SessionsToFetch) -> Found {
    try find(name, candidate(SessionID(id)), as: credential)
  }

  /// The same, of an id that was looked up.
  public func find(
    _ name: String, _ candidate: consuming Candidate, as credential: Credential?
  ) throws(SessionsToFetch) -> Found {
    // The same is done for a session that is there, for one that is another's and for none: what it takes tells nothing.
    if case .none = candidate.record, keeper != nil, credential != nil, let id = candidate.id?.description,
      Randomness.isBase64URL(id, bytes: 16)
    {
      throw .session(id)
    }
    let (found, model, owner): (Found, String, Credential) =
      switch candidate.record {
      case .living(let session): (.session(session), session.modelName, session.owner)
      case .closed(let closed): (.closed(by: closed.closing), closed.model, closed.owner)
      case .none: (.none, "", Self.nobody)
      }
    let isOwner = owner == credential ?? Self.nobody
    let isNamed = model == name
    return isOwner && isNamed && credential != nil ? found : .none
  }

  /// The credential of no key: nobody has one that is empty.
  private static let nobody = Credential(hashing: "")

  /// Closes a session when its turn comes, as ``closeInTurn(_:for:)`` does.
  public func close(_ session: Session) {
    session.submit { self.closeInTurn($0) }
  }

  /// Closes a session: who waits in it is released, what comes after this in its turn finds it closed, and its owner is told
  /// so for 24 hours. One that is closed already is left alone.
  ///
  /// - Parameter request: the one that asks for it, if it has a key.
  public func closeInTurn(_ session: isolated Session, for request: KeyedRequest? = nil) {
    session.end(.closed(by: request))
    // Until it is stored that it is closed, only the session knows.
    session.tell { [table, now] failure in
      if failure == nil { table.close(session, request, now: now()) }
    }
  }

  /// Ends what has been idle for too long, and commands that took too long. To be called once a second or more often;
  /// costs what is due, not what there is.
  public func expire() {
    let now = now()
    for session in table.due(now: now) {
      session.submit { [configuration, table] isolated in
        switch isolated.look(now, idleTime: configuration.idleTime) {
        case .ignore: break
        case .keep(let instant): table.check(session, at: instant)
        case .end:
          isolated.end(.expired)
          table.remove(session)
        }
      }
    }
    sweep(now)
  }

  /// Each action that has held its session for more than 100 ms, once.
  ///
  /// To be called every 100 ms or so, and logged.
  public func overdueActions() -> [SessionReport] { services.watch.overdue(now: now()) }

  /// The number of sessions in memory.
  public var count: Int { table.count }
}
