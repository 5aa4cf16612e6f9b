// SPDX-License-Identifier: MIT
package import JSONPatching
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
  let loading = Locked<[String: [@Sendable (Fetched) -> Void]]>([:])
  /// The plan of when the store is looked over for sessions that are not used any more.
  let sweeps: Locked<SweepPlan>
  /// When the store is asked for sessions whose timers are due.
  let timerPlan: Locked<TimerPlan>
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
      refuseToStart(
        "two view models have the name '\(twice)'", expected: "each surface to have a name of its own",
        remedy: "rename one")
    }
    self.types = Dictionary(uniqueKeysWithValues: types.map { ($0.name, (type: $0, counts: SessionCounts())) })
    self.configuration = configuration
    self.randomness = randomness
    self.now = now
    let limits = PollLimits(
      perCredential: configuration.maxPollsPerClient, perSession: configuration.maxPollsPerSession)
    let budget = MemoryBudget(limit: configuration.maxMemoryBytes ?? MachineMemory.bytes / 2)
    let table = SessionTable(
      now: now(), maxSessions: configuration.maxSessions, maxPerCredential: configuration.maxSessionsPerClient,
      openingRate: configuration.openingRate, limits: limits, budget: budget, isStored: configuration.storage != nil,
      takesProofs: configuration.takesProofs)
    self.table = table
    let schemas = self.types.mapValues(\.type.schema)
    keeper = configuration.storage.map { SessionKeeper($0, configuration.durability, schemas: schemas, now: now) }
    timerPlan = Locked(TimerPlan(now: now()))
    // The store knows of the last use of a session that is in memory when that leaves it, or a little earlier.
    sweeps = Locked(
      SweepPlan(
        now: Moment(instant: now(), milliseconds: wallClock()), patience: configuration.idleTime,
        kept: configuration.storedTime + configuration.idleTime * 2))
    let moment: @Sendable () -> Moment = { Moment(instant: now(), milliseconds: wallClock()) }
    services = SessionServices(
      identities: Identities(table, keeper, randomness, moment: moment),
      limits: limits, watch: ActionWatch(), pool: WorkerPool(threads: configuration.workers),
      commandLimit: configuration.commandLimit, actionRate: configuration.actionRate,
      actionTime: configuration.actionTime, maxStateBytes: configuration.maxStateBytes,
      keyLimits: KeyMemory.Limits(
        keys: configuration.maxKeys, names: configuration.maxKeyNames, bytes: configuration.maxKeyBytes,
        age: configuration.keyAge),
      now: now, wallClock: wallClock, didLeave: { table.left($0) },
      didClose: { table.close($0, $1, now: now()) },
      check: { table.check($0, at: $1) }, isUsed: { table.isUsed($0) },
      budget: budget, bytesOfNetwork: { table.bytes(of: $0) },
      count: { table.count($0, $1) }, report: report)
  }

  /// Whether the credential is a client's: of a session that lives, or that is remembered as closed.
  public func knows(_ credential: Credential) -> Bool { table.knows(credential) }

  /// The client that has a credential now, as it is known for as long as it lives: by the credential that it came with.
  public func owner(of credential: Credential) -> Credential? { table.client(of: credential)?.owner }

  /// The user of the client that has a credential now.
  public func user(of credential: Credential) -> User? { table.client(of: credential)?.identity?.user }

  /// Makes a user that a request proves the client's that has a credential.
  ///
  /// - Returns: whether the client is this user's; true of a credential that no client has.
  package func bind(_ credential: Credential, to user: User) -> Bool {
    guard let client = table.client(of: credential) else { return true }
    return services.identities.bind(client.owner, to: user)
  }

  /// The faults of an opening's parameters, each with its place in them.
  package func faults(of params: JSON?, for name: String) -> [JSONMismatch] {
    types[name]?.type.faults(of: params) ?? []
  }

  public enum Found: Sendable {
    case session(Session)
    /// It was the caller's.
    case closed(Closing)
    /// The caller's credential has ended of late.
    case refused(SessionError)
    /// No such session, or not the caller's: one answer for both.
    case none
  }

  /// Whether the store has nothing to tell of a client that is not known.
  public func knowsAll(of credential: Credential) -> Bool { table.knowsAll(of: credential) }

  /// The session `id` of view model `name`, if `credential` is its owner's.
  ///
  /// The same is done for a session that is there, for one that is another's and for none: the time it takes tells nothing.
  ///
  /// - Parameter hasFetched: whether the sessions that an earlier call wanted to be fetched were.
  /// - Throws: ``SessionsToFetch``, which says as ``SessionError/expired`` that there is none.
  public func find(
    _ name: String, _ id: String, as credential: Credential?, hasFetched: Bool = true
  ) throws(SessionsToFetch) -> Found {
    try look(for: id, name, as: credential, hasFetched: hasFetched).found
  }

  /// The same, with the client, as it is known for as long as it lives, and the number of the session's identity.
  public func look(
    for id: String, _ name: String, as credential: Credential?, hasFetched: Bool
  ) throws(SessionsToFetch) -> (found: Found, client: Credential?, identityNumber: UInt32?) {
    try checkLease()
    let (record, client, number) = table.find(id, as: credential)
    // It may be the present one of a client that came with another.
    if client == nil, keeper != nil, !hasFetched, let credential { throw .client(credential) }
    if client == nil, let ending = credential.flatMap({ table.ending(of: $0, now: now()) }) {
      return (.refused(ending.error), nil, nil)
    }
    if case .none = record, keeper != nil, credential != nil, Randomness.isBase64URL(id, bytes: 16) {
      throw .session(id, for: client?.owner)
    }
    let (found, model, owner): (Found, String, Credential) =
      switch record {
      case .living(let session): (.session(session), session.modelName, session.owner)
      case .closed(let closed): (.closed(closed.closing), closed.model, closed.owner)
      case .none: (.none, "", Self.nobody)
      }
    let isClients = owner == client?.owner ?? Self.nobody
    let isUsers = owner == client?.identity?.userOwner ?? Self.nobody
    let isNamed = model == name
    return ((isClients || isUsers) && isNamed && client != nil ? found : .none, client?.owner, number)
  }

  /// The credential of no key: nobody has one that is empty.
  static let nobody = Credential(hashing: "")

  /// Closes a session when its turn comes: readers that wait in it are released, and its owner is told so for 24 hours.
  /// One that is closed already is left alone.
  public func close(_ session: Session) {
    session.submit { $0.close(.byClient(nil)) }
  }

  /// Ends sessions that have been idle for too long, or were not used after their opening, and commands that took too
  /// long. To be called once a second or more often; O(sessions that are due), as long as there is room.
  public func expire() {
    let now = now()
    let (idleTime, patience) = (configuration.idleTime, min(configuration.idleTime, Self.patience))
    for session in table.due(now: now) {
      session.submit { [self, table] isolated in
        if isolated.isLonely(now, for: patience), table.removeUnused(session) { return isolated.end(.expired) }
        let idleTime = table.isLeaving(session) ? returnTime(of: isolated) : idleTime
        switch isolated.look(now, idleTime: idleTime, runsTimers: holdsLease) {
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
    sweepTimers()
    giveSign()
    keepIdentities()
  }

  /// Each action that has been at work for more than ten seconds and still is, once.
  ///
  /// To be called once a second or more often, and logged.
  public func overdueActions() -> [SessionReport] { services.watch.overdue(now: now()) }

  /// The number of sessions in memory.
  public var count: Int { table.count }

  /// The counts, by the name of the view model.
  package var counts: [(model: String, counts: SessionCounts)] { types.map { ($0.key, $0.value.counts) } }

  /// Whether the store has failed of late, and has not worked since; or others share it, and this server could not say of late that it
  /// is there, so that they may take its sessions.
  public var isStoreFailing: Bool {
    if !holdsLease { return true }
    return keeper?.isFailing ?? false
  }

  /// Sessions whose changes are not in the store yet.
  package var storeBacklog: Int { keeper?.backlog ?? 0 }

  /// Polls and streams that wait for a change, and how many had to make room for a newer one of their client.
  package var waitingPolls: Int { services.limits.count }
  package var displacedPolls: Int { services.limits.displaced }
}
