// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Storing
import ViewModels

/// The error of a stored session that is not the room that its view model is hosted as.
private struct NotOfRoom: Error {}

/// Makes sessions again from their records.
extension SessionHost {
  /// Takes in the outcome of a claim: makes the session that was read again.
  func takeIn(
    _ id: String, _ outcome: ClaimOutcome, _ keeper: SessionKeeper, for reason: Loading, _ ownUser: User?
  ) -> Fetched {
    switch outcome {
    case .none: return .failed(.expired)
    case .elsewhere(let place):
      keeper.places.withLock { $0.note(id, at: place, now()) }
      return .elsewhere(Elsewhere(id, place, for: reason.client))
    case .failed(let error): return .failed(SessionError(error))
    case .setAside(let error):
      services.report(.setAside(reason: "\(error)"))
      return .failed(.expired)
    case .closed(let closed):
      table.remember(closed, now: services.moment())
      return .here
    case .held(let record, let claim):
      do throws(SessionError) {
        try takeIn(record, claim, keeper, for: reason, ownUser)
        return .here
      } catch {
        return .failed(error)
      }
    }
  }

  private func takeIn(
    _ record: SessionRecord, _ claim: SessionClaim, _ keeper: SessionKeeper, for reason: Loading, _ ownUser: User?
  ) throws(SessionError) {
    guard let (type, counts) = types[record.model] else {
      throw .noSuchModel(record.model, expected: modelNames)
    }
    let (isOfUser, isRoom) = (type.owner == .user, type.owner == .room)
    let (owner, asking) = (record.owner, reason.client)
    // The user may have signed in, signed out or got other roles meanwhile, so the stored user is not used.
    let present: @Sendable () -> User? = { [table] in
      if isRoom { return nil }
      return isOfUser ? table.user(ofOwn: owner, for: asking) ?? ownUser : table.user(of: owner)
    }
    let user = present()
    // The client that asks for a user's own session is not this user's.
    if isOfUser, user == nil {
      keeper.committer.release(record.id, claim)
      throw .expired
    }
    if reason.isTimers, isOverForTimers(record) {
      forget(record, claim, keeper)
      throw .expired
    }
    let moment = services.moment()
    let use = table.making(for: record.owner)
    defer { table.made(for: record.owner) }
    sweeps.withLock { $0.found(lastUsed: abs(record.lastUsed)) }
    let model: any HostedModel
    let keys: SessionKeys
    var openedBy: String?
    var roomRule: RoomRule?
    let params: JSON?
    do {
      keys = try SessionKeys(decoding: record.keys, limits: services.configuration.keyLimits, at: moment)
      let state = try record.stateJSON()
      let stored = try record.context.map { try JSONReader.read($0) }
      var visitor = stored.map { Visitor(stored: $0) } ?? Visitor()
      visitor.user = user
      // The program may have hosted the view model for one client, or a user, when it was stored.
      if isRoom, try record.owner != .ofRoom(record.model, type.normalParams(visitor.params)) { throw NotOfRoom() }
      if case .string(let id)? = stored?[SessionRecord.openedByName] { openedBy = id }
      if let openedBy, openedBy != user?.id { throw SessionError.signedOut }
      params = visitor.params
      if type.takesParams, let fault = type.faults(of: visitor.params).first { throw fault }
      var origin = SessionOrigin(
        id: record.id, client: record.owner.name, owner: type.owner, visitor: visitor)
      roomRule = type.roomRule(visitor.params)
      origin.timers = stored?[SessionRecord.timersName].map { Timers(stored: $0, at: moment) }
      if case .array(let members)? = stored?[SessionRecord.membersName] {
        origin.members = members.compactMap { SessionMember(stored: $0) }
      }
      if type.takesGuests {
        origin.guests = stored?[SessionRecord.guestsName].map { GuestList(stored: $0) } ?? GuestList()
      }
      if let offers = stored?[SessionRecord.offersName] { origin.offers = OfferedFiles(stored: offers) }
      origin.clock = services.moment
      origin.rooms = rooms(for: record.owner, use, from: reason.network)
      origin.topics = services.topics
      origin.spool = spool
      model = try making(record.model) { [origin] in
        try type.restore(state, schema: record.schema, for: origin)
      }
      model.noteStored(record.parts.put)
    } catch StoredStateError.newer(let found, let known) {
      // The record is left as it is.
      services.report(
        .restoringFailed(
          model: record.model,
          reason: "a later version of the program stored it, as schema \(found); this one knows \(known)"))
      throw .storeUnavailable(
        "the session was stored by a later version of the program; the server's log has more under this id")
    } catch is NotOfRoom {
      setAside(
        record, claim, keeper,
        "it is not the room of its parameters: it was stored for one client, or the type of the parameters has changed")
      throw .expired
    } catch SessionError.signedOut {
      // The session shows data of another user, or of one who has gone.
      forget(record, claim, keeper)
      throw .expired
    } catch is Poisoned {
      throw .poisoned
    } catch let error as ViewModelFailure {
      services.report(.restoringFailed(model: record.model, reason: "\(error)"))
      throw .storeUnavailable(
        "the session's view model cannot be made now; the server's log has the reason under this id")
    } catch {
      setAside(record, claim, keeper, "\(error)")
      throw .expired
    }
    // One of which no network is known counts for the one that asks for it.
    let network = record.network == 0 ? reason.network.number : record.network
    let keeping = keeping(of: type, params, keeper, claim, from: network, isNew: false)
    // The store has to learn soon that the session is used after all.
    let idleTime = configuration.idleTime
    let nextCheck = services.now() + (record.isUntouched ? min(idleTime, Self.patience) : idleTime)
    let bytes = model.memoryBytes + keys.bytes
    let facts = SessionFacts(
      id: record.id, modelName: record.model, owner: record.owner, opening: record.opening, epoch: randomness.word(),
      network: reason.network, openedBy: openedBy, params: params, roomRule: roomRule,
      hasContext: model.context != nil,
      awaitsCommands: type.awaitsCommands)
    let session = Session(
      facts, revision: record.revision, keys: keys, use: use, model: model, bytes: bytes, services: services,
      counts: counts, keeping: keeping, isUntouched: record.isUntouched, nextCheck: nextCheck)
    let refusal = Locked<SessionError?>(nil)
    // The session arrives on this thread, before any request can find it: commands that its `init` has executed
    // begin now. Requests that find it in the table wait for this turn, so none is shown the user from before.
    session.submit { [table, openedBy] isolated in
      if reason.isTimers { isolated.cameForTimers(lastUsed: moment.restored(UInt64(abs(record.lastUsed)) * 1_000)) }
      _ = isolated.arrive()
      do throws(SessionError) { try table.takeIn(session, bytes, checkAt: nextCheck) } catch {
        refusal.withLock { $0 = error }
        return isolated.end(.left(nil))
      }
      // From here on the session is told of its user. Until now the user may have signed in or out unheard.
      let newest = present() ?? (isOfUser ? user : nil)
      if let openedBy, openedBy != newest?.id {
        refusal.withLock { $0 = .expired }
        isolated.end(.signedOut)
        return table.remove(session)
      }
      isolated.become(newest)
      // The count includes the writes of those commands from before the session was in the table.
      isolated.count(isForced: true)
    }
    if let refusal = refusal.withLock({ $0 }) { throw refusal }
    if reason.isTimers { session.checkTimers() }
  }

  private func forget(_ record: SessionRecord, _ claim: SessionClaim, _ keeper: SessionKeeper) {
    keeper.committer.commit(StoreChange(record.id, claim, .removed), max(keeper.durability, .relaxed)) { _ in
      keeper.committer.release(record.id, claim)
    }
  }

  /// Puts aside a session that cannot be made again from its record.
  private func setAside(_ record: SessionRecord, _ claim: SessionClaim, _ keeper: SessionKeeper, _ reason: String) {
    services.report(.setAside(reason: "a session on \(record.model) cannot be made again: \(reason)"))
    keeper.committer.commit(StoreChange(record.id, claim, .setAside(reason: reason)), .relaxed) { _ in
      keeper.committer.release(record.id, claim)
    }
  }
}
