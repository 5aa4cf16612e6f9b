// SPDX-License-Identifier: MIT

/// The statements by which servers of one store know of each other.
extension PostgreSQLStatements {
  /// Sends a notice to all nodes of this schema, once the transaction is committed.
  static let notify = Statement(
    name: "notify", sql: "SELECT pg_notify('euripus_' || current_schema(), $1)::text")

  static let lockNodes = Statement(name: "lock_nodes", sql: "LOCK TABLE euripus_nodes IN EXCLUSIVE MODE")
  /// Adds a node. Its number does not come from a sequence, which may give a number again after a crash.
  static let addNode = Statement(
    name: "add_node",
    sql: """
      INSERT INTO euripus_nodes (boot, name, url)
        SELECT greatest($1, (SELECT max(boot) FROM euripus_nodes), 0) + 1, $2, $3 RETURNING boot, token::text
      """)
  /// Takes this node's address from another node that had it: that one is gone.
  static let takeAddress = Statement(
    name: "take_address", sql: "UPDATE euripus_nodes SET url = NULL WHERE url = $1")
  static let forgetNodes = Statement(
    name: "forget_nodes",
    sql: """
      DELETE FROM euripus_nodes
        WHERE seen < now() - interval '1 day' AND boot < (SELECT max(boot) FROM euripus_nodes)
      """)
  /// Gives a sign of this node. Writes no row if another node has its boot.
  static let present = Statement(
    name: "present",
    sql: """
      UPDATE euripus_nodes SET seen = clock_timestamp()
        WHERE boot = $1 AND token::text = $2 AND url IS NOT DISTINCT FROM $3
      """)
  /// Says that this node can be reached no more. Its row stays, so that no other node gets its number.
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
  /// Writes the reason for which a living session is to end. Its owner finds it there, told by a notice.
  static let askToEnd = Statement(
    name: "ask_to_end", sql: "UPDATE euripus_sessions SET closing = $2 WHERE id = $1 AND closed_until IS NULL")
  static let askedEnds = Statement(
    name: "asked_ends",
    sql: """
      SELECT id, closing FROM euripus_sessions
        WHERE id = ANY ($1::text::text[]) AND closed_until IS NULL AND closing IS NOT NULL
      """)
  /// Takes back the reason for which a session of this node is to end, unless another one was written since.
  static let keep = Statement(
    name: "keep",
    sql: """
      UPDATE euripus_sessions SET closing = NULL WHERE id = $1 AND boot = $2 AND closing = $3 AND closed_until IS NULL
      """)
  static let taken = Statement(
    name: "taken", sql: "SELECT id FROM euripus_sessions WHERE id = ANY ($1::text::text[]) AND boot <> $2")
}
