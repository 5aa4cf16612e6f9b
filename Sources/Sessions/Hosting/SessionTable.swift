// SPDX-License-Identifier: MIT

import Locking

/// The sessions that are in memory, and what is remembered of those that were closed.
final class SessionTable: Sendable {
  /// For how long the owner of a closed session learns that it is closed.
  static let remembersClosed: Duration = .seconds(24 * 60 * 60)
  /// Closed sessions remembered at most; beyond it the oldest are forgotten.
  static let maxClosed = 100_000

  enum Listing: Sendable {
    case living(Session)
    case closed(Closed)
    case none
  }

  /// The memory of a session that was closed.
  final class Closed: Sendable {
    let model: String
    let owner: Credential
    /// The requests with a key that opened it and that closed it, if they had one.
    let opening: KeyedRequest?
    let closing: KeyedRequest?

    init(model: String, owner: Credential, opening: KeyedRequest?, closing: KeyedRequest?) {
      (self.model, self.owner, self.opening, self.closing) = (model, owner, opening, closing)
    }
  }

  /// The outcome of an attempt to put in a session.
  enum Insertion: Sendable {
    case done
    /// The same request has opened this one.
    case isOpen(Session)
    /// The same request has opened this one, which is not in memory.
    case isStored(String)
    case refused(SessionError)
  }

  private struct State {
    var sessions: [String: Session] = [:]
    var clients: ClientTable
    var closed: [String: Closed] = [:]
    /// The ids of `closed`, in the order of closing, with the time to forget each.
    var closedOrder: [(id: String, until: ContinuousClock.Instant)] = []
    var closedHead = 0
    var wheel: ExpiryWheel<String>

    init(clients: ClientTable, wheel: ExpiryWheel<String>) {
      self.clients = clients
      self.wheel = wheel
    }

    /// - Returns: whether it was there.
    mutating func remove(_ session: Session) -> Bool {
      guard sessions[session.id] === session else { return false }
      sessions[session.id] = nil
      return true
    }
  }

  private let start: ContinuousClock.Instant
  private let maxSessions: Int
  private let maxPerCredential: Int
  private let state: Locked<State>

  /// - Parameter isStored: whether there are others, in a store.
  init(now: ContinuousClock.Instant, maxSessions: Int, maxPerCredential: Int, isStored: Bool) {
    start = now
    self.maxSessions = maxSessions
    self.maxPerCredential = maxPerCredential
    state = Locked(State(clients: ClientTable(isStored: isStored), wheel: ExpiryWheel(now: 0)))
  }

  var count: Int { state.withLock { $0.sessions.count } }

  /// Whether a session has this credential, or one that is remembered had.
  func knows(_ credential: Credential) -> Bool { state.withLock { $0.clients.knows(credential) } }

  /// Whether the store has nothing to tell of a client that is not known here.
  func knowsAll(of credential: Credential) -> Bool { state.withLock { $0.clients.knowsAll(of: credential) } }

  func find(_ id: String) -> Listing {
    state.withLock { state in
      if let session = state.sessions[id] { return .living(session) }
      if let closed = state.closed[id] { return .closed(closed) }
      return .none
    }
  }

  /// The time that the actions of a session of this owner may take.
  func time(of owner: Credential) -> TimeAllowance { state.withLock { $0.clients.time(of: owner) } }

  /// The outcome that putting in a session of this owner would have now: asked before it is made, which costs more.
  func prospect(for owner: Credential, _ opening: KeyedRequest?) -> Insertion {
    state.withLock { prospect(for: owner, opening, in: $0) }
  }

  private func prospect(for owner: Credential, _ opening: KeyedRequest?, in state: State) -> Insertion {
    if let opening, let (id, earlier) = state.clients.opened(by: opening.key, of: owner) {
      if earlier != opening.digest { return .refused(.keyReused) }
      if let session = state.sessions[id] { return .isOpen(session) }
      return state.closed[id] != nil ? .refused(.closed) : .isStored(id)
    }
    if state.sessions.count >= maxSessions { return .refused(.tooManySessions(limit: maxSessions)) }
    if state.clients.living(of: owner) >= maxPerCredential {
      return .refused(.tooManySessionsOfClient(limit: maxPerCredential))
    }
    return .done
  }

  func insert(_ session: Session, checkAt: ContinuousClock.Instant) -> Insertion {
    let due = second(of: checkAt)
    return state.withLock { state in
      let prospect = prospect(for: session.owner, session.opening, in: state)
      guard case .done = prospect else { return prospect }
      state.sessions[session.id] = session
      state.clients.entered(session.id, of: session.owner, session.opening, session.time, isNew: true)
      state.wheel.insert(session.id, due: due)
      session.counts.opened.increment()
      return .done
    }
  }

