// SPDX-License-Identifier: MIT

/// The statements about commits that a crash of the database may lose.
extension PostgreSQLStatements {
  /// Has the commit of its transaction wait for the database's own disk, if the connection's commits do not.
  static let flush = Statement(
    name: "flush",
    sql: """
      SELECT set_config('synchronous_commit', 'local', true) WHERE current_setting('synchronous_commit') = 'off'
      """)
  /// Finds those of some sessions that are there.
  static let findAll = Statement(
    name: "find_all", sql: "SELECT id FROM euripus_sessions WHERE id = ANY ($1::text::text[])")
}
