// SPDX-License-Identifier: MIT
package import Storing

/// Ending credentials: of some clients, or of all.
extension SessionHost {
  /// Ends clients: their credentials, and their sessions with them.
  ///
  /// - Returns: the number of sessions that have ended.
  package func end(_ clients: [Credential]) async throws(SessionError) -> Int {
    let known = Set(clients.flatMap { table.sessions(of: $0) }.map(\.id))
    return try await services.signIns.end(clients) + endStored(of: clients, but: known)
  }

  /// Ends a client: its credential, and its sessions with it.
  ///
  /// - Parameter name: the client's name in lists of sessions, which view models know too.
  /// - Returns: the number of sessions that have ended.
  package func end(client name: String) async throws(SessionError) -> Int {
    try await end(Array(owners(named: name)))
  }

  /// Ends the credentials of all clients, and all sessions.
  ///
  /// - Returns: the number of sessions that have ended.
  package func endAll() async throws(SessionError) -> Int {
    try await services.signIns.endAll() + endStored(SessionFilter())
  }

  /// The owners whose name this is: those that are known, and those that have sessions in the store. Reads the
  /// store page by page.
  private func owners(named name: String) async throws(SessionError) -> Set<Credential> {
    var owners = Set(table.owners(named: name))
    guard let keeper else { return owners }
    var last: String?
    repeat {
      let page = try await keeper.ask { [last] store throws(StoreError) in
        try store.list(after: last, limit: Self.pageOfSessions)
      }
      owners.formUnion(page.lazy.map(\.owner).filter { $0.name == name })
      last = page.count == Self.pageOfSessions ? page.last?.id : nil
    } while last != nil
    return owners
  }
}
