// SPDX-License-Identifier: MIT
import Locking
import Storing

/// Putting in sessions that are opened: whether there is room for one, and which sessions end for it.
extension SessionTable {
  /// The outcome of an attempt to put in a session.
  enum Insertion: Sendable {
    /// - Parameter superseded: the sessions of the same client that have to end for it.
    case done(superseded: Superseded)
    /// The same request has opened this session.
    case isOpen(Session)
    /// The same request has opened the session with this id, which is not in memory.
    case isStored(String)
    /// The store has to be asked first for the sessions of this owner.
    case unknown
    case refused(SessionError)
  }

  /// The sessions of a client that end for a newer one.
  struct Superseded: Sendable {
    var inMemory: [Session] = []
    /// The sessions that are in the store alone, or at other servers.
    var stored: [String] = []
  }

  /// The most sessions for clients that have one: when no newcomer is let in, such clients can still open the
  /// next. When there are this many, a new session takes the place of another one of its client.
  var mostSessions: Int { maxSessions + maxSessions / 16 }

  /// The outcome that putting in a session of this owner would have now. It is asked before the session is
  /// made, since making one costs more.
  ///
  /// - Parameters:
  ///   - reopens: whether a session that the same request has opened is opened anew if it was closed.
  ///   - isNewcomer: whether the session counts as a stranger's; `nil` where that is so if the owner has none.
  ///   - isStored: whether the session takes room in the store.
  func prospect(
    for owner: Credential, _ opening: KeyedRequest?, reopens: Bool = false, isNewcomer: Bool? = nil,
    from network: ClientNetwork, isStored: Bool, now: ContinuousClock.Instant
  ) -> Insertion {
    state.withLock {
      prospect(
        for: owner, opening, reopens: reopens, isNewcomer: isNewcomer, from: network, isStored: isStored, now: now,
        in: $0)
    }
  }

  private func prospect(
    for owner: Credential, _ opening: KeyedRequest?, reopens: Bool, isNewcomer: Bool? = nil,
    from network: ClientNetwork,
    isStored: Bool, now: ContinuousClock.Instant, in state: State
  ) -> Insertion {
    if let opening, let (id, earlier) = state.clients.opened(by: opening.key, of: owner),
      !(reopens && state.closed[id] != nil)
    {
      if earlier != opening.digest { return .refused(.keyReused) }
      if let session = state.sessions[id]?.session { return .isOpen(session) }
      return state.closed[id].map { .refused($0.closing.error) } ?? .isStored(id)
    }
    // A session that clients share may have left memory since it was looked for, and its owner with it.
    if reopens, !state.clients.knowsAll(of: owner) { return .unknown }
    let living = state.clients.living(of: owner).count
    let shortage = shortage(
      for: owner, isNewcomer: isNewcomer ?? (living == 0), from: network, isStored: isStored, in: state)
    if living == 0, let shortage { return .refused(shortage) }
    if let openingRate, let wait = state.clients.wait(of: owner, openingRate, now: now) {
      return .refused(.tooManyOpenings(retryAfter: wait))
    }
    let superseded: SessionTable.Superseded?
    switch shortage {
    case nil: superseded = state.superseded(living + 1 - maxPerCredential, of: owner, limits)
    // There is no room, so one of the client's own sessions gives its place, unless an earlier one that is to
    // end is still there.
    case .tooManySessions where !state.clients.awaitsEnds(of: owner):
      superseded = state.superseded(1, of: owner, limits, areInMemory: true)
    // Another session might be larger. To know that, its view model would have to be made.
    case let shortage?: return .refused(shortage)
    }
    guard let superseded else { return .refused(shortage ?? .tooManySessionsOfClient(limit: maxPerCredential)) }
    return .done(superseded: superseded)
  }

  /// The error for the room that another session of a client lacks; `nil` if it lacks none.
  private func shortage(
    for owner: Credential, isNewcomer: Bool, from network: ClientNetwork, isStored: Bool, in state: State
  ) -> SessionError? {
    if !isNewcomer, state.clients.bytes(of: owner) >= budget.limitOfClient {
      return .tooMuchMemoryOfClient(limit: budget.limitOfClient)
    }
    if !budget.hasRoom(isNewcomer: isNewcomer, network: state.bytes(of: network)) { return .tooMuchMemory }
    if isStored, let room = storeRoom?.withLock({ $0.room }),
      !room.hasRoom(isNewcomer: isNewcomer, network: room.bytes(of: network.number))
    {
      return .tooMuchStored
    }
    // This is asked last, because a session of the client's own can make room for a new one.
    return state.sessions.count >= (isNewcomer ? maxSessions : mostSessions)
      ? .tooManySessions(limit: maxSessions) : nil
  }

