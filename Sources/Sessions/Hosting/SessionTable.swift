// SPDX-License-Identifier: MIT
import Locking
import Storing
import ViewModels

/// The sessions that are in memory, and the memory of those that were closed.
final class SessionTable: Sendable {
  enum Listing: Sendable {
    case living(Session)
    case closed(ClosedSessions.Closed)
    case none
  }

  /// A session in memory, and the facts about it that are known without its turn.
  struct Entry {
    let session: Session
    /// The bytes that it is counted with.
    var bytes: Int
    /// The second in which it was opened or read.
    let entered: Int
    /// The number of its last use by a request, in the order of all uses of all sessions; 0 if its client has
    /// said that it leaves.
    var used: UInt64
    /// The second of that use.
    var usedAt: Int
    /// The second of the last use; `Int.min` if its client has said that it leaves.
    var lastSecond: Int { used == 0 ? .min : usedAt }
    /// Whether a request has found it since it was opened.
    var isUsed: Bool
    /// The number of requests in a row that came by way of other servers.
    var passedOn = 0
  }

  struct State {
    var sessions: [String: Entry] = [:]
    var clients: ClientTable
    var closed = ClosedSessions()
    var ended = EndedCredentials()
    var wheel: ExpiryWheel<String>
    /// The number of the last use of any session.
    var lastUse: UInt64 = 0
    /// The second in which ``SessionTable/leaving()`` last looked for sessions that are to leave.
    var lookedForRoom = 0
    /// The bytes of the sessions of each network.
    var networks: [ClientNetwork: Int] = [:]

    init(clients: ClientTable, wheel: ExpiryWheel<String>) {
      self.clients = clients
      self.wheel = wheel
    }

    /// The bytes of all sessions of a network; 0 for ``ClientNetwork/unknown``.
    func bytes(of network: ClientNetwork) -> Int { network == .unknown ? 0 : networks[network] ?? 0 }

    /// - Returns: the session's entry, if it had one.
    mutating func remove(_ session: Session, _ budget: MemoryBudget) -> Entry? {
      guard let entry = sessions[session.id], entry.session === session else { return nil }
      count(session, -entry.bytes, budget)
      sessions[session.id] = nil
      return entry
    }

    /// Counts bytes that a session takes. A negative number is of bytes that it gives back.
    mutating func count(_ session: Session, _ bytes: Int, _ budget: MemoryBudget) {
      budget.add(bytes)
      session.use.add(bytes)
      let sum = networks[session.facts.network, default: 0] + bytes
      networks[session.facts.network] = sum > 0 ? sum : nil
    }
  }

  private let start: ContinuousClock.Instant
  let maxSessions: Int
  let maxPerCredential: Int
  /// The rate at which one client may open sessions; `nil` sets no limit.
  let openingRate: Rate?
  let limits: PollLimits
  let budget: MemoryBudget
  /// The room in the store; `nil` if there is none.
  let storeRoom: Locked<RoomWatch>?
  let state: Locked<State>

  /// - Parameters:
  ///   - storeRoom: the room in the store, which may have more sessions; `nil` if there is no store.
  ///   - takesProofs: whether requests may prove who their users are.
  ///   - awayTime: the time for which clients without a session are known; `nil` for that of ``ClientTable``.
  init(
    now: ContinuousClock.Instant, maxSessions: Int, maxPerCredential: Int, openingRate: Rate?, limits: PollLimits,
    budget: MemoryBudget, storeRoom: Locked<RoomWatch>?, takesProofs: Bool, awayTime: Duration?
  ) {
    start = now
    self.maxSessions = maxSessions
    self.maxPerCredential = maxPerCredential
    self.openingRate = openingRate
    self.limits = limits
    self.budget = budget
    self.storeRoom = storeRoom
    let clients = ClientTable(
      isStored: storeRoom != nil, mostSignedIn: maxSessions, takesProofs: takesProofs, awayTime: awayTime)
    state = Locked(State(clients: clients, wheel: ExpiryWheel(now: 0)))
  }

  var count: Int { state.withLock { $0.sessions.count } }

  /// Whether a session has this credential, or a remembered one had.
  func knows(_ credential: Credential) -> Bool { state.withLock { $0.clients.knows(credential) } }

  /// Whether the store has nothing to tell about a client that is not known here.
  func knowsAll(of credential: Credential) -> Bool { state.withLock { $0.clients.knowsAll(of: credential) } }

  func find(_ id: String) -> Listing {
    state.withLock { Self.find(id, in: &$0) }
  }

  static func find(_ id: String, in state: inout State) -> Listing {
    if let session = state.use(id) { return .living(session) }
    if let closed = state.closed[id] { return .closed(closed) }
    return .none
  }

  /// Notes that a session of this owner is about to be made: see ``ClientTable/making(for:)``.
  func making(for owner: Credential) -> ClientUse { state.withLock { $0.clients.making(for: owner) } }
  func made(for owner: Credential) { state.withLock { $0.clients.made(for: owner) } }

  /// Takes in a session that was read.
  ///
  /// - Throws: ``SessionError/tooManySessions(limit:)``, ``SessionError/tooMuchMemory``.
  func takeIn(_ session: Session, _ bytes: Int, checkAt: ContinuousClock.Instant) throws(SessionError) {
    let due = second(of: checkAt)
    let refusal: SessionError? = state.withLock { state in
      if state.sessions.count >= mostSessions { return .tooManySessions(limit: maxSessions) }
      if budget.isFull { return .tooMuchMemory }
      enter(session, bytes, isNew: false, due: due, in: &state)
      session.counts.loaded.increment()
      return nil
    }
    if let refusal { throw refusal }
  }

