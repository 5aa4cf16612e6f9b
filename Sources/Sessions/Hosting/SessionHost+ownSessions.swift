// SPDX-License-Identifier: MIT
import Locking
package import Storing
import ViewModels

/// Lists sessions for the clients and users that own them.
extension SessionHost {
  /// The most sessions of a list.
  package static let mostOwnSessions = 100

  /// Lists the living sessions of a client and of its user, in memory and in the store: the client's, the
  /// user's own, and those of the user's other clients. Being listed does not count as a use.
  ///
  /// - Parameters:
  ///   - credential: the client's credential. If no client has it, the list is empty.
  ///   - proved: the id of the user that the request proves; `nil` for none.
  ///   - hasFetched: whether the sessions that an earlier call asked for have been fetched.
  /// - Returns: a function that gives the sessions, the one that was used last first.
  /// - Throws: ``SessionsToFetch``, or ``SessionError`` for a credential that ended a short time ago.
  package func listing(
    of credential: Credential?, proving proved: String?, hasFetched: Bool
  ) throws -> @Sendable () async throws(SessionError) -> [OwnSession] {
    try checkLease()
    if let credential, !hasFetched, !table.knowsAll(of: credential) { throw SessionsToFetch.clients([credential]) }
    let client = credential.flatMap { table.client(of: $0) }
    if client == nil, let ending = credential.flatMap({ table.ending(of: $0, now: now()) }) { throw ending.error }
    let reader = OwnSession.Reader(client: client?.owner ?? Self.nobody, user: client?.signIn?.user?.id ?? proved)
    let here = table.list(for: reader, now: now())
    guard let keeper else { return { () async throws(SessionError) in Self.sorted(here) } }
    let seconds = services.moment().milliseconds / 1_000
    return { () async throws(SessionError) in
      let stored = try await keeper.ask { store throws(StoreError) in
        // The sessions in memory may be among these rows.
        try store.list(of: reader.client, user: reader.user, limit: Self.mostOwnSessions + here.count)
      }
      let known = Set(here.map(\.id))
      let away = stored.filter { !known.contains($0.id) && self.types[$0.model] != nil }
      return Self.sorted(here + away.compactMap { reader.sees($0, now: seconds) })
    }
  }

  private static func sorted(_ sessions: [OwnSession]) -> [OwnSession] {
    Array(sessions.sorted { ($0.age, $0.id) < ($1.age, $1.id) }.prefix(mostOwnSessions))
  }
}

extension OwnSession {
  /// A client that asks for its sessions, with its user.
  struct Reader: Sendable {
    let client: Credential
    let user: String?

    /// Whether the client can use a session of this owner.
    func reaches(_ owner: Credential) -> Bool { owner == client || user.map { owner == .ofUser($0) } ?? false }

    /// The list's form of a session of the store; `nil` for a closed session.
    func sees(_ stored: StoredSummary, now: Int64) -> OwnSession? {
      stored.lastUsed.map {
        OwnSession(id: stored.id, model: stored.model, age: max(0, now - $0), isReachable: reaches(stored.owner))
      }
    }
  }
}

extension SessionTable {
  /// The sessions in memory that a client may know of.
  fileprivate func list(for reader: OwnSession.Reader, now: ContinuousClock.Instant) -> [OwnSession] {
    let second = second(of: now)
    return state.withLock { state in
      var owners: Set<Credential> = [reader.client]
      if let user = reader.user { owners.formUnion([.ofUser(user)] + state.clients.clients(ofOwn: .ofUser(user))) }
      return owners.flatMap { state.clients.living(of: $0) }.compactMap { id in
        state.sessions[id].map { entry in
          OwnSession(
            id: id, model: entry.session.modelName, age: Int64(max(0, second - entry.usedAt)),
            isReachable: reader.reaches(entry.session.owner))
        }
      }
    }
  }
}

/// A session, as far as its client or its user may know of it.
package struct OwnSession: Sendable, Equatable {
  package let id: String
  package let model: String
  /// Seconds since the last use.
  package let age: Int64
  /// Whether the client that asks can use the session. It cannot use one of another client of its user.
  package let isReachable: Bool
}