  /// Puts in a session, and decides which sessions end for it. From here on those do not count, and the caller
  /// ends them.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that it is counted with.
  ///   - reopens: as in ``prospect(for:_:reopens:isNewcomer:from:isStored:now:)``, with `isNewcomer`.
  func insert(
    _ session: Session, _ bytes: Int, reopens: Bool = false, isNewcomer: Bool? = nil, now: ContinuousClock.Instant,
    checkAt: ContinuousClock.Instant
  ) -> Insertion {
    let due = second(of: checkAt)
    return state.withLock { state in
      let prospect = prospect(
        for: session.owner, session.facts.opening, reopens: reopens, isNewcomer: isNewcomer,
        from: session.facts.network, isStored: session.keeping != nil,
        now: now, in: state)
      guard case .done(let superseded) = prospect else { return prospect }
      for id in superseded.inMemory.map(\.id) + superseded.stored { state.clients.superseded(id, of: session.owner) }
      if let openingRate { state.clients.countOpening(of: session.owner, openingRate, now: now) }
      enter(session, bytes, isNew: true, due: due, in: &state)
      session.counts.opened.increment()
      return prospect
    }
  }
}

/// Opening rooms, which counts for the client that asks.
extension SessionTable {
  /// The time until a client may open another room; `nil` if it may now.
  func waitForOpening(of client: Credential, now: ContinuousClock.Instant) -> Duration? {
    openingRate.flatMap { rate in state.withLock { $0.clients.wait(of: client, rate, now: now) } }
  }

  /// Forgets an owner of which nothing is in memory, since its session was not opened.
  func forgetUnused(_ owner: Credential) { state.withLock { $0.clients.forgetIfAway(owner) } }

  /// Counts a room that a client has opened.
  func countOpening(of client: Credential, now: ContinuousClock.Instant) {
    if let openingRate { state.withLock { $0.clients.countOpening(of: client, openingRate, now: now) } }
  }
}

/// A session that may end for a newer one.
private struct Candidate {
  let id: String
  /// The session; `nil` if it is in the store alone, or at another server.
  let session: Session?
  /// The second of its last use; `Int.min` if its client leaves.
  let usedAt: Int
  /// The number of its last use, which gives an order to uses within one second. It is 0 for a session that is
  /// not in memory.
  let used: UInt64

  /// The same, with all uses after a second as one.
  func noLater(than second: Int) -> Candidate {
    usedAt < second ? self : Candidate(id: id, session: session, usedAt: second, used: 0)
  }
}

extension SessionTable.State {
  /// The seconds before the last use within which no order is told among the uses of sessions at several servers. Each
  /// server has its own ones to the moment, and those of others as late and as roughly as they are stored.
  private static let together = 5

  /// The sessions of a client that end for a newer one; first the ones that nobody has used for longest. `nil`
  /// if the client has fewer. O(1) while the client has fewer sessions than it may, and O(its sessions) from
  /// then on.
  ///
  /// - Parameters:
  ///   - count: the number of sessions that have to end.
  ///   - limits: knows the sessions in which readers wait: those do not end. A reader that comes later may find
  ///     that its session ends.
  ///   - areInMemory: whether the sessions that end have to be in memory.
  func superseded(
    _ count: Int, of owner: Credential, _ limits: PollLimits, areInMemory: Bool = false
  ) -> SessionTable.Superseded? {
    if count <= 0 { return SessionTable.Superseded() }
    // The table's lock is taken before the lock of the limits. Code that holds the other one never takes the
    // table's.
    let waitedIn = limits.sessions(of: owner)
    let inMemory = clients.living(of: owner).compactMap { sessions[$0] }.filter { !waitedIn.contains($0.session.id) }
    let away = areInMemory ? [] : clients.away(of: owner)
    var candidates =
      away.map { Candidate(id: $0.id, session: nil, usedAt: $0.usedAt, used: 0) }
      + inMemory.map { Candidate(id: $0.session.id, session: $0.session, usedAt: $0.lastSecond, used: $0.used) }
    if candidates.count < count { return nil }
    // Other servers may choose at the same time. If each chose others, more would end than have to.
    if !away.isEmpty, let last = candidates.map(\.usedAt).filter({ $0 != .min }).max() {
      candidates = candidates.map { $0.noLater(than: last - Self.together) }
    }
    let ended = candidates.sorted { ($0.usedAt, $0.used, $0.id) < ($1.usedAt, $1.used, $1.id) }.prefix(count)
    return SessionTable.Superseded(
      inMemory: ended.compactMap(\.session), stored: ended.filter { $0.session == nil }.map(\.id))
  }
}
