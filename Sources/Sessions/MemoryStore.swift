// SPDX-License-Identifier: MIT

import Locking
import Metering

/// Keeps sessions for as long as the process lives.
final class MemoryStore: Sendable {
  /// For how long the owner of a closed session learns that it is closed.
  static let remembersClosed: Duration = .seconds(24 * 60 * 60)
  /// Closed sessions remembered at most; beyond it the oldest are forgotten.
  static let maxClosed = 100_000

  enum Record: Sendable {
    case living(Session)
    case closed(Closed)
    case none
  }

  /// What is remembered of a session that was closed.
  struct Closed: Sendable {
    let model: String
    let owner: Credential
    /// The requests with a key that opened it and that closed it, if they had one.
    let opening: KeyedRequest?
    let closing: KeyedRequest?
  }

  /// What came of an attempt to put in a session.
  enum Insertion: Sendable {
    case done
    /// The same request has opened this one.
    case isOpen(Session)
    case refused(SessionError)
  }

  private struct State {
    var living: [String: Session] = [:]
    var clients = ClientTable()
    var closed: [String: Closed] = [:]
    /// The ids of `closed`, in the order of closing, with the time to forget each.
    var closedOrder: [(id: String, until: ContinuousClock.Instant)] = []
    var closedHead = 0
    var wheel: ExpiryWheel<String>
  }

  private let start: ContinuousClock.Instant
  private let maxSessions: Int
  private let maxPerCredential: Int
  private let state: Locked<State>

  init(now: ContinuousClock.Instant, maxSessions: Int, maxPerCredential: Int) {
    start = now
    self.maxSessions = maxSessions
    self.maxPerCredential = maxPerCredential
    state = Locked(State(wheel: ExpiryWheel(now: 0)))
  }

  var count: Int { state.withLock { $0.living.count } }

  /// Whether a session has this credential, or one that is remembered had.
  func knows(_ credential: Credential) -> Bool { state.withLock { $0.clients.knows(credential) } }

  func find(_ id: String) -> Record {
    state.withLock { state in
      if let session = state.living[id] { return .living(session) }
      if let closed = state.closed[id] { return .closed(closed) }
      return .none
    }
  }

  /// What would come of putting in a session of this owner now: asked before it is made, which costs more.
  func prospect(for owner: Credential, _ opening: KeyedRequest?) -> Insertion {
    state.withLock { prospect(for: owner, opening, in: $0) }
  }

  private func prospect(for owner: Credential, _ opening: KeyedRequest?, in state: State) -> Insertion {
    if let opening, let (id, earlier) = state.clients.opened(by: opening.key, of: owner) {
      if earlier != opening.digest { return .refused(.keyReused) }
      return state.living[id].map { .isOpen($0) } ?? .refused(.closed)
    }
    if state.living.count >= maxSessions { return .refused(.tooManySessions(limit: maxSessions)) }
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
      state.living[session.id] = session
      state.clients.opened(session.id, of: session.owner, session.opening)
      state.wheel.insert(session.id, due: due)
      session.meters.opened.increment()
      return .done
    }
  }

  /// Forgets a session; nobody can tell that it was there.
  func remove(_ session: Session) {
    state.withLock { state in
      guard state.living.removeValue(forKey: session.id) != nil else { return }
      session.meters.expired.increment()
      state.clients.closed(of: session.owner)
      state.clients.forgot(of: session.owner, session.opening)
    }
  }

  /// Forgets a session, and remembers for its owner that it was closed.
  func close(_ session: Session, _ closing: KeyedRequest?, now: ContinuousClock.Instant) {
    state.withLock { state in
      // The credential goes on to be known: its owner must not be given another one by opening again.
      guard state.living.removeValue(forKey: session.id) != nil else { return }
      session.meters.closed.increment()
      state.clients.closed(of: session.owner)
      state.closed[session.id] = Closed(
        model: session.modelName, owner: session.owner, opening: session.opening, closing: closing)
      state.closedOrder.append((session.id, now + Self.remembersClosed))
      Self.forgetClosed(in: &state, now: now)
    }
  }

  /// The sessions whose idle time may be over.
  func due(now: ContinuousClock.Instant) -> [Session] {
    let second = Int((now - start).components.seconds)
    return state.withLock { state in
      Self.forgetClosed(in: &state, now: now)
      return state.wheel.advance(to: second).compactMap { state.living[$0] }
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
        state.clients.forgot(of: closed.owner, closed.opening)
      }
      state.closedHead += 1
    }
    if state.closedHead > 1_024, state.closedHead * 2 > state.closedOrder.count {
      state.closedOrder.removeFirst(state.closedHead)
      state.closedHead = 0
    }
  }
}
