// SPDX-License-Identifier: MIT

/// The statements by which servers of one store know of each other.
extension PostgreSQLStatements {
  /// Tells all nodes of this schema something, when the transaction is over.
  static let notify = Statement(
    name: "notify", sql: "SELECT pg_notify('euripus_' || current_schema(), $1)::text")

  static let lockNodes = Statement(name: "lock_nodes", sql: "LOCK TABLE euripus_nodes IN EXCLUSIVE MODE")
  /// Adds a node under a number that is no sequence's: after a crash a sequence may give a number again.
  static let addNode = Statement(
    name: "add_node",
    sql: """
      INSERT INTO euripus_nodes (boot, name, url)
        SELECT greatest($1, (SELECT max(boot) FROM euripus_nodes), 0) + 1, $2, $3 RETURNING boot, token::text
      """)
  /// Another node of this address is not there any more.
  static let takeAddress = Statement(
    name: "take_address", sql: "UPDATE euripus_nodes SET url = NULL WHERE url = $1")
  static let forgetNodes = Statement(
    name: "forget_nodes",
    sql: """
      DELETE FROM euripus_nodes
        WHERE seen < now() - interval '1 day' AND boot < (SELECT max(boot) FROM euripus_nodes)
      """)
  /// Says that this node is there. No row is written if another one has its boot.
  static let present = Statement(
    name: "present",
    sql: """
      UPDATE euripus_nodes SET seen = clock_timestamp()
        WHERE boot = $1 AND token::text = $2 AND url IS NOT DISTINCT FROM $3
      """)
  /// Says that this node can be reached no more. Its row stays, so that no other one gets its number.
  static let leave = Statement(
    name: "leave", sql: "UPDATE euripus_nodes SET url = NULL WHERE boot = $1 AND token::text = $2")
  static let beat = Statement(
    name: "beat",
    sql: """
      UPDATE euripus_nodes SET beats = beats + 1, seen = clock_timestamp()
        WHERE boot = $1 AND token::text = $2 AND url IS NOT NULL
      """)
  static let others = Statement(
    name: "others", sql: "SELECT boot, beats FROM euripus_nodes WHERE boot <> $1 AND url IS NOT NULL")
  static let taken = Statement(
    name: "taken", sql: "SELECT id FROM euripus_sessions WHERE id = ANY ($1::text::text[]) AND boot <> $2")
}
