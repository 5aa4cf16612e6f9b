// SPDX-License-Identifier: MIT
public import JSONPatching
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
  private nonisolated let executor = SessionExecutor()
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let model: any HostedModel
  nonisolated let epoch: String
  var revision: UInt64 = 1
  /// By output: the revision that last changed it, and the one that changed it before.
  var changedAt: [UInt64]
  var changedBefore: [UInt64]
  var isClosed = false
  /// Set while a change is under way, which looks at its end what came of it.
  private var isChanging = false

  private let limits: PollLimits
  private let watch: ActionWatch
  private var waiters: [Waiter] = []
  /// When a request last came in.
  private(set) var lastUsed: ContinuousClock.Instant

  init(
    id: String, modelName: String, owner: Credential, epoch: String, model: sending any HostedModel,
    limits: PollLimits, watch: ActionWatch, now: ContinuousClock.Instant
  ) {
    self.id = id
    self.modelName = modelName
    self.owner = owner
    self.epoch = epoch
    self.limits = limits
    self.watch = watch
    changedAt = Array(repeating: 1, count: model.labels.count)
    changedBefore = Array(repeating: 0, count: model.labels.count)
    self.model = model
    lastUsed = now
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

  /// Performs one action, as one transaction and one revision.
  ///
  /// - Throws: ``SessionError``, `SurfaceError`, or what the view model threw; then nothing was changed.
  public func perform(_ action: String, _ value: JSON?, since: Version?, ifMatch: Precondition?) throws -> Message {
    try change(action, since: since, ifMatch: ifMatch) { try model.perform(action, value) }
  }

  /// Sets one two-way value, as one transaction and one revision.
  ///
  /// - Throws: as `perform`.
  public func assign(_ name: String, _ value: JSON, since: Version?, ifMatch: Precondition?) throws -> Message {
    try change(name, since: since, ifMatch: ifMatch) { try model.assign(name, value) }
  }

  /// - Throws: ``SessionError``, if the session is closed or its version is not the one that is expected.
  public func check(_ ifMatch: Precondition?) throws {
    if isClosed { throw SessionError.closed }
    if let ifMatch, !ifMatch.isMet(by: version) { throw SessionError.versionMoved(version) }
  }

  private func change(
    _ name: String, since: Version?, ifMatch: Precondition?, _ body: () throws -> Void
  ) throws -> Message {
    try check(ifMatch)
    let before = version
    isChanging = true
    defer { isChanging = false }
    try watch.during(name, of: modelName, since: lastUsed, body)
    publish()
    return frame(since: since ?? before, result: true)
  }

  /// Makes a revision of what has changed, and answers who waits for it.
  private func publish() {
    let outputs = model.takeChanges()
    if outputs.isEmpty || isClosed { return }
    revision += 1
    for output in outputs {
      changedBefore[output] = changedAt[output]
      changedAt[output] = revision
    }
    wakeWaiters()
  }

  /// Tells the view model where it lives. What a command of it writes after a suspension is published when the turn in
  /// which that happens is over.
  func settleIn() {
    model.live(in: self) { [weak self] in self?.assumeIsolated { $0.publishLater() } }
  }

  private func publishLater() {
    if !isChanging { executor.afterTurn { self.submit { $0.publish() } } }
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
    if waiters.count >= limits.perSession { release(waiters.removeFirst(), .displaced(retryAfter: limits.retryAfter)) }
    waiters.append(waiter.asking(since: since, wantsSnapshot: wantsSnapshot))
    if let oldest = limits.admit(waiter.id, of: owner, in: self) {
      let displaced = PollAnswer.displaced(retryAfter: limits.retryAfter)
      executor.afterTurn { oldest.session.submit { $0.endWait(oldest.waiter, displaced) } }
    }
    return nil
  }

  /// Ends a wait; one that is over already is left alone.
  ///
  /// - Parameter answer: what the reader gets; `nil` if there is no reader any more.
  public func endWait(_ waiter: Waiter.ID, _ answer: PollAnswer?) {
    guard let index = waiters.firstIndex(where: { $0.id == waiter }) else { return }
    release(waiters.remove(at: index), answer)
  }

  private func release(_ waiter: Waiter, _ answer: PollAnswer?) {
    limits.leave(waiter.id, of: owner)
    if let answer { executor.afterTurn { waiter.answer(answer) } }
  }

  private func wakeWaiters() {
    guard !waiters.isEmpty else { return }
    let woken = waiters
    waiters = []
    for waiter in woken { release(waiter, .changed(message(since: waiter.since, waiter.wantsSnapshot))) }
  }

  private func message(since: Version?, _ wantsSnapshot: Bool) -> Message {
    wantsSnapshot ? document(url: nil) : frame(since: since)
  }

  // MARK: The end

  /// Whether nobody used the session since `instant` and nobody waits in it.
  func isIdle(since instant: ContinuousClock.Instant) -> Bool { waiters.isEmpty && lastUsed <= instant }

  /// Drops the view model and releases who waits; from here on everything is refused.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    let released = waiters
    waiters = []
    for waiter in released { release(waiter, .closed) }
    model.close()
  }
}
