// SPDX-License-Identifier: MIT
package import JSONPatching
import Locking
import ObservableCore
import Storing
import ViewModels

/// One living view model, its versions, and the readers that wait for its next version.
///
/// Its executor is its turn. A plain thread gets in with ``submit(_:then:)`` or ``apply(_:)``, without a task.
/// Asynchronous code gets in as into any actor (D4).
package final actor Session: TurnActor {
  nonisolated let facts: SessionFacts
  nonisolated let executor: SessionExecutor
  nonisolated let services: SessionServices
  nonisolated let counts: SessionCounts
  /// The session's place in the store; `nil` if it is not stored.
  nonisolated let keeping: Keeping?
  /// The use that the session's client makes of the server.
  nonisolated let use: ClientUse
  /// The guests of a room, as of the last revision; `nil` for a session that takes none.
  nonisolated let guests: Locked<GuestList>?

  let model: any HostedModel
  let runs = RunLedger()
  let followed = FollowedSequences()
  var revision: UInt64
  var readers = Readers()
  /// The clients that follow it; `nil` until the view model asks for them.
  var attendance: Attendance?
  var commandWaits = CommandWaits()
  /// The requests with a key that have been decided.
  var keys: SessionKeys
  let custody: Custody
  /// The database of the view model's actions; `nil` for a session that is not stored.
  let database: DatabaseTurn?
  let life: SessionLife
  let account: SessionAccount
  let turnWork = TurnWork()
  /// New keys that go with answers which have not been told yet.
  var grants: [PendingGrant] = []
  /// Whether each change and each command counts as a request that waits. Set in tests of view models.
  package var alwaysAnswers = false

  /// - Parameters:
  ///   - revision: its first revision in this epoch.
  ///   - keys: the requests with a key that have been decided; `nil` for none.
  ///   - use: its client's use of the server.
  ///   - bytes: the bytes that it is counted with.
  ///   - isUntouched: whether the store knows of no use; `nil` if that is so for a new session alone.
  init(
    _ facts: SessionFacts, revision: UInt64 = 1, keys: SessionKeys? = nil, use: ClientUse = ClientUse(),
    model: sending any HostedModel, bytes: Int = 0, services: SessionServices, counts: SessionCounts,
    keeping: Keeping? = nil, isUntouched: Bool? = nil, nextCheck: ContinuousClock.Instant
  ) {
    self.facts = facts
    self.revision = revision
    self.use = use
    self.services = services
    self.counts = counts
    self.keeping = keeping
    executor = SessionExecutor(for: model, pool: services.pool)
    self.model = model
    guests = model.context?.guestList.map { Locked($0.value) }
    let now = services.now()
    let custody = Custody(isNew: keeping?.isNew == true, isUntouched: isUntouched, lastUsed: now)
    self.custody = custody
    database = keeping.map { keeping in
      let (committer, durability) = (keeping.keeper.committer, keeping.durability)
      let limit = services.configuration.databaseTime
      return DatabaseTurn(gate: keeping.gate) { () throws(DatabaseFailure) in
        let session = HeldSession(facts.id, keeping.claim, lastNumber: custody.lastNumber)
        return try committer.begin(for: session, durability, within: limit)
      }
    }
    life = SessionLife(now: now, nextCheck: nextCheck)
    account = SessionAccount(bytes: bytes, now: now)
    self.keys = keys ?? SessionKeys(limits: services.configuration.keyLimits)
    // The executor stores from the first turn on, whichever request has that turn.
    executor.session = self
  }

  package nonisolated var id: String { facts.id }
  package nonisolated var modelName: String { facts.modelName }
  nonisolated var owner: Credential { facts.owner }
  package nonisolated var isRoom: Bool { facts.roomRule != nil }
  /// Whether the view model may ask for the user.
  package nonisolated var hasContext: Bool { facts.hasContext }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  package nonisolated func enqueue(step: @escaping @Sendable () -> Void, of run: ObjectIdentifier) {
    executor.enqueue(step: step, of: run)
  }

  /// The version of the state as the present reader is shown it.
  package var version: Version { Version(epoch: epoch, revision: revision) }

  /// The epoch of the session, and in a room the view of the present reader. A reader whose view has become another one,
  /// because its user has other roles, gets the whole state.
  var epoch: String {
    guard isRoom, let view = model.context?.roomView else { return facts.epoch }
    return facts.epoch + view.name
  }

  /// Has everything shown from here on to a client that uses the session.
  func show(to requester: Requester?) { if isRoom { model.context?.show(to: actor(requester?.found)) } }

  /// Does something for another reader than the present one, which has everything shown as before afterwards.
  func showing<Value>(to requester: Requester?, _ body: () -> Value) -> Value {
    guard isRoom, let context = model.context, let before = context.roomView else { return body() }
    defer { context.show(before) }
    context.show(to: actor(requester?.found))
    return body()
  }

  /// The answer to a client in a room that has another credential or user by now, or may not be there any more, so that it
  /// has to come again; `nil` for one that goes on. The rule is asked each time: what it looks at may have changed.
  func ending(for requester: Requester?) -> PollAnswer? {
    guard isRoom, let requester else { return nil }
    if !requester.isPresent { return comesAgain }
    // It has nothing to wait for: its credential is the same.
    return isAdmitted(requester) ? nil : .displaced(retryAfter: 0)
  }

  /// The parameters with which it was opened; `nil` if there were none, or its view model cannot ask for them.
  package var params: JSON? { model.context?.visitor.params }

  package func touch(_ now: ContinuousClock.Instant) { life.touch(now) }

  // MARK: Getting in

  /// Runs `body` in the session's turn. It runs here if the turn is free. Otherwise the thread that has the
  /// turn runs it next.
  ///
  /// - Parameters:
  ///   - requester: the client that asks for it; `nil` for none in particular.
  ///   - isEntering: whether `body` lets the client in, so that it need not be one of the room's yet.
  ///   - body: quick code, since it may run on a thread that reads requests.
  ///   - deliver: gets the result once the turn has been given back and everything that the result shows is
  ///     stored. Otherwise it gets the ``SessionError`` for which the result is not told. With
  ///     ``SessionError/left``, nothing was done.
  package nonisolated func submit<Value: Sendable>(
    from requester: Requester? = nil, isEntering: Bool = false,
    _ body: @escaping @Sendable (isolated Session) -> Value,
    then deliver: @escaping @Sendable (Result<Value, SessionError>) -> Void
  ) {
    executor.submit {
      self.assumeIsolated { session in
        guard session.arrive(), requester?.isPresent ?? true,
          isEntering || session.guests == nil || session.receives(requester)
        else { return session.executor.afterTurn { deliver(.failure(.left)) } }
        session.touch(session.services.now())
        session.show(to: requester)
        let value = body(session)
        session.tell { failure in deliver(failure.map { .failure($0.ofReading) } ?? .success(value)) }
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
    // A copy of which the store has refused a change is about to leave.
    if life.hasLeft || keeping?.gate.hasFailed == true { return false }
    if life.begin() {
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
