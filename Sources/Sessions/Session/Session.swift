// SPDX-License-Identifier: MIT
import ObservableCore
import Synchronization
import ViewModels

/// One living view model, its versions, and the readers that wait for its next version.
///
/// Its executor is its turn. A plain thread gets in with ``submit(_:then:)`` or ``apply(_:)``, without a task.
/// Asynchronous code gets in as into any actor (D4).
package final actor Session: TurnActor {
  package nonisolated let id: String
  package nonisolated let modelName: String
  /// The owner: the credential that its client came with, or the one for a user's own sessions.
  nonisolated let owner: Credential
  /// The request that opened the session, if it has a key.
  nonisolated let opening: KeyedRequest?
  nonisolated let epoch: String
  nonisolated let executor: SessionExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  package nonisolated func enqueue(step: @escaping @Sendable () -> Void, of run: ObjectIdentifier) {
    executor.enqueue(step: step, of: run)
  }
  nonisolated let services: SessionServices
  nonisolated let counts: SessionCounts
  /// Whether each answer waits for the commands that its request starts.
  nonisolated let awaitsCommands: Bool
  /// The session's part in the store; `nil` if it is not stored.
  nonisolated let keeping: Keeping?

  let model: any HostedModel
  /// Whether the view model may ask for the user.
  package nonisolated let hasContext: Bool
  let runs = RunLedger()
  let followed = FollowedSequences()
  var revision: UInt64
  /// The requests with a key that have been decided.
  var keys: KeyMemory
  /// The number of changes that requests may still make.
  var allowance: TokenBucket
  /// The use that the session's client makes of the server.
  nonisolated let use: ClientUse
  /// The network that the session was opened from.
  nonisolated let network: ClientNetwork
  /// The id of the user who opened the session, which ends when that user goes. `nil` if nobody had signed in,
  /// and for a user's own session.
  nonisolated let openedBy: String?
  /// The reason why the state was not allowed to grow at the last change; `nil` if it was, for all that others have.
  var shortage: SessionError?
  /// The bytes that the session was last counted with.
  var countedBytes: Int
  var waiters: [WaitingPlace] = []
  var commandWaits: [CommandWait] = []

  /// The time when a request last came in. `storedUse` is the last such time that the store knows of.
  private(set) var lastUsed: ContinuousClock.Instant
  var storedUse: ContinuousClock.Instant
  /// The last use of a session that was loaded for a timer. Without a newer use it leaves memory again.
  var useBeforeTimers: ContinuousClock.Instant?
  /// The time of the host's next look at the session. An earlier look is out of date.
  var nextCheck: ContinuousClock.Instant
  /// The session's end; `nil` while it lives.
  var ending: Ending?
  var isClosed: Bool { ending != nil }

  /// Set once the view model knows where it lives.
  private var isSettled = false
  /// Set while a change is under way. The change publishes its writes at its end.
  var isChanging = false
  /// Set while changes are made whose actions have all proved quick (``Pace``).
  var isProven = false
  /// The code that has the turn; `nil` where its time is not counted.
  var present: PresentWork?
  /// The code whose writes are being published after its turn; `nil` while no publishing is on its way.
  var publishing: TimedWork?
  /// Set while the state is longer than it may be. That was reported.
  var hasTooLongState = false
  /// Set when something has changed that has to be stored.
  var isUnsaved: Bool
  /// Set while the store has the session as one that no request has found since its opening.
  var isUntouched: Bool
  /// Set once a part of the session was handed to the store.
  var wasHandedOver = false
  /// The number by which the committer knows the last change; 0 before the first.
  var lastChange: UInt64 = 0
  /// Set while the store has lost changes, so that the next change has to have all parts.
  var isStoreBehind = false
  /// The number, at the gate, of the last change that had all parts for that reason; 0 if none had.
  var lastWholeChange: UInt64 = 0
  /// The request whose changes are being made.
  var changingRequest: ChangeRequest?
  /// Grows when the client's credential or user changes. A request that found the session before that is
  /// handled anew.
  nonisolated let credentialNumber = Atomic<UInt32>(0)
  /// Whether each change and each command counts as a request that waits. Set in tests of view models.
  package var alwaysAnswers = false
  /// New keys that go with answers which have not been told yet.
  var grants: [PendingGrant] = []
  /// The outputs that are told when the changes of this turn are stored.
  var outputs: [@Sendable (SessionError?) -> Void] = []

  /// - Parameters:
  ///   - revision: its first revision in this epoch.
  ///   - keys: the requests with a key that have been decided; `nil` for none.
  ///   - use: its client's use of the server.
  ///   - bytes: the bytes that it is counted with.
  ///   - isUntouched: whether the store knows of no use; `nil` if that is so for a new session alone.
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
    // The executor stores from the first turn on, whichever request has that turn.
    executor.session = self
  }

  package var version: Version { Version(epoch: epoch, revision: revision) }

  package func touch(_ now: ContinuousClock.Instant) { lastUsed = now }

  // MARK: Getting in

  /// Runs `body` in the session's turn. It runs here if the turn is free. Otherwise the thread that has the
  /// turn runs it next.
  ///
  /// - Parameters:
  ///   - requester: the client that asks for it; `nil` for none in particular.
  ///   - body: quick code, since it may run on a thread that reads requests.
  ///   - deliver: gets the result once the turn has been given back and everything that the result shows is
  ///     stored. Otherwise it gets the ``SessionError`` for which the result is not told. With
  ///     ``SessionError/left``, nothing was done.
  package nonisolated func submit<Value: Sendable>(
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

  /// Runs `body` in the session's turn, as above, even if the session has left memory. No result is told.
  ///
  /// - Parameter done: called after the turn, when the turn's changes are on their way to the store.
  package nonisolated func submit(
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

  /// Prepares the session for a request. A new view model settles in, and the writes of a command's step are
  /// published.
  ///
  /// - Returns: whether the session is still in memory. If not, the host has to find it again.
  func arrive() -> Bool {
    if hasLeft { return false }
    if !isSettled {
      isSettled = true
      let began = services.now()
      settleIn()
      // The commands that `init` has executed have begun. Their first part counts as part of the making.
      services.pace.noteMaking(modelName, took: services.now() - began)
    }
    catchUp()
    return true
  }

  // MARK: The store's delay

  /// Whether the store has not answered for so long that no client should wait for it.
  package nonisolated var isStuck: Bool { keeping?.gate.isStuck(services.now(), after: Self.patience) ?? false }

  /// Whether some changes are not stored yet, but may still be.
  package nonisolated var isBeingStored: Bool { keeping?.gate.isWaiting ?? false }

  /// The time that the store may take for a change.
  private static let patience: Duration = .seconds(10)
}

extension Session {
  /// Calls `tell` when everything that waits for the turn now is done, and everything that it leads to.
  package nonisolated func whenIdle(_ tell: @escaping @Sendable () -> Void) {
    // This runs in the pool, where a thread keeps the turn while a job waits.
    executor.submit(.slow) { [executor] in executor.afterTurn(tell) }
  }
}
