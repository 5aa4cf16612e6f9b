// SPDX-License-Identifier: MIT
public import ObservableCore
import Synchronization
import ViewModels

/// One living view model, its versions, and the readers that wait for its next one.
///
/// An actor whose executor is its turn (D4): a plain thread gets in with ``submit(_:then:)`` or ``apply(_:)``, without a task;
/// asynchronous code gets in as into any actor.
public final actor Session: TurnActor {
  public nonisolated let id: String
  public nonisolated let modelName: String
  /// The only credential that may use the session.
  nonisolated let owner: Credential
  /// The request that opened it, if that has a key.
  nonisolated let opening: KeyedRequest?
  nonisolated let epoch: String
  nonisolated let executor: SessionExecutor
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  public nonisolated func enqueue(step: @escaping @Sendable () -> Void) { executor.enqueue(step: step) }
  nonisolated let services: SessionServices
  nonisolated let counts: SessionCounts
  /// Whether each answer waits for the commands that its request starts.
  nonisolated let awaitsCommands: Bool
  /// Its part in the store; `nil` for a session that is not stored.
  nonisolated let keeping: Keeping?

  let model: any HostedModel
  /// Whether the view model may ask who uses it.
  public nonisolated let hasContext: Bool
  let runs = RunLedger()
  var revision: UInt64
  /// The requests with a key that were decided.
  var keys: KeyMemory
  /// The changes that requests may still make.
  var allowance: TokenBucket
  /// The use that its client makes.
  nonisolated let use: ClientUse
  /// The network that it was opened from.
  nonisolated let network: ClientNetwork
  /// The id of the user who opened it: it ends when that user goes; `nil` for nobody, and for a user's own.
  nonisolated let openedBy: String?
  /// Whether the last change was to make the state no longer, as there is too little memory for all.
  var isMemoryScarce = false
  /// The bytes that it was counted with last.
  var countedBytes: Int
  var waiters: [WaitingPlace] = []
  var commandWaits: [CommandWait] = []

  /// The time when a request last came in, and the last such time that the store knows of.
  private(set) var lastUsed: ContinuousClock.Instant
  var storedUse: ContinuousClock.Instant
  /// The last use of a session that was loaded for a timer: it leaves memory again if there was none since.
  var useBeforeTimers: ContinuousClock.Instant?
  /// The time when the host looks at the session next; a look that comes earlier is out of date.
  var nextCheck: ContinuousClock.Instant
  /// Its end; `nil` while it lives.
  var ending: Ending?
  var isClosed: Bool { ending != nil }

  /// Set once the view model knows where it lives.
  private var isSettled = false
  /// Set while a change is under way, which publishes its writes at its end.
  var isChanging = false
  /// Set while the publishing of commands' writes is on its way.
  var isPublishing = false
  /// Set while the state is longer than it may be, which was reported.
  var hasTooLongState = false
  /// Set when something has changed that is to be stored.
  var isUnsaved: Bool
  /// Set while the store has it as one that no request has found since its opening.
  var isUntouched: Bool
  /// Set once something of it was handed to the store.
  var wasHandedOver = false
  /// The request whose changes are being made.
  var changingRequest: ChangeRequest?
  /// Grows when its client's credential or user becomes another: a request that found the session before is handled anew.
  nonisolated let identityNumber = Atomic<UInt32>(0)
  /// Whether each change and each command counts as a request that waits: in tests of view models.
  package var alwaysAnswers = false
  /// New keys that go with answers which have not been told.
  var grants: [PendingGrant] = []
  /// The outputs to be told when the changes of this turn are stored.
  var outputs: [OutputGate.Output] = []

  /// - Parameters:
  ///   - revision: The first that it has in this epoch.
  ///   - keys: `nil` for none.
  ///   - use: Its client's.
  ///   - bytes: It is counted with them.
  ///   - isUntouched: Whether the store knows of no use; `nil` for whether it is a new one.
  init(
    id: String, modelName: String, owner: Credential, opening: KeyedRequest?, epoch: String, revision: UInt64 = 1,
    keys: KeyMemory? = nil, use: ClientUse = ClientUse(), network: ClientNetwork = .unknown, openedBy: String? = nil,
    model: sending any HostedModel, bytes: Int = 0, services: SessionServices, counts: SessionCounts,
    awaitsCommands: Bool = false, keeping: Keeping? = nil, isUntouched: Bool? = nil, nextCheck: ContinuousClock.Instant
  ) {
    self.id = id
    self.modelName = modelName
    self.owner = owner
    self.opening = opening
    self.epoch = epoch
    self.revision = revision
    self.use = use
    self.network = network
    self.openedBy = openedBy
    countedBytes = bytes
    self.services = services
    self.counts = counts
    self.awaitsCommands = awaitsCommands
    self.keeping = keeping
    isUnsaved = keeping?.isNew == true
    self.isUntouched = isUntouched ?? (keeping?.isNew == true)
    executor = SessionExecutor(for: model, pool: services.pool)
    hasContext = model.context != nil
    self.model = model
    let now = services.now()
    lastUsed = now
    storedUse = now
    allowance = TokenBucket(now: now)
    self.nextCheck = nextCheck
    self.keys = keys ?? KeyMemory(limits: services.keyLimits)
    // The executor stores from the first turn on, whichever request has that.
    if keeping != nil { executor.stored = self }
  }

  public var version: Version { Version(epoch: epoch, revision: revision) }

  public func touch(_ now: ContinuousClock.Instant) { lastUsed = now }

  // MARK: Getting in

  /// Runs `body` in the session's turn: here if the turn is free, or else by the thread that has it, when that is done.
  ///
  /// - Parameters:
  ///   - requester: The client that asks for it; `nil` for none in particular.
  ///   - body: Quick code: it may run on a thread that reads requests.
  ///   - deliver: Gets the result once the turn was given back and everything that it shows is stored, or the
  ///     ``SessionError`` for which it is not told; for ``SessionError/left`` nothing was done.
  public nonisolated func submit<Value: Sendable>(
    from requester: Requester? = nil, _ body: @escaping @Sendable (isolated Session) -> Value,
    then deliver: @escaping @Sendable (Result<Value, SessionError>) -> Void
  ) {
    executor.submit {
      self.assumeIsolated { session in
        guard session.arrive(), session.admits(requester) else {
          return session.executor.afterTurn { deliver(.failure(.left)) }
        }
        session.touch(session.services.now())
        let value = body(session)
        session.tell { failure in deliver(failure.map { .failure($0) } ?? .success(value)) }
      }
    }
  }

  /// Runs `body` in the session's turn, as above, whether it is in memory any more or not; nobody is told.
  ///
  /// - Parameter done: Called after the turn, when its changes are on their way to the store.
  public nonisolated func submit(
    _ body: @escaping @Sendable (isolated Session) -> Void, afterTurn done: (@Sendable () -> Void)? = nil
  ) {
    executor.submit {
      self.assumeIsolated { session in
        session.catchUp()
        body(session)
        if let done { session.executor.afterTurn(done) }
      }
    }
  }

  /// The session as a request finds it: the writes of a command's step are published.
  ///
  /// - Returns: Whether it is in memory still; if not, the host finds it again.
  func arrive() -> Bool {
    if hasLeft { return false }
    if !isSettled {
      isSettled = true
      let began = services.now()
      settleIn()
      // Commands that the `init` has executed have begun: their first part belongs to the making.
      services.pace.noteMaking(modelName, took: services.now() - began)
    }
    catchUp()
    return true
  }

  // MARK: The store's delay

  /// Whether the store has not answered for so long that nobody should wait for it.
  public nonisolated var isStuck: Bool { keeping?.gate.isStuck(services.now(), after: Self.patience) ?? false }

  /// Whether changes are not stored yet, and may be.
  public nonisolated var isBeingStored: Bool { keeping?.gate.isWaiting ?? false }

  /// How long the store may take for a change.
  private static let patience: Duration = .seconds(10)
}
