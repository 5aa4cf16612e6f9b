// SPDX-License-Identifier: MIT
package import AtWork
import Locking
public import Metering
public import ViewModels

/// All sessions of a server: opens them, finds them for those who may use them, and ends those that nobody uses.
public final class SessionHost: Sendable {
  public struct Configuration: Sendable {
    /// How long a session lives without a request.
    public var idleTime: Duration = .seconds(30 * 60)
    public var maxSessions = 50_000
    public var maxSessionsPerCredential = 20
    /// How long a run of a command may take, before its error is `timed-out`; to the second.
    public var commandLimit: Duration = .seconds(30)
    /// How often requests may change the state of a session; `nil` for as often as they come.
    public var actionRate: Rate? = Rate(100, per: .seconds(1), burst: 200)
    /// What a session's state may have, as JSON, in bytes.
    public var maxStateBytes = 1_048_576
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
  private let types: [String: (type: HostedModelType, meters: ModelMeters)]
  private let configuration: Configuration
  private let services: SessionServices
  private let store: MemoryStore
  private let randomness: Randomness
  /// The clock that idle time is measured with.
  public let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - types: each under a name of its own.
  ///   - now: the clock that idle time is measured with.
  ///   - report: takes what the log should have: an error that nobody else hears of.
  public init(
    _ types: [HostedModelType], configuration: Configuration = Configuration(), randomness: Randomness = .system,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
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
    let store = MemoryStore(
      now: now(), maxSessions: configuration.maxSessions, maxPerCredential: configuration.maxSessionsPerCredential)
    self.store = store
    services = SessionServices(
      limits: PollLimits(
        perCredential: configuration.maxWaitingPerCredential, perSession: configuration.maxWaitingPerSession),
      watch: ActionWatch(), commandLimit: configuration.commandLimit, actionRate: configuration.actionRate,
      maxStateBytes: configuration.maxStateBytes,
      keyLimits: KeyMemory.Limits(
        keys: configuration.maxKeys, names: configuration.maxKeyNames, bytes: configuration.maxKeyBytes,
        age: configuration.keyAge),
      workNotes: configuration.workNotes, now: now,
      check: { store.check($0, at: $1) }, report: report)
    let limits = services.limits
    metrics.read("euripus_sessions", .gauge, "Living sessions.") {
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

  /// A session that was opened.
  public struct Opened: Sendable {
    public let session: Session
    /// The client's new key, to be handed over this once; `nil` if it has one already.
    public let newKey: String?
  }

  /// Opens a session on the view model `name`.
  ///
  /// - Parameters:
  ///   - credential: of the key that the client sent. One that no session knows is treated as none, never adopted.
  ///   - request: the one that asks for it, if it has a key: of a client that is known, the same one opens one session. Whose
  ///     credential is not known cannot be told from another, and gets a session of its own each time.
  /// - Throws: ``SessionError``, or what the view model's `init` threw.
  public func open(_ name: String, as credential: Credential?, _ request: KeyedRequest? = nil) throws -> Opened {
    guard let (type, meters) = types[name] else { throw SessionError.noSuchModel(name, expected: modelNames) }
    let owner: Credential
    let newKey: String?
    if let credential, store.knows(credential) {
      (owner, newKey) = (credential, nil)
    } else {
      let key = randomness.base64URL(bytes: 32)
      (owner, newKey) = (Credential(hashing: key), key)
    }
    switch store.prospect(for: owner, request) {
    case .done: break
    case .isOpen(let session): return Opened(session: session, newKey: nil)
    case .refused(let error): throw error
    }
    let nextCheck = now() + configuration.idleTime
    // What opens a session may come from anybody: it is tried again in a while.
    if configuration.workNotes?.isPoisoned(rest: .seconds(60)) == true { throw SessionError.poisoned }
    let model = try type.make()
    let length = model.stateLength
    guard length <= configuration.maxStateBytes else {
      model.close()
      throw SurfaceError.stateTooLong(length: length, limit: configuration.maxStateBytes)
    }
    let session = Session(
      id: randomness.base64URL(bytes: 16), modelName: name, owner: owner, opening: request, epoch: randomness.word(),
      model: model, services: services, meters: meters, nextCheck: nextCheck)
    switch store.insert(session, checkAt: nextCheck) {
    case .done:
      session.submit { $0.settleIn() }
      return Opened(session: session, newKey: newKey)
    // Others came first while the view model was made, which is dropped before anybody has seen it.
    case .isOpen(let first):
      session.submit { $0.end(.closed(by: nil)) }
      return Opened(session: first, newKey: nil)
    case .refused(let error):
      session.submit { $0.end(.closed(by: nil)) }
      throw error
    }
  }

  /// Whether the credential is a client's: of a session that lives, or that is remembered as closed.
  public func knows(_ credential: Credential) -> Bool { store.knows(credential) }

  public enum Found: Sendable {
    case session(Session)
    /// The caller owned it and closed it, by a request with this key.
    case closed(by: KeyedRequest?)
    /// No such session, or not the caller's: one answer for both.
    case none
  }

  /// The session `id` of view model `name`, if `credential` is its owner's.
  public func find(_ name: String, _ id: String, as credential: Credential?) -> Found {
    // The same is done for a session that is there, for one that is another's and for none: what it takes tells nothing.
    let record = store.find(id)
    let (model, owner) =
      switch record {
      case .living(let session): (session.modelName, session.owner)
      case .closed(let closed): (closed.model, closed.owner)
      case .none: ("", Self.nobody)
      }
    let isOwner = owner == credential ?? Self.nobody
    let isNamed = model == name
    guard isOwner, isNamed, credential != nil else { return .none }
    return switch record {
    case .living(let session): .session(session)
    case .closed(let closed): .closed(by: closed.closing)
    case .none: .none
    }
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
    store.close(session, request, now: now())
    session.end(.closed(by: request))
  }

  /// Ends what has been idle for too long, and commands that took too long. To be called once a second or more often;
  /// costs what is due, not what there is.
  public func expire() {
    let now = now()
    for session in store.due(now: now) {
      session.submit { [configuration, store] isolated in
        switch isolated.look(now, idleTime: configuration.idleTime) {
        case .ignore: break
        case .keep(let instant): store.check(session, at: instant)
        case .end:
          isolated.end(.expired)
          store.remove(session)
        }
      }
    }
  }

  /// Each action that has held its session for more than 100 ms, once.
  ///
  /// To be called every 100 ms or so, and logged.
  public func overdueActions() -> [SessionReport] { services.watch.overdue(now: now()) }

  /// The number of living sessions.
  public var count: Int { store.count }
}