  func enter(_ session: Session, _ bytes: Int, isNew: Bool, due: Int, in state: inout State) {
    state.lastUse += 1
    state.sessions[session.id] = Entry(
      session: session, bytes: bytes, entered: state.wheel.position, used: state.lastUse,
      usedAt: state.wheel.position, isUsed: !isNew)
    state.count(session, bytes, budget)
    state.clients.entered(session.id, of: session.owner, session.facts.opening, isNew: isNew)
    state.wheel.insert(session.id, due: due)
  }

  /// Notes the sessions that the store has of a client.
  ///
  /// - Parameter keepsEmpty: whether a client without sessions is kept too, because one of its sessions is
  ///   about to be opened.
  func met(_ owner: Credential, _ sessions: [OwnedSession], keepsEmpty: Bool = false, now: Moment) {
    state.withLock { state in
      var living: [OwnedSession.Living] = []
      for session in sessions {
        switch session {
        case .living(let session): living.append(session)
        case .closed(let closed): Self.remember(closed, in: &state, now: now)
        }
      }
      let (second, present) = (state.wheel.position, now.milliseconds / 1_000)
      state.clients.met(
        owner, keepsEmpty: keepsEmpty,
        living.map { session in
          // With the absolute value, the order of the sessions stays right where the wall clock was set back.
          let age = Int(clamping: present - abs(session.lastUsed))
          return (.init(id: session.id, usedAt: second - age), session.opening)
        })
    }
  }

  /// Notes a session that the store has as closed.
  func remember(_ closed: ClosedSession, now: Moment) {
    state.withLock { Self.remember(closed, in: &$0, now: now) }
  }

  private static func remember(_ closed: ClosedSession, in state: inout State, now: Moment) {
    guard state.closed[closed.id] == nil, state.sessions[closed.id] == nil else { return }
    state.clients.rememberClosed(closed.id, of: closed.owner, closed.opening)
    let left = Duration.milliseconds(max(0, closed.until * 1_000 - now.milliseconds))
    put(
      .init(model: closed.model, owner: closed.owner, opening: closed.opening, closing: closed.closing), closed.id,
      in: &state, until: now.instant + min(left, ClosedSession.remembered), now: now.instant)
  }

  /// Notes that a session has left memory.
  ///
  /// - Parameter isStored: whether it lives on in the store. Otherwise the store has refused to take it.
  func left(_ session: Session, isStored: Bool) {
    state.withLock { state in
      guard let entry = state.remove(session, budget) else { return }
      session.counts.left.increment()
      if !isStored { return state.clients.refused(session.id, of: session.owner, session.facts.opening) }
      state.clients.left(session.id, of: session.owner, usedAt: entry.lastSecond)
    }
  }

  /// Forgets a session. Nobody can tell that it was there.
  func remove(_ session: Session) { state.withLock { expire(session, in: &$0) } }

  /// Forgets a session that no request has found since it was opened.
  ///
  /// - Returns: whether it is such a session.
  func removeUnused(_ session: Session) -> Bool {
    state.withLock { state in
      guard let entry = state.sessions[session.id], entry.session === session, !entry.isUsed else { return false }
      expire(session, in: &state)
      return true
    }
  }

  private func expire(_ session: Session, in state: inout State) {
    guard state.remove(session, budget) != nil else { return }
    session.counts.expired.increment()
    state.clients.expired(session.id, of: session.owner, session.facts.opening)
  }

  /// Forgets a session, and remembers for its owner that it was closed.
  func close(_ session: Session, _ closing: Closing, now: ContinuousClock.Instant) {
    state.withLock { state in
      // The credential stays known. Its owner must not get another one by opening a session again.
      guard state.remove(session, budget) != nil else { return }
      switch closing {
      case .byClient: session.counts.closed.increment()
      case .superseded: session.counts.superseded.increment()
      case .ended: session.counts.ended.increment()
      }
      state.clients.closed(session.id, of: session.owner)
      let closed = ClosedSessions.Closed(
        model: session.modelName, owner: session.owner, opening: session.facts.opening, closing: closing)
      Self.put(closed, session.id, in: &state, until: now + ClosedSession.remembered, now: now)
    }
  }

  private static func put(
    _ closed: ClosedSessions.Closed, _ id: String, in state: inout State, until: ContinuousClock.Instant,
    now: ContinuousClock.Instant
  ) {
    state.closed.add(closed, id, until: until)
    forgetClosed(in: &state, now: now)
  }

  /// The sessions that are to be looked at now, as their idle time may be over.
  func due(now: ContinuousClock.Instant) -> [Session] {
    let second = Int((now - start).components.seconds)
    return state.withLock { state in
      Self.forgetClosed(in: &state, now: now)
      return state.wheel.advance(to: second).compactMap { state.sessions[$0]?.session }
    }
  }

  func check(_ session: Session, at instant: ContinuousClock.Instant) {
    let due = second(of: instant)
    state.withLock { $0.wheel.insert(session.id, due: due) }
  }

  /// The second of an instant, rounded up: a session is never looked at before its time.
  func second(of instant: ContinuousClock.Instant) -> Int {
    let (seconds, attoseconds) = (instant - start).components
    return Int(seconds) + (attoseconds > 0 ? 1 : 0)
  }

  private static func forgetClosed(in state: inout State, now: ContinuousClock.Instant) {
    for (id, closed) in state.closed.forget(now: now) {
      state.clients.forgotClosed(id, of: closed.owner, closed.opening)
    }
  }
}
