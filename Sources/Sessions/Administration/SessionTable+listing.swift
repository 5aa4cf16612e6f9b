// SPDX-License-Identifier: MIT
import Locking
import Storing
import ViewModels

/// The sessions in memory, for an operator.
extension SessionTable {
  /// The sessions that a filter takes and whose id comes after `id`: those in memory, and those of `stored`
  /// that are not in memory. O(sessions).
  func list(
    _ filter: SessionFilter, after id: String?, and stored: [SessionSummary] = [], now: ContinuousClock.Instant
  ) -> [SessionSummary] {
    let readers = limits.countsOfReaders()
    let second = second(of: now)
    return state.withLock { state in
      let users = state.clients.users
      let inMemory = state.sessions.values.lazy.filter { $0.session.id > id ?? "" }
        .map { $0.summary(users, readers, now: second) }.filter { filter.takes($0) }
      return inMemory + stored.filter { state.sessions[$0.id] == nil }
    }
  }

  /// A session in memory. Looking at it does not count as a use.
  func look(at id: String, now: ContinuousClock.Instant) -> (session: Session, summary: SessionSummary)? {
    let readers = limits.countsOfReaders()
    let second = second(of: now)
    return state.withLock { state in
      state.sessions[id].map { ($0.session, $0.summary(state.clients.users, readers, now: second)) }
    }
  }

  /// The sessions on a view model that are in memory. O(sessions).
  func sessions(on model: String) -> [Session] {
    state.withLock { $0.sessions.values.map(\.session).filter { $0.modelName == model } }
  }
}

extension SessionTable {
  /// The clients in memory that have a name. O(clients).
  func owners(named name: String) -> [Credential] {
    state.withLock { $0.clients.clients.keys.filter { $0.name == name } }
  }
}

extension SessionTable.Entry {
  fileprivate func summary(
    _ users: [Credential: String], _ readers: [String: Int], now: Int
  ) -> SessionSummary {
    SessionSummary(
      id: session.id, model: session.modelName, client: session.owner.name, user: users[session.owner],
      params: session.facts.params,
      age: Int64(max(0, now - usedAt)),
      bytes: bytes, readers: readers[session.id] ?? 0, isStored: false)
  }
}

extension ClientTable {
  /// The ids of users, by the owners of sessions: a user's clients, and the owner of the user's own sessions.
  /// O(clients).
  fileprivate var users: [Credential: String] {
    var users: [Credential: String] = [:]
    for (owner, client) in clients {
      guard let signIn = client.signIn, let user = signIn.user else { continue }
      users[owner] = user.id
      if let own = signIn.userOwner { users[own] = user.id }
    }
    return users
  }
}

extension PollLimits {
  /// The numbers of readers that wait, by the ids of their sessions. O(readers).
  fileprivate func countsOfReaders() -> [String: Int] {
    places().reduce(into: [:]) { counts, place in counts[place.session.id, default: 0] += 1 }
  }
}
