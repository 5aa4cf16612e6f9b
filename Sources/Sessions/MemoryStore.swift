// SPDX-License-Identifier: MIT
import Locking

/// Keeps sessions for as long as the process lives.
final class MemoryStore: Sendable {
  /// For how long the owner of a closed session learns that it is closed.
  static let remembersClosed: Duration = .seconds(24 * 60 * 60)
  /// Closed sessions remembered at most; beyond it the oldest are forgotten.
  static let maxClosed = 100_000

  enum Record: Sendable {
    case living(Session)
    case closed(model: String, owner: Credential)
    case none
  }

  private struct Closed {
    let model: String
    let owner: Credential
  }

  private struct State {
    var living: [String: Session] = [:]
    /// How many sessions each credential has, closed ones that are remembered included.
    var credentials: [Credential: Int] = [:]
    var closed: [String: Closed] = [:]
    /// The ids of `closed`, in the order of closing, with the time to forget each.
    var closedOrder: [(id: String, until: ContinuousClock.Instant)] = []
    var closedHead = 0
    var wheel: ExpiryWheel<String>
  }

  private let start: ContinuousClock.Instant
  private let state: Locked<State>

  init(now: ContinuousClock.Instant) {
    start = now
    state = Locked(State(wheel: ExpiryWheel(now: 0)))
  }

  var count: Int { state.withLock { $0.living.count } }

  /// Whether a session has this credential, or one that is remembered had.
  func knows(_ credential: Credential) -> Bool { state.withLock { $0.credentials[credential] != nil } }

  func find(_ id: String) -> Record {
    state.withLock { state in
      if let session = state.living[id] { return .living(session) }
      if let closed = state.closed[id] { return .closed(model: closed.model, owner: closed.owner) }
      return .none
    }
  }

  func insert(_ session: Session, checkAt: ContinuousClock.Instant) {
    let due = second(of: checkAt)
    state.withLock { state in
      state.living[session.id] = session
      state.credentials[session.owner, default: 0] += 1
      state.wheel.insert(session.id, due: due)
    }
  }

  /// Forgets a session; nobody can tell that it was there.
  func remove(_ session: Session) { state.withLock { Self.remove(session, from: &$0) } }

  /// Forgets a session, and remembers for its owner that it was closed.
  func close(_ session: Session, now: ContinuousClock.Instant) {
    state.withLock { state in
      // The credential goes on to count: its owner must not be given another one by opening again.
      guard state.living.removeValue(forKey: session.id) != nil else { return }
      state.closed[session.id] = Closed(model: session.modelName, owner: session.owner)
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

  private static func remove(_ session: Session, from state: inout State) {
    guard state.living.removeValue(forKey: session.id) != nil else { return }
    release(session.owner, from: &state)
  }

  private static func release(_ credential: Credential, from state: inout State) {
    let rest = (state.credentials[credential] ?? 1) - 1
    state.credentials[credential] = rest > 0 ? rest : nil
  }

  private static func forgetClosed(in state: inout State, now: ContinuousClock.Instant) {
    while state.closedHead < state.closedOrder.count {
      let oldest = state.closedOrder[state.closedHead]
      guard oldest.until <= now || state.closed.count > maxClosed else { break }
      if let closed = state.closed.removeValue(forKey: oldest.id) { release(closed.owner, from: &state) }
      state.closedHead += 1
    }
    if state.closedHead > 1_024, state.closedHead * 2 > state.closedOrder.count {
      state.closedOrder.removeFirst(state.closedHead)
      state.closedHead = 0
    }
  }
}
