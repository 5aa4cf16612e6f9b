// SPDX-License-Identifier: MIT
public import Sessions

extension SessionStorage {
  /// A database of PostgreSQL's, which several servers can share (Decisions/0051).
  ///
  /// - Parameters:
  ///   - address: a URL, `postgres://user@host/database`, or libpq's keywords. Tables that are missing are made, where
  ///     the role may.
  ///   - nodeURL: where the other servers that have the database reach this one, such as `http://10.0.0.7:8080`; `nil` for a server
  ///     that has it alone.
  public static func postgreSQL(_ address: String, nodeURL: String? = nil) -> SessionStorage {
    let store = PostgreSQLStore(address, nodeURL: nodeURL)
    return SessionStorage(store, description: store.place)
  }
}
