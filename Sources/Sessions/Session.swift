// SPDX-License-Identifier: MIT
import Metering
import ObservableCore
import ViewModels

/// One living view model, its versions, and the polls that wait for its next one.
///
/// An actor whose executor is its turn (D4): a plain thread gets in with ``enter(_:)``, without a task; asynchronous
/// code gets in as into any actor. What is to be sent is decided inside and sent after.
// `final`, or its methods are found through a table, and `enter` only in its general form.
public final actor Session {
  // What each action reaches comes first, as few cache lines as can be, and is what `takeFootprint` takes of it.
  //
  // Only who has the turn is at the variables, and no code of others runs while one of them is being changed: they go without
  // the runtime's exclusivity checks.

  /// Where that lies which an action reaches: made before anybody finds the session.
  @exclusivity(unchecked) private nonisolated(unsafe) var footprint = Footprint()
  public nonisolated let modelName: String
  /// The only credential that may use the session.
  nonisolated let owner: Credential
  nonisolated let executor: SessionExecutor
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  let model: any HostedModel
  nonisolated let services: SessionServices
  nonisolated let meters: ModelMeters
  /// What it has to do with the store; `nil` for one that is not stored.
  nonisolated let keeping: Keeping?
  let runs = RunLedger()
  nonisolated let epoch: String
  @exclusivity(unchecked) var revision: UInt64
  /// When a request last came in.
  @exclusivity(unchecked) private(set) var lastUsed: ContinuousClock.Instant
  /// What is left of the changes that requests may make.
  @exclusivity(unchecked) var allowance: TokenBucket
  @exclusivity(unchecked) private(set) var isClosed = false
  /// Set while a change is under way, which looks at its end what came of it.
  @exclusivity(unchecked) var isChanging = false
  /// Set while a look at what commands wrote is on its way.
  @exclusivity(unchecked) var isPublishing = false
  /// Set while the state is longer than it may be, which was reported.
  @exclusivity(unchecked) var hasTooLongState = false
  /// Set when something has changed that is to be stored.
  @exclusivity(unchecked) var isUnsaved: Bool
  /// Set once something of it was handed to the store.
  var wasHandedOver = false
  @exclusivity(unchecked) var actionWaits: [ActionWait] = []
  @exclusivity(unchecked) var waiters: [Waiter] = []

  // What some do, or none.

  nonisolated let sessionID: SessionID
  public nonisolated var id: String { sessionID.description }
  /// The request that opened it, if that has a key.
  nonisolated let opening: KeyedRequest?
  /// How it ended; `nil` while it lives.
  @exclusivity(unchecked) var ending: Ending? { didSet { isClosed = ending != nil } }
  /// The requests with a key that were decided.
  var keys: KeyMemory
  /// When the host looks at the session next; what comes from it earlier is out of date.
  var nextCheck: ContinuousClock.Instant
  /// The last use that the store knows of.
  var storedUse: ContinuousClock.Instant
  /// What is to be told when what the turn has done is stored.
  var outputs: [OutputGate.Output] = []

  /// - Parameters:
  ///   - revision: the first that it has in this epoch.
  ///   - keys: `nil` for none.
  init(
    id: String, modelName: String, owner: Credential, opening: KeyedRequest?, epoch: String, revision: UInt64 = 1,
    keys: KeyMemory? = nil, model: sending any HostedModel, services: SessionServices, meters: ModelMeters,
    keeping: Keeping? = nil, nextCheck: ContinuousClock.Instant
  ) {
    // The host made the id, or has looked at one that was stored. Not preconditionFailure, which says nothing in a release.
    guard let sessionID = SessionID(id) else { fatalError("the id of a session has at most 23 bytes") }
    self.sessionID = sessionID
    self.modelName = modelName
    self.owner = owner
    self.opening = opening
    self.epoch = epoch
    self.revision = revision
    self.services = services
    self.meters = meters
    self.keeping = keeping
    isUnsaved = keeping?.isNew == true
    executor = SessionExecutor(for: model)
    self.model = model
    let now = services.now()
    lastUsed = now
    storedUse = now
    allowance = TokenBucket(now: now)
    self.nextCheck = nextCheck
    self.keys = keys ?? KeyMemory(limits: services.keyLimits)
    // From the first turn on, whoever has it.
    if keeping != nil { executor.stored = SessionReference(self) }
    // Nobody has found it yet, so that this is a turn.
    isolated { $0.takeFootprint() }
  }

  /// How much of a session comes before what only some actions reach.
  private static let hotBytes = 272

  private func takeFootprint() {
    assert(hotEnd <= Self.hotBytes, "hotBytes is too little, as \(hotEnd) are reached")
    footprint.add(self, bytes: Self.hotBytes)
    executor.addFootprint(to: &footprint)
    footprint.add(runs)
    (model as? any HasFootprint)?.addFootprint(to: &footprint)
  }

  /// Where the last of the fields ends that each action reaches.
  private var hotEnd: Int {
    let start = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    return withUnsafeMutablePointer(to: &waiters) { UnsafeRawPointer($0 + 1) - start }
  }

  /// Asks for the memory that an action reaches from here on, without waiting for it.
  nonisolated func prefetch(_ stage: Footprint.Stage) { footprint.prefetch(stage) }

  /// To be told before the turn is taken for a change: it goes faster then.
  public nonisolated func willBeChanged() { prefetch(.entering) }

  public var version: Version { Version(epoch: epoch, revision: revision) }

  // MARK: Getting in

  /// What came of an attempt to get in.
  public enum Entry<Result: Sendable>: Sendable {
    /// Somebody else has the turn, and nothing was done.
    case busy
    /// The session is not in memory any more, and nothing was done: the host finds it again.
    case left
    case done(Result)
    /// It is done, and to be told when ``whenStored(_:)`` says so.
    case held(Result)
  }

  /// Runs `body` in the session's turn, here and now, if the turn is free.
  @inlinable  // so that nothing has to be found out about the type of the result at run time
  public nonisolated func enter<Result: Sendable>(
    _ body: @Sendable (isolated Session) -> Result
  ) -> Entry<Result> {
    guard takeTurn() else { return .busy }
    let result = isHere() ? isolated(body) : nil
    let isHeld = giveTurnBack()
    guard let result else { return .left }
    return isHeld ? .held(result) : .done(result)
  }

  /// The same of a function that captures nothing, so that no memory is asked for.
  ///
  /// - Parameter input: what it is called with.
  @inlinable
  public nonisolated func enter<Input, Result: Sendable>(
    with input: Input, _ body: @escaping @Sendable (isolated Session, Input) -> Result
  ) -> Entry<Result> {
    guard takeTurn() else { return .busy }
    let result = isHere() ? IsolatedWith(run: body).plain(self, input) : nil
    let isHeld = giveTurnBack()
    guard let result else { return .left }
    return isHeld ? .held(result) : .done(result)
  }

  @usableFromInline
  nonisolated func takeTurn() -> Bool { executor.tryEnter() }

  /// To be asked when the turn was taken.
  ///
  /// - Returns: whether it is in memory still; what a command's step wrote is published then.
  @usableFromInline
  nonisolated func isHere() -> Bool { Isolated { $0.arrive() }.plain(self) }

  private func arrive() -> Bool {
    if hasLeft { return false }
    catchUp()
    return true
  }

  /// - Returns: whether what was done is not stored yet.
  @usableFromInline
  nonisolated func giveTurnBack() -> Bool {
    executor.leave()
    return keeping?.gate.isOpen == false
  }

  /// Tells, once and somewhere, when everything is stored that the session has come to by now, or why it is not.
  public nonisolated func whenStored(_ tell: @escaping @Sendable (SessionError?) -> Void) {
    guard let keeping else { return tell(nil) }
    keeping.gate.pass(tell)
  }

  /// Whether the store has not answered for so long that nobody should wait for it.
  public nonisolated var isStuck: Bool { keeping?.gate.isStuck(services.now(), after: Self.patience) ?? false }

  /// Whether what it has come to is not stored yet, and may be.
  public nonisolated var isBeingStored: Bool { keeping?.gate.isWaiting ?? false }

  /// How long the store may take for a change.
  private static let patience: Duration = .seconds(10)

  /// Runs `body` in the session's turn: here if the turn is free, or else by whoever has it, when they are done.
  ///
  /// - Parameter deliver: gets the result once the turn was given back and what it shows is stored, or the
  ///   ``SessionError`` for which it is not told; for ``SessionError/left`` nothing was done.
  public nonisolated func submit<Value: Sendable>(
    _ body: @escaping @Sendable (isolated Session) -> Value,
    then deliver: @escaping @Sendable (Result<Value, SessionError>) -> Void
  ) {
    executor.submit {
      self.inTurn { session in
        guard session.arrive() else { return session.executor.afterTurn { deliver(.failure(.left)) } }
        let value = body(session)
        session.tell { failure in deliver(failure.map { .failure($0) } ?? .success(value)) }
      }
    }
  }

  /// Runs `body` in the session's turn, as above, whether it is in memory any more or not; nobody is told.
  ///
  /// - Parameter done: called after the turn, when what it has changed is on its way to the store.
  public nonisolated func submit(
    _ body: @escaping @Sendable (isolated Session) -> Void, afterTurn done: (@Sendable () -> Void)? = nil
  ) {
    executor.submit {
      self.inTurn { session in
        session.catchUp()
        body(session)
        if let done { session.executor.afterTurn(done) }
      }
    }
  }

  public func touch(_ now: ContinuousClock.Instant) { lastUsed = now }
}
