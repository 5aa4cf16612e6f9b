// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// The part of a stored session that deals with the store: each turn that has changed something hands over what the session has
/// become, and what it decided to tell is told when that is stored.
extension Session {
  struct Keeping: Sendable {
    let keeper: SessionKeeper
    let claim: SessionClaim
    let durability: Durability
    let schema: UInt32
    /// Whether the store does not know the session yet.
    let isNew: Bool
    let gate: OutputGate

    init(
      _ keeper: SessionKeeper, _ claim: SessionClaim, _ durability: Durability, schema: UInt32, isNew: Bool
    ) {
      self.keeper = keeper
      self.claim = claim
      self.durability = durability
      self.schema = schema
      self.isNew = isNew
      gate = OutputGate(begun: isNew ? 1 : 0)
    }
  }

  /// Has something told when the changes of the turn are stored; where nothing is stored, after the turn.
  func tell(_ output: @escaping OutputGate.Output) {
    if keeping == nil { executor.afterTurn { output(nil) } } else { outputs.append(output) }
  }

  /// Hands over the changes of the turn, at its end.
  func store() {
    guard let keeping else { return }
    if isUnsaved {
      isUnsaved = false
      if let content = storedContent { commit(content, keeping) }
    }
    if outputs.isEmpty { return }
    executor.afterTurn { [outputs] in for output in outputs { keeping.gate.pass(output) } }
    outputs = []
  }

  private func commit(_ content: StoreChange.Content, _ keeping: Keeping) {
    let isFirst = keeping.isNew && !wasHandedOver
    wasHandedOver = true
    storedUse = lastUsed
    // The gate of a new one was shut from the beginning.
    let number = isFirst ? 1 : keeping.gate.begin(services.now())
    // In the turn: the store must get them in the order in which they were made.
    keeping.keeper.committer.commit(StoreChange(id, keeping.claim, isNew: isFirst, content), keeping.durability) {
      self.wasCommitted(number, SessionError($0))
    }
  }

  private nonisolated func wasCommitted(_ number: UInt64, _ failure: SessionError?) {
    guard let keeping else { return }
    let (tell, isFirstFailure) = keeping.gate.end(number, failure, services.now())
    // Not found any more before its clients are told: their next requests find the session as it is stored.
    if isFirstFailure { services.didLeave(self) }
    // A store that refuses at once does so in the turn.
    if executor.isIsolatingCurrentContext() == true { executor.afterTurn { tell() } } else { tell() }
    if let failure, isFirstFailure { services.pool.run(isSlow: false) { self.submit { $0.leave(failure) } } }
  }

  private var storedContent: StoreChange.Content? {
    switch ending {
    case nil: .record(record)
    case .closed(let closing): .closed(closed(by: closing))
    case .expired, .signedOut: .removed
    case .left: nil
    }
  }

  /// The session as it is now.
  private var record: SessionRecord {
    var writer = JSONWriter(capacity: 512)
    let parts = model.writeStoredMain(to: &writer)
    let moment = services.moment()
    if isUntouched { isUntouched = !services.isUsed(id) }
    let used = moment.milliseconds(lastUsed) / 1_000
    return SessionRecord(
      id: id, model: modelName, owner: owner, opening: opening, revision: revision, schema: keeping?.schema ?? 0,
      state: writer.bytes, parts: parts, partCount: model.storedPartCount, keys: keys.encoded(at: moment),
      lastUsed: isUntouched ? -used : used, context: storedContext,
      wakesAt: isUntouched ? nil : model.context?.nextTimer?.milliseconds)
  }

  /// The name of ``openedBy`` in a stored context.
  static let openedByName = "openedBy"
  /// The name of the timers in a stored context.
  static let timersName = "timers"

  private var storedContext: [UInt8]? {
    if model.context == nil, openedBy == nil { return nil }
    var json = (model.context?.visitor ?? Visitor()).json
    json[Self.openedByName] = openedBy.map { .string($0) }
    json[Self.timersName] = model.context?.storedTimers
    return JSON.text(of: json)
  }

  private func closed(by closing: Closing) -> ClosedSession {
    ClosedSession(
      id: id, model: modelName, owner: owner, opening: opening, closing: closing,
      until: ClosedSession.until(closedAt: services.moment()))
  }

  // MARK: Leaving memory

  /// Leaves memory, if everything is stored by then and nobody has come meanwhile.
  ///
  /// - Parameter evenIfUsed: whether it does so as well if somebody has come, and all is stored again.
  func leaveWhenStored(evenIfUsed: Bool = false) {
    // With the last use, by which it is kept.
    if lastUsed > storedUse || isUntouched { isUnsaved = true }
    let use = lastUsed
    tell { failure in
      guard failure == nil else { return }
      self.services.pool.run(isSlow: false) {
        self.submit { session in
          if evenIfUsed { session.releaseReaders() }
          if evenIfUsed || session.lastUsed == use, session.isIdle, !session.isUnsaved { session.leave(nil) }
        }
      }
    }
  }

  /// Whether nothing is under way in it and nobody waits.
  var isIdle: Bool { waiters.isEmpty && commandWaits.isEmpty && !isExecuting }

  /// Drops the copy in memory: the session lives on in the store, as it was stored last.
  ///
  /// - Parameter failure: why it has to, if something was not stored.
  func leave(_ failure: SessionError?) {
    if hasLeft { return }
    // One that ended, and whose end was not stored, has not.
    if ending != nil { ending = .left(failure) } else { end(.left(failure)) }
    if let keeping { keeping.keeper.committer.release(id, keeping.claim) }
    services.didLeave(self)
  }
}

extension SessionError {
  /// The reason why a commit's outcome is not to be told; `nil` if it is.
  init?(_ outcome: CommitOutcome) {
    switch outcome {
    case .durable: return nil
    case .fenced:
      self = .storeUnavailable(
        """
        another server has taken over the session; what was asked for may have been applied before that: ask for the state, or \
        send the request once more with the same Idempotency-Key
        """)
    case .refused(let error), .unknown(let error): self.init(error)
    }
  }

  /// The store's own text is for the log, which has it: it names files.
  init(_ error: StoreError) {
    switch error.kind {
    case .full:
      self = .storeFull(
        "the session store has no room for it, so nothing was applied; the server's log has the reason under this id")
    case .stopped:
      self = .storeUnavailable(
        "the session store is being closed, as the server stops; expected the request once more, anew")
    case .held, .newer, .foreign, .damaged, .unavailable:
      self = .storeUnavailable("the session store cannot be used now; the server's log has the reason under this id")
    }
  }
}
