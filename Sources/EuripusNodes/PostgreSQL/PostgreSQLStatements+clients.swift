// SPDX-License-Identifier: MIT

/// The statements about the clients that have signed in.
extension PostgreSQLStatements {
  static let putClient = Statement(
    name: "put_client",
    sql: """
      INSERT INTO euripus_clients (owner, credential, user_id, identity, changed) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (owner) DO UPDATE SET credential = $2, user_id = $3, identity = $4, changed = $5
      """)
  /// Tells all nodes that a client's credential ends, if the client gets another one ($2) or none. It runs before
  /// the client's row is written.
  static let tellEnded = Statement(
    name: "tell_ended",
    sql: """
      SELECT pg_notify(
        'euripus_' || current_schema(),
        'ended ' || encode(before, 'hex') || CASE WHEN $2::bytea IS NULL THEN ' signed-out' ELSE ' replaced' END)::text
      FROM (SELECT coalesce((SELECT credential FROM euripus_clients WHERE owner = $1), $1::bytea) AS before) c
      WHERE before IS DISTINCT FROM $2::bytea
      """)
  static let endClients = Statement(
    name: "end_clients",
    sql: "UPDATE euripus_clients SET credential = NULL, user_id = NULL, identity = $1, changed = $2")
  static let renewClient = Statement(
    name: "renew_client", sql: "UPDATE euripus_clients SET changed = $3 WHERE owner = $1 AND credential = $2")
  /// Finds the clients of a credential, at most two rows. Two would need one client's first credential to be
  /// another's present one, which chance does not bring about.
  static let findClient = Statement(
    name: "find_client",
    sql: "SELECT owner, credential, identity, changed FROM euripus_clients WHERE owner = $1 OR credential = $1")
  static let findClients = Statement(
    name: "find_clients",
    sql: """
      SELECT owner, credential, identity, changed FROM euripus_clients
        WHERE owner = ANY ($1::text::bytea[]) OR credential = ANY ($1::text::bytea[])
      """)
  /// Finds those of some credentials that are no client's any more. The owner of a living session is a client that
  /// needs no row of its own while it has not signed in.
  static let ended = Statement(
    name: "ended",
    sql: """
      SELECT c FROM unnest($1::text::bytea[]) AS asked(c)
        WHERE NOT EXISTS (SELECT FROM euripus_clients WHERE credential = c)
          AND (EXISTS (SELECT FROM euripus_clients WHERE owner = c)
            OR NOT EXISTS (SELECT FROM euripus_sessions WHERE owner = c AND closed_until IS NULL))
      """)
  static let clientsOfUser = Statement(
    name: "clients_of_user",
    sql: "SELECT owner, credential, identity, changed FROM euripus_clients WHERE user_id = $1")
  static let forgetClients = Statement(
    name: "forget_clients",
    sql: """
      DELETE FROM euripus_clients c
        WHERE changed < $1 AND NOT EXISTS (SELECT FROM euripus_sessions WHERE owner = c.owner)
      """)
}
