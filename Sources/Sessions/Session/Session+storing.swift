// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Storing
import ViewModels

/// The part of a session that deals with the store. A turn that has changed the session hands over its new
/// record. The answers of that turn are told when the record is stored.
extension Session {
  struct Keeping: Sendable {
    let keeper: SessionKeeper
    let claim: SessionClaim
    let durability: Durability
    let schema: UInt32
    let databaseActions: DatabaseActions
    /// The number of the network that the session was opened from.
    let network: Int64
    /// Whether it is a user's own session.
    let isOfUser: Bool
    /// Whether the store does not know the session yet.
    let isNew: Bool
    let gate: OutputGate

    init(
      _ keeper: SessionKeeper, _ claim: SessionClaim, _ durability: Durability, schema: UInt32,
      databaseActions: DatabaseActions = .init(), from network: Int64 = 0, isOfUser: Bool = false, isNew: Bool
    ) {
      self.keeper = keeper
      self.claim = claim
      self.durability = durability
      self.schema = schema
      self.databaseActions = databaseActions
      (self.network, self.isOfUser) = (network, isOfUser)
      self.isNew = isNew
      gate = OutputGate(begun: isNew ? 1 : 0)
    }
  }

  /// Tells an output when the changes of the turn are stored. If the session is not stored, the output is told
  /// after the turn.
  func tell(_ output: @escaping OutputGate.Output) {
    if keeping == nil { executor.afterTurn { output(nil) } } else { custody.hold(output) }
  }

  /// Hands over the changes of the turn to the store. To be called at the end of the turn.
  func store() {
    guard let keeping else { return }
    if custody.isUnsaved {
      custody.isUnsaved = false
      if let content = storedContent {
        // The texts that are stored and not shown are known now.
        count()
        commit(content, keeping)
      }
    }
    database?.rollBack()
    let outputs = custody.takeOutputs()
    if outputs.isEmpty { return }
    let last = keeping.gate.last
    executor.afterTurn { for output in outputs { keeping.gate.pass(output, after: last) } }
  }

  private func commit(_ content: StoreChange.Content, _ keeping: Keeping) {
    let isFirst = custody.next == .first
    // The gate of a new session was shut from the beginning.
    let number = isFirst ? 1 : keeping.gate.begin(services.now())
    let (isNew, since) = custody.handOver(number, lastUsed: life.lastUsed)
    // This happens in the turn, since the store must get the changes in the order in which they were made.
    var change = StoreChange(id, keeping.claim, isNew: isNew, content, since: since)
    change.told = custody.takeTold()
    if let transaction = database?.take() {
      let (handedOver, outcome) = keeping.keeper.committer.commit(change, in: transaction)
      custody.noteHandedOver(as: handedOver)
      return wasCommitted(number, SessionError(outcome))
    }
    let handedOver = keeping.keeper.committer.commit(change, keeping.durability) { [told = change.told] outcome in
      if case .behind = outcome {
        self.services.pool.run(isSlow: false) {
          self.submit { session in
            session.custody.add(told: told)
            session.storeWhole(insteadOf: number)
          }
        }
      } else {
        // Another request has opened the session first, at another server. Nobody was told of this one.
        let isUnknown = isFirst && outcome == .fenced
        self.wasCommitted(number, isUnknown ? .left : SessionError(outcome))
      }
    }
    custody.noteHandedOver(as: handedOver)
  }

  /// Stores the session once more, with all its parts, as the store has lost changes that a change builds on. The
  /// answers that wait for that change wait for the new one.
  private func storeWhole(insteadOf number: UInt64) {
    if hasLeft { return wasCommitted(number, SessionError(.behind)) }
    if custody.noteLoss(at: number) { services.report(.storeWasBehind(session: id)) }
  }

  private nonisolated func wasCommitted(_ number: UInt64, _ failure: SessionError?) {
    guard let keeping else { return }
    let (tell, isFirstFailure) = keeping.gate.end(number, failure, services.now())
    // The copy is taken out before its clients are told, so that their next requests find the session as it is
    // stored.
    if isFirstFailure { services.didLeave(self, !(keeping.isNew && number == 1)) }
    if let failure, isFirstFailure { services.pool.run(isSlow: false) { self.submit { $0.leave(failure) } } }
    // A store that refuses at once calls back within the turn.
    if executor.isIsolatingCurrentContext() == true { executor.afterTurn { tell() } } else { tell() }
  }

  private var storedContent: StoreChange.Content? {
    switch life.ending {
    case nil: .record(record)
    case .closed(let closing): .closed(closed(by: closing))
    case .expired, .signedOut: .removed
    case .left: nil
    }
  }

