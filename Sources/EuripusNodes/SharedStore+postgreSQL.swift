// SPDX-License-Identifier: MIT
public import Storing

extension SharedStore {
  /// PostgreSQL databases, each of which several servers can share (Decisions/0051). The servers reach each other by
  /// libcurl (Decisions/0053).
  public static let postgreSQL = SharedStore(
    isAddress: PostgreSQLStore.isAddress, store: { PostgreSQLStore($0, nodeURL: $1) },
    nodeClient: { CurlClient() })
}

extension SessionStorage {
  /// A PostgreSQL database, which several servers can share (Decisions/0051).
  ///
  /// - Parameters:
  ///   - address: a URL, `postgres://user@host/database`, or libpq's keywords. Missing tables are made, if the
  ///     role may make them.
  ///   - nodeURL: the URL at which other servers of the database reach this one, such as `http://10.0.0.7:8080`;
  ///     `nil` for a server that has the database alone.
  public static func postgreSQL(_ address: String, nodeURL: String? = nil) -> SessionStorage {
    SharedStore.postgreSQL.storage(at: address, nodeURL: nodeURL)
  }
}
