// SPDX-License-Identifier: MIT
public import Sessions

extension SessionStorage {
  /// A database of PostgreSQL's, which several servers can share (Decisions/0051).
  ///
  /// - Parameter address: a URL, `postgres://user@host/database`, or libpq's keywords. Tables that are missing are made, where
  ///   the role may.
  public static func postgreSQL(_ address: String) -> SessionStorage {
    let store = PostgreSQLStore(address)
    return SessionStorage(store, description: store.place)
  }
}