  /// Takes in a session that was read.
  ///
  /// - Throws: ``SessionError/tooManySessions(limit:)``.
  func takeIn(_ session: Session, checkAt: ContinuousClock.Instant) throws(SessionError) {
    let due = second(of: checkAt)
    let isRoom = state.withLock { state in
      if state.sessions.count >= maxSessions { return false }
      state.sessions[session.id] = session
      state.clients.entered(session.id, of: session.owner, session.opening, session.time, isNew: false)
      state.wheel.insert(session.id, due: due)
      session.counts.loaded.increment()
      return true
    }
    if !isRoom { throw .tooManySessions(limit: maxSessions) }
  }

  /// Takes note of what the store has of a client.
  func met(_ owner: Credential, _ sessions: [StoredSession], now: Moment) {
    state.withLock { state in
      var living: [(id: String, opening: KeyedRequest?)] = []
      for session in sessions {
        switch session {
        case .living(let record): living.append((record.id, record.opening))
        case .closed(let closed): Self.remember(closed, in: &state, now: now)
        }
      }
      state.clients.met(owner, living)
    }
  }

  /// Takes note of a session that the store has as closed.
  func remember(_ closed: ClosedSession, now: Moment) {
    state.withLock { Self.remember(closed, in: &$0, now: now) }
  }

  private static func remember(_ closed: ClosedSession, in state: inout State, now: Moment) {
    guard state.closed[closed.id] == nil, state.sessions[closed.id] == nil else { return }
    state.clients.closed(closed.id, of: closed.owner, wasInMemory: false)
    let left = Duration.milliseconds(max(0, closed.until * 1_000 - now.milliseconds))
    put(
      Closed(model: closed.model, owner: closed.owner, opening: closed.opening, closing: closed.closing), closed.id,
      in: &state, until: now.instant + min(left, remembersClosed), now: now.instant)
  }

  /// A session has left memory, and lives on in the store.
  func left(_ session: Session) {
    state.withLock { state in
      guard state.remove(session) else { return }
      session.counts.left.increment()
      state.clients.left(session.id, of: session.owner)
    }
  }

  /// Lets go of a client that has nothing in memory.
  func forgetIfAway(_ owner: Credential) { state.withLock { $0.clients.forgetIfAway(owner) } }

  /// Forgets a session; nobody can tell that it was there.
  func remove(_ session: Session) {
    state.withLock { state in
      guard state.remove(session) else { return }
      session.counts.expired.increment()
      state.clients.expired(session.id, of: session.owner, session.opening)
    }
  }

  /// Forgets a session, and remembers for its owner that it was closed.
  func close(_ session: Session, _ closing: KeyedRequest?, now: ContinuousClock.Instant) {
    state.withLock { state in
      // The credential goes on to be known: its owner must not be given another one by opening again.
      guard state.remove(session) else { return }
      session.counts.closed.increment()
      state.clients.closed(session.id, of: session.owner)
      let closed = Closed(
        model: session.modelName, owner: session.owner, opening: session.opening, closing: closing)
      Self.put(closed, session.id, in: &state, until: now + Self.remembersClosed, now: now)
    }
  }

  private static func put(
    _ closed: Closed, _ id: String, in state: inout State, until: ContinuousClock.Instant,
    now: ContinuousClock.Instant
  ) {
    state.closed[id] = closed
    state.closedOrder.append((id, until))
    forgetClosed(in: &state, now: now)
  }

  /// The sessions whose idle time may be over.
  func due(now: ContinuousClock.Instant) -> [Session] {
    let second = Int((now - start).components.seconds)
    return state.withLock { state in
      Self.forgetClosed(in: &state, now: now)
      return state.wheel.advance(to: second).compactMap { state.sessions[$0] }
    }
  }

  func check(_ session: Session, at instant: ContinuousClock.Instant) {
    let due = second(of: instant)
    state.withLock { $0.wheel.insert(session.id, due: due) }
  }

  /// Rounded up: a session is never looked at before its time.
  private func second(of instant: ContinuousClock.Instant) -> Int {
    let (seconds, attoseconds) = (instant - start).components
    return Int(seconds) + (attoseconds > 0 ? 1 : 0)
  }

  private static func forgetClosed(in state: inout State, now: ContinuousClock.Instant) {
    while state.closedHead < state.closedOrder.count {
      let oldest = state.closedOrder[state.closedHead]
      guard oldest.until <= now || state.closed.count > maxClosed else { break }
      if let closed = state.closed.removeValue(forKey: oldest.id) {
        state.clients.forgotClosed(of: closed.owner, closed.opening)
      }
      state.closedHead += 1
    }
    if state.closedHead > 1_024, state.closedHead * 2 > state.closedOrder.count {
      state.closedOrder.removeFirst(state.closedHead)
      state.closedHead = 0
    }
  }
}
