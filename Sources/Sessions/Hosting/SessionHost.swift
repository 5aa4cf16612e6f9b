// SPDX-License-Identifier: MIT
package import JSONPatching
import Locking
import ObservableCore
package import Storing
package import ViewModels

/// All sessions of a server. The host opens them, finds them for the clients that may use them, and ends those
/// that nobody uses.
package final class SessionHost: Sendable {
  /// The registered view models, in the order of their names.
  package let modelNames: [String]
  let types: [String: (type: HostedModelType, counts: SessionCounts)]
  let configuration: SessionConfiguration
  let services: SessionServices
  let table: SessionTable
  let randomness: Randomness
  let keeper: SessionKeeper?
  /// The files that clients send, and those that sessions offer.
  package let spool: DiskSpool
  /// The client for requests to other servers of the same store; `nil` for a server that has its store alone.
  package let nodeClient: (any NodeClient)?
  /// The host of the rooms that its sessions follow; `nil` for itself.
  let roomHost: SessionHost?
  /// The way to rooms at other servers; `nil` for none.
  let wayElsewhere: WayElsewhere?
  /// Where asynchronous work of the host runs.
  package let executor = HostExecutor()
  /// The threads of ``database``. Each may wait for others that write.
  let databaseThreads = WorkerPool(threads: 16)
  /// The callbacks of those that wait for a session that is being read, or ended in the store, by its id.
  let loading = Locked<[String: [@Sendable (Fetched) -> Void]]>([:])
  /// The plan by which the store is looked over for unused sessions.
  let sweeps: Locked<SweepPlan>
  /// The plan by which the store is asked for sessions whose timers are due.
  let timerPlan: Locked<TimerPlan>
  /// The clock by which idle time is measured.
  package let now: @Sendable () -> ContinuousClock.Instant
  /// The machine's wall clock, in milliseconds since 1970.
  package static let wallClock: @Sendable () -> Int64 = { WallTime.now.milliseconds }

  /// - Parameters:
  ///   - types: the view models, each under a name of its own.
  ///   - now: the clock by which idle time is measured.
  ///   - wallClock: gives milliseconds since 1970.
  ///   - rooms: the host of the rooms that its sessions follow; `nil` for itself.
  ///   - wayElsewhere: the way to rooms at other servers; `nil` for none.
  ///   - topics: the topics that its sessions tell and follow.
  ///   - report: takes the reports for the log: errors that nobody else hears of.
  package init(
    _ types: [HostedModelType], configuration: SessionConfiguration = SessionConfiguration(),
    randomness: Randomness = .system,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    wallClock: @escaping @Sendable () -> Int64 = SessionHost.wallClock, rooms: SessionHost? = nil,
    wayElsewhere: WayElsewhere? = nil, topics: TopicHub = TopicHub(),
    report: @escaping @Sendable (SessionReport) -> Void = { _ in }
  ) {
    (roomHost, self.wayElsewhere) = (rooms, wayElsewhere)
    modelNames = types.map(\.name).sorted()
    if let twice = zip(modelNames, modelNames.dropFirst()).first(where: ==)?.0 {
      refuseToStart(
        "two view models have the name '\(twice)'", expected: "each surface to have a name of its own",
        remedy: "rename one")
    }
    Self.checkDatabase(types, configuration)
    self.types = Dictionary(uniqueKeysWithValues: types.map { ($0.name, (type: $0, counts: SessionCounts())) })
    self.configuration = configuration
    self.randomness = randomness
    self.now = now
    let limits = PollLimits(
      perCredential: configuration.maxPollsPerClient, perSession: configuration.maxPollsPerSession,
      perRoom: configuration.maxReadersOfRoom)
    let budget = MemoryBudget(limit: configuration.maxMemoryBytes ?? MachineMemory.bytes / 2)
    let schemas = self.types.mapValues(\.type.schema)
    keeper = configuration.storage.map {
      SessionKeeper(
        $0, configuration.durability, migrations: configuration.migrations, maxBytes: configuration.maxStoreBytes,
        schemas: schemas, now: now)
    }
    let table = SessionTable(
      now: now(), maxSessions: configuration.maxSessions, maxPerCredential: configuration.maxSessionsPerClient,
      openingRate: configuration.openingRate, limits: limits, budget: budget, storeRoom: keeper?.room,
      takesProofs: configuration.takesProofs, awayTime: configuration.awayTime)
    self.table = table
    let moment: @Sendable () -> Moment = { Moment(instant: now(), milliseconds: wallClock()) }
    timerPlan = Locked(TimerPlan(now: moment()))
    // The store learns of a session's last use when the session leaves memory, or a little earlier.
    sweeps = Locked(
      SweepPlan(
        now: moment(), patience: configuration.idleTime,
        kept: configuration.storedTime + configuration.idleTime * 2))
    nodeClient = keeper?.presence == nil ? nil : configuration.storage?.nodeClient?()
    let pool = WorkerPool(threads: configuration.workers)
    let spool = DiskSpool(
      place: configuration.uploadDirectory ?? configuration.storage?.spool, limit: configuration.maxUploadBytes)
    self.spool = spool
    services = SessionServices(
      signIns: SignIns(table, keeper, executor, pool, randomness, moment: moment),
      limits: limits, watch: ActionWatch(), pool: pool, topics: topics, spool: spool,
      configuration: configuration, randomness: randomness, now: now, wallClock: wallClock,
      didLeave: { session, isStored in
        table.left(session, isStored: isStored)
        if !isStored { spool.removeAll(ofSession: session.id) }
      },
      didClose: { table.close($0, $1, now: now()) },
      check: { table.check($0, at: $1) }, isUsed: { table.isUsed($0) },
      budget: budget, bytesOfNetwork: { table.bytes(of: $0) },
      count: { table.count($0, $1) }, report: report)
  }

  /// Ends the program if an action takes a database and there is none.
  private static func checkDatabase(_ types: [HostedModelType], _ configuration: SessionConfiguration) {
    Migration.check(configuration.migrations)
    let inMemory = types.first { type in
      let isStored = configuration.storage != nil && type.durability ?? configuration.durability != .memory
      return !type.databaseActions.isEmpty && !isStored
    }
    guard let inMemory else { return }
    refuseToStart(
      "an action of '\(inMemory.name)' takes a DatabaseTransaction, and its sessions are not stored",
      expected: "a store, whose database it is",
      remedy: "start the program with '--store FILE'; in a test give the driver a database: 'ModelDriver(database:)'")
  }

  /// Whether a client has the credential. It knows a client by a session that lives, or that is remembered as
  /// closed.
  package func knows(_ credential: Credential) -> Bool { table.knows(credential) }

  /// The client that has a credential now, by the credential that it came with, which stays the same for as
  /// long as it lives.
  package func owner(of credential: Credential) -> Credential? { table.client(of: credential)?.owner }

  /// The user of the client that has a credential now.
  package func user(of credential: Credential) -> User? { table.client(of: credential)?.signIn?.user }

  /// Binds the client that has a credential to a user whom a request proves.
  ///
  /// - Returns: whether the client is this user's. It is true for a credential that no client has.
  package func bind(_ credential: Credential, to user: User) -> Bool {
    guard let client = table.client(of: credential) else { return true }
    return services.signIns.bind(client.owner, to: user)
  }

  /// The faults in the parameters of an opening, each with its place in them.
  package func faults(of params: JSON?, for name: String) -> [JSONMismatch] {
    types[name]?.type.faults(of: params) ?? []
  }

  package enum Found: Sendable {
    case session(Session)
    /// The session was the caller's, and is closed.
    case closed(Closing)
    /// The caller's credential ended a short time ago.
    case refused(SessionError)
    /// There is no such session, or it is not the caller's. Both get one answer.
    case none
  }

  /// Whether the store has nothing to tell about a client that is not known here.
  package func knowsAll(of credential: Credential) -> Bool { table.knowsAll(of: credential) }

  /// The session `id` on the view model `name`, if the client with `credential` owns it, or may enter it as a room.
  ///
  /// The same work is done for the caller's session, for another client's and for none, so the time that it
  /// takes tells nothing.
  ///
  /// - Parameter hasFetched: whether the sessions that an earlier call asked for have been fetched.
  /// - Throws: ``SessionsToFetch``. A fetch that finds none gives ``SessionError/expired``.
  package func find(
    _ name: String, _ id: String, as credential: Credential?, hasFetched: Bool = true
  ) throws(SessionsToFetch) -> Found {
    try look(for: id, name, as: credential, hasFetched: hasFetched).found
  }

  /// The same, with the client.
  package func look(
    for id: String, _ name: String, as credential: Credential?, hasFetched: Bool
  ) throws(SessionsToFetch) -> (found: Found, client: FoundClient?) {
    try checkLease()
    let (record, client) = table.find(id, as: credential)
    // The credential may be the present one of a client that came with another.
    if client == nil, keeper != nil, !hasFetched, let credential { throw .client(credential) }
    if client == nil, let ending = credential.flatMap({ table.ending(of: $0, now: now()) }) {
      return (.refused(ending.error), nil)
    }
    if case .none = record, keeper != nil, credential != nil, Randomness.isBase64URL(id, bytes: 16) {
      throw .session(id, for: client?.owner)
    }
    let (found, model, owner, room): (Found, String, Credential, Session?) =
      switch record {
      case .living(let session): (.session(session), session.modelName, session.owner, session.isRoom ? session : nil)
      case .closed(let closed): (.closed(closed.closing), closed.model, closed.owner, nil)
      case .none: (.none, "", Self.nobody, nil)
      }
    let isClients = owner == client?.owner ?? Self.nobody
    let isUsers = owner == client?.signIn?.userOwner ?? Self.nobody
    let isNamed = model == name
    guard let client, isNamed else { return (.none, client) }
    return (isClients || isUsers || room?.admits(client.owner, client.user) == true ? found : .none, client)
  }

  /// The credential of no client: its key is empty, and no key is.
  static let nobody = Credential(hashing: "")

  /// Closes a session when its turn comes. Readers that wait in it are released, and its owner is told for 24
  /// hours that it is closed. A session that is closed already is left alone.
  package func close(_ session: Session) {
    session.submit { $0.close(.byClient(nil)) }
  }

  /// Ends sessions that have been idle for too long or were not used after their opening, and commands that
  /// took too long. To be called at least once a second. O(sessions that are due), as long as there is room.
  package func expire() {
    let now = now()
    let (idleTime, patience) = (configuration.idleTime, min(configuration.idleTime, Self.patience))
    for session in table.due(now: now) {
      session.submit { [self, table] isolated in
        isolated.lookForMembers(now)
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
    makeRoomInStore()
    sweep()
    sweepTimers()
    giveSign()
    hearAgain()
    renewSignIns()
  }

  /// The actions that have been at work for more than ten seconds and still are; each is reported once.
  ///
  /// To be called at least once a second; the results are to be logged.
  package func overdueActions() -> [SessionReport] { services.watch.overdue(now: now()) }

  /// The number of sessions in memory.
  package var count: Int { table.count }

  /// The counts, by the name of the view model.
  package var counts: [(model: String, counts: SessionCounts)] { types.map { ($0.key, $0.value.counts) } }

  /// Whether the store has failed, and not worked since. A server that shares the store counts as failing too
  /// while it cannot say that it is there, since the others may take its sessions.
  package var isStoreFailing: Bool {
    if !holdsLease { return true }
    return keeper?.isFailing ?? false
  }

  /// The number of sessions whose changes are not in the store yet.
  package var storeBacklog: Int { keeper?.backlog ?? 0 }

  /// The number of polls and streams that wait for a change, and of those that made room for a newer one of
  /// their client.
  package var waitingPolls: Int { services.limits.count }
  package var displacedPolls: Int { services.limits.displaced }
}
