// SPDX-License-Identifier: MIT
public import JSONPatching
import Metering
import ObservableCore
import ViewModels

/// One living view model, its versions, and the polls that wait for its next one.
///
/// An actor whose executor is its turn (D4): a plain thread gets in with ``enter(_:)``, without a task; asynchronous
/// code gets in as into any actor. What is to be sent is decided inside and sent after.
public actor Session {
  public nonisolated let id: String
  public nonisolated let modelName: String
  /// The only credential that may use the session.
  nonisolated let owner: Credential
  /// The request that opened it, if that has a key.
  nonisolated let opening: KeyedRequest?
  nonisolated let executor: SessionExecutor
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let model: any HostedModel
  nonisolated let epoch: String
  var revision: UInt64 = 1
  /// How it ended; `nil` while it lives.
  private(set) var ending: Ending?
  var isClosed: Bool { ending != nil }
  /// Set while a change is under way, which looks at its end what came of it.
  private var isChanging = false
  /// Set while a look at what commands wrote is on its way.
  private var isPublishing = false

  let services: SessionServices
  nonisolated let meters: ModelMeters
  /// What is left of the changes that requests may make.
  var allowance: TokenBucket
  /// Set while the state is longer than it may be, which was reported.
  var hasTooLongState = false
  let runs = RunLedger()
  var actionWaits: [ActionWait] = []
  /// The requests with a key that were decided.
  var keys: KeyMemory
  var waiters: [Waiter] = []
  /// When a request last came in.
  private(set) var lastUsed: ContinuousClock.Instant
  /// When the host looks at the session next; what comes from it earlier is out of date.
  private(set) var nextCheck: ContinuousClock.Instant

  init(
    id: String, modelName: String, owner: Credential, opening: KeyedRequest?, epoch: String,
    model: sending any HostedModel, services: SessionServices, meters: ModelMeters,
    nextCheck: ContinuousClock.Instant
  ) {
    self.id = id
    self.modelName = modelName
    self.owner = owner
    self.opening = opening
    self.epoch = epoch
    self.services = services
    self.meters = meters
    executor = SessionExecutor(for: model)
    self.model = model
    let now = services.now()
    lastUsed = now
    allowance = TokenBucket(now: now)
    self.nextCheck = nextCheck
    keys = KeyMemory(limits: services.keyLimits)
  }

  public var version: Version { Version(epoch: epoch, revision: revision) }

  // MARK: Getting in

  /// Runs `body` in the session's turn, here and now, if the turn is free.
  ///
  /// - Returns: the result; `nil`, and nothing was done, if somebody else has the turn.
  public nonisolated func enter<Result: Sendable>(_ body: @Sendable (isolated Session) -> Result) -> Result? {
    guard executor.tryEnter() else { return nil }
    let result = assumeIsolated { body($0) }
    executor.leave()
    return result
  }

  /// Runs `body` in the session's turn: here if the turn is free, or else by whoever has it, when they are done.
  ///
  /// - Parameter deliver: gets the result once the turn was given back.
  public nonisolated func submit<Result: Sendable>(
    _ body: @escaping @Sendable (isolated Session) -> Result,
    then deliver: @escaping @Sendable (Result) -> Void = { (_: Result) in }
  ) {
    executor.submit {
      let result = self.assumeIsolated { body($0) }
      self.executor.afterTurn { deliver(result) }
    }
  }

  public func touch(_ now: ContinuousClock.Instant) { lastUsed = now }

  // MARK: Reverse flow

  /// Performs one action or starts a command, as one transaction and one revision.
  ///
  /// - Parameter path: a JSON Pointer's tokens, unescaped.
  /// - Returns: the frame from `since` or else from before the action.
  /// - Throws: ``SessionError``, `SurfaceError`, or what the view model threw; then nothing was changed.
  public func perform(_ path: [String], _ value: JSON?, since: Version?, ifMatch: Precondition?) throws -> Message {
    let (before, running) = try perform(path, value, ifMatch)
    return frame(since: since ?? before, result: running.isEmpty ? result(at: path) : Self.noResult)
  }

  /// Performs an action, and waits for the commands that it starts.
  ///
  /// - Parameter request: the one that asks for it, if it has a key; remembered from here on, if the waiter waits.
  /// - Returns: as `perform`; `nil` if the waiter waits, who gets that then.
  /// - Throws: as `perform`.
  public func perform(
    _ path: [String], _ value: JSON?, since: Version?, ifMatch: Precondition?, waiter: ActionWaiter,
    of request: KeyedRequest? = nil
  ) throws -> Message? {
    let (before, running) = try perform(path, value, ifMatch)
    if running.isEmpty { return frame(since: since ?? before, result: result(at: path)) }
    // A command's own run begins before any that it starts.
    actionWaits.append(
      ActionWait(
        readers: [waiter], request: request, since: since ?? before, results: .one(path, running.first),
        runs: Set(running)))
    if let request { rememberAtWork(request) }
    return nil
  }

  private func perform(
    _ path: [String], _ value: JSON?, _ ifMatch: Precondition?
  ) throws -> (before: Version, running: [UInt64]) {
    var before = version
    let running = try runs.begun { before = try change(path, ifMatch) { try model.perform(path, value) } }
    return (before, running)
  }

  /// Sets one two-way value, as one transaction and one revision.
  ///
  /// - Throws: as `perform`.
  public func assign(_ path: [String], _ value: JSON, since: Version?, ifMatch: Precondition?) throws -> Message {
    let before = try change(path, ifMatch) { try model.assign(path, value) }
    return frame(since: since ?? before, result: Self.noResult)
  }

  /// Cancels a command, as one transaction and one revision; one that is idle is left alone.
  ///
  /// - Throws: as `perform`.
  public func cancel(_ path: [String], since: Version?, ifMatch: Precondition?) throws -> Message {
    let before = try change(path, ifMatch) { try model.cancel(path) }
    return frame(since: since ?? before, result: Self.noResult)
  }

  /// - Throws: ``SessionError``, if the session has ended or its version is not the one that is expected.
  public func check(_ ifMatch: Precondition?) throws {
    try checkLiving()
    if let ifMatch, !ifMatch.isMet(by: version) { throw SessionError.versionMoved(version) }
  }

  /// - Returns: the version before the change.
  ///
  /// - Parameter count: how many changes the request asks for.
  func change(
    _ path: [String], _ ifMatch: Precondition?, count: Int = 1, _ body: () throws -> Void
  ) throws -> Version {
    try checkLiving()
    try admit(count)
    try check(ifMatch)
    let before = version
    isChanging = true
    // Of one that throws too: what its undoing wrote, or told outside the graph, is there.
    defer {
      isChanging = false
      publish()
      meters.actions.observe((services.now() - lastUsed) / .seconds(1))
    }
    try services.watch.during(path.joined(separator: "/"), of: modelName, since: lastUsed, body)
    return before
  }

  /// Makes a revision of what has changed, and answers who waits for it.
  private func publish() {
    if isClosed { return }
    if model.stamp(revision + 1) {
      revision += 1
      checkStateLength()
      wakeWaiters()
    }
    answerActions()
  }

  /// Has what is written outside a change published when the turn in which that happens is over.
  func publishLater() {
    if isChanging || isPublishing { return }
    isPublishing = true
    executor.afterTurn {
      self.submit { session in
        session.isPublishing = false
        session.publish()
      }
    }
  }

  // MARK: Forward flow

  /// Answers a poll that finds something newer than `since`, and keeps one that does not and may wait.
  ///
  /// A waiting poll beyond the limits releases the oldest of its credential, or of this session (newest wins).
  ///
  /// - Parameters:
  ///   - since: the version that the reader holds; `nil` for none.
  ///   - wantsSnapshot: whether the answer is the whole state rather than a frame.
  ///   - waiter: what is to be answered when something changes; `nil` if the poll does not wait.
  /// - Returns: the answer, or `nil` if the poll waits.
  public func poll(since: Version?, wantsSnapshot: Bool = false, waiter: Waiter? = nil) -> PollAnswer? {
    if isClosed { return .closed }
    guard let since, since == version else { return .changed(message(since: since, wantsSnapshot)) }
    guard let waiter else { return .unchanged }
    admit(waiter.asking(since: since, wantsSnapshot: wantsSnapshot))
    return nil
  }

  /// Takes in who waits, and has who has waited longest go if that is one too many.
  func admit(_ waiter: Waiter) {
    let limits = services.limits
    if waiters.count >= limits.perSession { release(waiters.removeFirst(), .displaced(retryAfter: limits.retryAfter)) }
    waiters.append(waiter)
    if let oldest = limits.admit(waiter.id, of: owner, in: self) {
      let displaced = PollAnswer.displaced(retryAfter: limits.retryAfter)
      executor.afterTurn { oldest.session.submit { $0.endWait(oldest.waiter, displaced) } }
    }
  }

  /// Ends a wait; one that is over already is left alone.
  ///
  /// - Parameter answer: what the reader gets; `nil` if there is no reader any more.
  public func endWait(_ waiter: Waiter.ID, _ answer: PollAnswer?) {
    guard let index = waiters.firstIndex(where: { $0.id == waiter }) else { return }
    release(waiters.remove(at: index), answer)
  }

  private func release(_ waiter: Waiter, _ answer: PollAnswer?) {
    services.limits.leave(waiter.id, of: owner)
    if case .displaced = answer { services.limits.noteDisplaced() }
    if let answer { executor.afterTurn { waiter.answer(answer) } }
  }

  private func wakeWaiters() {
    guard !waiters.isEmpty else { return }
    let woken = waiters
    waiters = []
    for waiter in woken {
      if waiter.follows {
        waiters.append(wakeFollower(waiter))
      } else {
        release(waiter, .changed(message(since: waiter.since, waiter.wantsSnapshot)))
      }
    }
  }

  private func message(since: Version?, _ wantsSnapshot: Bool) -> Message {
    wantsSnapshot ? document(url: nil) : frame(since: since)
  }

  // MARK: The host's look

  /// What is to be done with a session that was looked at.
  enum Verdict { case keep(until: ContinuousClock.Instant), end, ignore }

  /// Ends runs that took too long, and says whether the session has been idle for too long.
  func look(_ now: ContinuousClock.Instant, idleTime: Duration) -> Verdict {
    if isClosed || now < nextCheck { return .ignore }
    model.enter { for run in runs.overdue(now) { run.fail(with: CommandTimedOut(limit: services.commandLimit)) } }
    if waiters.isEmpty, actionWaits.isEmpty, lastUsed <= now - idleTime { return .end }
    let idle = max(lastUsed, now - idleTime) + idleTime
    nextCheck = min(idle, runs.nextDeadline ?? idle)
    return .keep(until: nextCheck)
  }

  /// Asks for a look at that instant, if there is none before.
  func look(noLaterThan instant: ContinuousClock.Instant) {
    guard instant < nextCheck else { return }
    nextCheck = instant
    services.check(self, instant)
  }

  // MARK: The end

  enum Ending {
    /// By its client, by a request with this key if it had one.
    case closed(by: KeyedRequest?)
    /// By itself, idle for too long: it is as if it had never been.
    case expired

    var error: SessionError {
      switch self {
      case .closed: .closed
      case .expired: .expired
      }
    }
  }

  /// - Throws: ``SessionError/closed`` or ``SessionError/expired``, if the session has ended.
  func checkLiving() throws {
    if let ending { throw ending.error }
  }

  /// Drops the view model and releases who waits; from here on everything is refused.
  func end(_ ending: Ending) {
    guard self.ending == nil else { return }
    self.ending = ending
    let released = waiters
    waiters = []
    for waiter in released { release(waiter, .closed) }
    for reader in actionWaits.flatMap(\.readers) { executor.afterTurn { reader.answer(.closed) } }
    actionWaits = []
    model.close()
  }
}
