// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
public import ViewModels

/// All sessions of a server: opens them, finds them for those who may use them, and ends those that nobody uses.
public final class SessionHost: Sendable {
  /// The registered view models, in the order of their names.
  public let modelNames: [String]
  let types: [String: (type: HostedModelType, counts: SessionCounts)]
  let configuration: SessionConfiguration
  let services: SessionServices
  let table: SessionTable
  let randomness: Randomness
  let keeper: SessionKeeper?
  /// The requests that wait for a session that is being read.
  let loading = Locked<[String: [@Sendable (SessionError?) -> Void]]>([:])
  /// When the store is looked over for what is not used any more.
  let sweeps: Locked<SweepPlan>
  /// The clock that idle time is measured with.
  public let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - types: each under a name of its own.
  ///   - now: the clock that idle time is measured with.
  ///   - wallClock: milliseconds since 1970.
  ///   - report: takes what the log should have: an error that nobody else hears of.
  public init(
    _ types: [HostedModelType], configuration: SessionConfiguration = SessionConfiguration(),
    randomness: Randomness = .system,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    wallClock: @escaping @Sendable () -> Int64 = Moment.wallClock,
    report: @escaping @Sendable (SessionReport) -> Void = { _ in }
  ) {
    modelNames = types.map(\.name).sorted()
    if let twice = zip(modelNames, modelNames.dropFirst()).first(where: ==)?.0 {
      stopProgram(
        "two view models have the name '\(twice)'", expected: "each surface to have a name of its own",
        remedy: "rename one")
    }
    self.types = Dictionary(uniqueKeysWithValues: types.map { ($0.name, (type: $0, counts: SessionCounts())) })
    self.configuration = configuration
    self.randomness = randomness
    self.now = now
    let budget = MemoryBudget(limit: configuration.maxMemoryBytes ?? MachineMemory.bytes / 2)
    let table = SessionTable(
      now: now(), maxSessions: configuration.maxSessions, maxPerCredential: configuration.maxSessionsPerClient,
      budget: budget, isStored: configuration.storage != nil)
    self.table = table
    keeper = configuration.storage.map { SessionKeeper($0, configuration.durability) }
    // The store knows of the last use of a session that is in memory when that leaves it, or a little earlier.
    sweeps = Locked(
      SweepPlan(
        now: Moment(instant: now(), milliseconds: wallClock()), patience: configuration.idleTime,
        kept: configuration.storedTime + configuration.idleTime * 2))
    services = SessionServices(
      limits: PollLimits(
        perCredential: configuration.maxPollsPerClient, perSession: configuration.maxPollsPerSession),
      watch: ActionWatch(), pool: WorkerPool(threads: configuration.workers),
      commandLimit: configuration.commandLimit, actionRate: configuration.actionRate,
      actionTime: configuration.actionTime, maxStateBytes: configuration.maxStateBytes,
      keyLimits: KeyMemory.Limits(
        keys: configuration.maxKeys, names: configuration.maxKeyNames, bytes: configuration.maxKeyBytes,
        age: configuration.keyAge),
      now: now, wallClock: wallClock, didLeave: { table.left($0) },
      didClose: { table.close($0, $1, now: now()) },
      check: { table.check($0, at: $1) }, budget: budget, bytesOfNetwork: { table.bytes(of: $0) },
      count: { table.count($0, $1) }, report: report)
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

  /// The session `id` of view model `name`, if `credential` is its owner's.
  ///
  /// The same is done for a session that is there, for one that is another's and for none: the time it takes tells nothing.
  ///
  /// - Throws: ``SessionsToFetch``, which says as ``SessionError/expired`` that there is none.
  public func find(_ name: String, _ id: String, as credential: Credential?) throws(SessionsToFetch) -> Found {
    let record = table.find(id)
    if case .none = record, keeper != nil, credential != nil, Randomness.isBase64URL(id, bytes: 16) {
      throw .session(id)
    }
    let (found, model, owner): (Found, String, Credential) =
      switch record {
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

  /// Closes a session when its turn comes: who waits in it is released, and its owner is told so for 24 hours. One that is
  /// closed already is left alone.
  public func close(_ session: Session) {
    session.submit { $0.close(for: nil) }
  }

  /// Ends what has been idle for too long, and commands that took too long. To be called once a second or more often;
  /// costs what is due, not what there is, as long as there is room.
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
    makeRoom()
    sweep()
  }

  /// Each action that has been at work for more than ten seconds and still is, once.
  ///
  /// To be called once a second or more often, and logged.
  public func overdueActions() -> [SessionReport] { services.watch.overdue(now: now()) }

  /// The number of sessions in memory.
  public var count: Int { table.count }

  /// The counts, by the name of the view model.
  package var counts: [(model: String, counts: SessionCounts)] { types.map { ($0.key, $0.value.counts) } }

  /// Whether the store has failed of late, and has not worked since.
  public var isStoreFailing: Bool { keeper?.isFailing ?? false }

  /// Sessions whose changes are not in the store yet.
  package var storeBacklog: Int { keeper?.backlog ?? 0 }

  /// Polls and streams that wait for a change, and how many had to make room for a newer one of their client.
  package var waitingPolls: Int { services.limits.count }
  package var displacedPolls: Int { services.limits.displaced }
}
