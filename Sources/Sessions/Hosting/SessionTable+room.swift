// SPDX-License-Identifier: MIT
import Locking
import Storing

/// Room in memory: which sessions leave it when it is scarce.
extension SessionTable {
  /// Sessions that are to leave memory, in the order in which they go.
  struct Leaving {
    /// Sessions that were opened and never used.
    var unused: [Session] = []
    /// Other sessions; first the ones that nobody has used for longest.
    var idle: [Session] = []
  }

  /// The time, in seconds, that a client has from the opening of a session to its first request in it, when
  /// memory is scarce.
  private static let patience = 10

  /// The sessions that are to leave; none while there is room enough. If there is not: O(sessions · log
  /// sessions), once a second.
  func leaving() -> Leaving {
    let (entries, now): ([Entry], Int) = state.withLock { state in
      let isLate = state.wheel.position > state.lookedForRoom
      state.lookedForRoom = state.wheel.position
      let isNear = isLate && (budget.isNear || state.sessions.count > maxSessions * 15 / 16)
      return (isNear ? Array(state.sessions.values) : [], state.wheel.position)
    }
    var surplus = Surplus(
      bytes: budget.bytes - budget.aim, sessions: entries.count - maxSessions * 7 / 8)
    var leaving = Leaving()
    for entry in Self.unused(entries, before: now - Self.patience) where surplus.take(entry) {
      leaving.unused.append(entry.session)
    }
    let stored = entries.filter { $0.isUsed && $0.session.keeping != nil }
    for entry in stored.sorted(by: { $0.used < $1.used }) where surplus.take(entry) {
      leaving.idle.append(entry.session)
    }
    return leaving
  }

  /// The bytes and sessions that are too many.
  private struct Surplus {
    var bytes: Int
    var sessions: Int

    /// - Returns: whether this session has to leave too.
    mutating func take(_ entry: Entry) -> Bool {
      guard bytes > 0 || sessions > 0 else { return false }
      bytes -= entry.bytes
      sessions -= 1
      return true
    }
  }

  /// The sessions that were opened before that second and never used. The network with the most bytes comes
  /// first, until others have as many. Within a network the oldest comes first.
  private static func unused(_ entries: [Entry], before second: Int) -> [Entry] {
    let unused = entries.filter { !$0.isUsed && $0.entered <= second }.sorted { $0.entered < $1.entered }
    // Each entry has a sum: the bytes of itself and of all younger entries of its network.
    var sums: [ClientNetwork: Int] = [:]
    let withSums = unused.reversed().map { entry in
      sums[entry.session.facts.network, default: 0] += entry.bytes
      return (entry: entry, sum: sums[entry.session.facts.network] ?? 0)
    }
    return withSums.sorted { $0.sum > $1.sum }.map(\.entry)
  }

  /// Whether a request has found a session since it was opened; true of a session that is not in memory.
  func isUsed(_ id: String) -> Bool { state.withLock { $0.sessions[id]?.isUsed ?? true } }

  /// Whether a session is in memory.
  func has(_ id: String) -> Bool { state.withLock { $0.sessions[id] != nil } }

  /// Notes that a session is in use although no request has come of late, because a reader waits in it.
  func noteUse(of session: Session) {
    state.withLock { state in
      guard let used = state.sessions[session.id]?.used, used > 0 else { return }
      _ = state.use(session.id)
    }
  }

  /// Notes that a session's client says that it leaves. The next request undoes the note.
  func noteLeaving(of session: Session) { state.withLock { $0.sessions[session.id]?.used = 0 } }

  /// Whether the session's client has said that it leaves, and no request has come since.
  func isLeaving(_ session: Session) -> Bool { state.withLock { $0.sessions[session.id]?.used == 0 } }

  /// The bytes of all sessions of a network.
  func bytes(of network: ClientNetwork) -> Int { state.withLock { $0.bytes(of: network) } }

  /// Counts a session with another number of bytes.
  func count(_ session: Session, _ bytes: Int) {
    state.withLock { state in
      guard let entry = state.sessions[session.id], entry.session === session else { return }
      state.count(session, bytes - entry.bytes, budget)
      state.sessions[session.id]?.bytes = bytes
    }
  }
}

extension SessionTable.State {
  /// Finds a session in memory for a request, and notes the use.
  mutating func use(_ id: String) -> Session? {
    guard let index = sessions.index(forKey: id) else { return nil }
    lastUse += 1
    sessions.values[index].used = lastUse
    sessions.values[index].usedAt = wheel.position
    sessions.values[index].isUsed = true
    return sessions.values[index].session
  }
}