  /// The record of the session as it is now.
  private var record: SessionRecord {
    var writer = JSONWriter(capacity: 512)
    let parts = model.writeStoredMain(isWhole: custody.isWhole, to: &writer)
    let moment = services.moment()
    if custody.isUntouched { custody.isUntouched = !services.isUsed(id) }
    let used = moment.milliseconds(life.lastUsed) / 1_000
    let isUntouched = custody.isUntouched
    return SessionRecord(
      id: id, model: modelName, owner: owner, opening: facts.opening, revision: revision, schema: keeping?.schema ?? 0,
      state: writer.bytes, parts: parts, partCount: model.storedPartCount, partBytes: model.storedPartBytes,
      keys: keys.encoded(at: moment), lastUsed: isUntouched ? -used : used, context: storedContext(at: moment),
      wakesAt: isUntouched ? nil : model.context?.nextTimer(at: moment).map { moment.time(of: $0).milliseconds },
      network: keeping?.network ?? 0,
      isOfUser: keeping?.isOfUser == true || facts.openedBy != nil || model.context?.user.value != nil)
  }

  private func storedContext(at moment: Moment) -> [UInt8]? {
    if model.context == nil, facts.openedBy == nil { return nil }
    var json = (model.context?.visitor ?? Visitor()).json
    json[SessionRecord.openedByName] = facts.openedBy.map { .string($0) }
    json[SessionRecord.membersName] = model.context?.membersToStore
    json[SessionRecord.guestsName] = model.context?.guestList.flatMap { $0.value.isEmpty ? nil : $0.value.json }
    json[SessionRecord.offersName] = model.context.flatMap { $0.offered.isEmpty ? nil : $0.offered.json }
    json[SessionRecord.timersName] = model.context?.storedTimers(at: moment)
    return JSON.text(of: json)
  }

  private func closed(by closing: Closing) -> ClosedSession {
    ClosedSession(
      id: id, model: modelName, owner: owner, opening: facts.opening, closing: closing,
      until: ClosedSession.until(closedAt: services.moment()))
  }

  // MARK: Leaving memory

  /// Leaves memory when everything is stored, unless a request has come meanwhile.
  ///
  /// - Parameter evenIfUsed: whether the session leaves even if a request has come, once everything is stored
  ///   again.
  func leaveWhenStored(evenIfUsed: Bool = false) {
    // The last use is stored too: the store keeps the session by it.
    if life.lastUsed > custody.storedUse || custody.isUntouched { custody.isUnsaved = true }
    let use = life.lastUsed
    tell { failure in
      guard failure == nil else { return }
      self.services.pool.run(isSlow: false) {
        self.submit { session in
          // It may have ended meanwhile, and is remembered as that.
          if session.isClosed { return }
          if evenIfUsed { session.releaseReaders() }
          if evenIfUsed || session.life.lastUsed == use, session.isIdle, !session.custody.isUnsaved {
            session.leave(nil)
          }
        }
      }
    }
  }

  /// Whether nothing is under way in the session, and no reader waits.
  var isIdle: Bool { readers.isEmpty && commandWaits.isEmpty && !isExecuting }

  /// Drops the copy in memory. The session lives on in the store, with the changes of this turn if the store
  /// takes them.
  ///
  /// - Parameter failure: the reason, if a change was not stored.
  func leave(_ failure: SessionError?) {
    if !hasLeft {
      // An earlier job of this turn may have changed the session. Its answer waits for the store's word, as ever:
      // the store knows whether the change still counts.
      store()
      // A session whose end was not stored has not ended.
      if isClosed { life.end(.left(failure)) } else { end(.left(failure)) }
      services.didLeave(self, true)
    }
    // A change that the store refuses after the session has left leads here again.
    if let keeping { keeping.keeper.committer.release(id, keeping.claim) }
  }
}

extension SessionError {
  /// The reason to tell a request that waits for a command when the session leaves memory: its own change may be stored.
  static let interrupted = storeUnavailable(
    """
    the session left this server's memory, which interrupts its commands; what was asked for may have been applied: ask for \
    the state, or send the request once more with the same Idempotency-Key
    """)

  /// The reason why the answers to a change are not told; `nil` if they are told.
  init?(_ outcome: CommitOutcome) {
    switch outcome {
    case .durable: return nil
    case .fenced:
      self = .storeUnavailable(
        """
        this server does not have the session any more: another one has taken it over, or it has ended; what was asked for may \
        have been applied before that: ask for the state, or send the request once more with the same Idempotency-Key
        """)
    case .behind:
      self = .storeUnavailable(
        "the session store has lost the last changes of the session; expected the request once more, with the same Idempotency-Key"
      )
    case .refused(let error), .unknown(let error): self.init(error)
    }
  }

  /// The client does not get the store's own text, since it names files. The log has it.
  init(_ error: StoreError) {
    switch error.kind {
    case .full:
      self = .storeFull(
        "the session store has no room for it, so nothing was applied; the server's log has the reason under this id")
    case .stopped:
      self = .storeUnavailable(
        "the session store is being closed, as the server stops; expected the request once more, anew")
    case .conflict: self = .conflict
    case .held, .newer, .foreign, .damaged, .unavailable:
      self = .storeUnavailable("the session store cannot be used now; the server's log has the reason under this id")
    }
  }
}
