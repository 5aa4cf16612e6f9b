// SPDX-License-Identifier: MIT

/// The statements about commits that a crash of the database may lose.
extension PostgreSQLStatements {
  /// Finds those of some sessions that are there.
  static let findAll = Statement(
    name: "find_all", sql: "SELECT id FROM euripus_sessions WHERE id = ANY ($1::text::text[])")
}
