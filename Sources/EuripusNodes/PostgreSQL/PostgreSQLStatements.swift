// SPDX-License-Identifier: MIT
import Storing

/// The statements on the tables. The server compiles them for each connection.
enum PostgreSQLStatements {
  typealias Statement = PostgreSQLConnection.Statement

  static let all = [
    begin, beginSnapshot, commit, find, readOne, readOwned, readAll, readAllParts, readParts, insert, update, close,
    putParts, removeParts, removeAllParts, claim, readClaimed, delete, setAside, setAsideUnread, unused, due, forget,
    addShares, heaviest, longestUnused, endForRoom, forgetShares, list, listOwned, count, size, putClient,
    renewClient, endClients, findClient, findClients, ended, clientsOfUser, forgetClients, askToEnd, askedEnds, keep,
    notify, tellEnded, lockNodes, takeAddress, addNode, forgetNodes, present, leave, flush, findAll,
  ]

  /// The statements by which a session's change is written.
  static let ofChanges = [
    onlyRead, find, insert, update, close, putParts, removeParts, removeAllParts, delete, setAside, notify,
  ]

  /// The statements of the connection by which a node gives its signs.
  static let ofPresence = [beat, others, taken]

  static let begin = Statement(name: "begin", sql: "BEGIN")
  /// Begins a transaction that only reads, and reads everything as it was at one moment.
  static let beginSnapshot = Statement(
    name: "begin_snapshot", sql: "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
  static let commit = Statement(name: "commit", sql: "COMMIT")
  static let onlyRead = Statement(name: "only_read", sql: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

  // MARK: Sessions

  /// The columns of a session, in the order in which ``PostgreSQLSessionRow`` reads them.
  private static let columns = """
    id, model, owner, boot, claim, number, opening, closing, closed_until, revision, schema, used, checksum, state, keys, context,
      wakes_at, parts, network, of_user
    """

  static let find = Statement(
    name: "find",
    sql: """
      SELECT boot, claim, number, (closed_until IS NOT NULL)::int FROM euripus_sessions WHERE id = $1 FOR UPDATE
      """)
  private static let next = "euripus_sessions WHERE id > $1 ORDER BY id LIMIT $2"
  static let readOne = Statement(name: "read_one", sql: "SELECT \(columns) FROM euripus_sessions WHERE id = $1")
  static let readOwned = Statement(
    name: "read_owned", sql: "SELECT \(columns) FROM euripus_sessions WHERE owner = $1 ORDER BY id")
  static let readAll = Statement(name: "read_all", sql: "SELECT \(columns) FROM \(next)")

  // MARK: Parts

  /// Reads the columns of a part, and the id of its session.
  private static let part = "SELECT name, checksum, json, session FROM euripus_parts"
  static let readParts = Statement(name: "read_parts", sql: "\(part) WHERE session = $1")
  /// Reads the parts of the sessions that ``readAll`` reads.
  static let readAllParts = Statement(
    name: "read_all_parts",
    sql: "\(part) WHERE session > $1 AND session <= (SELECT max(id) FROM (SELECT id FROM \(next)) AS page)")

  /// The condition of a change: its claim is the last one, no later change was made, and the session is not closed.
  /// Each owner counts its own changes.
  private static let isOwners = "id = $1 AND boot = $2 AND claim = $3 AND number <= $4 AND closed_until IS NULL"

  static let insert = Statement(
    name: "insert",
    sql: """
      INSERT INTO euripus_sessions (
        id, boot, claim, number, model, owner, opening, closing, closed_until, revision, schema, used, checksum, state, keys,
        context, wakes_at, parts, part_bytes, network, of_user, bytes
      ) VALUES (
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
        ON CONFLICT DO NOTHING
      """)
  /// Writes the present record of a session, if the table has the change that its parts have changed since ($15), or a
  /// later one.
  ///
  /// A session of which no network is known takes one ($18) together with a change of its bytes, which the trigger of
  /// the shares notices.
  static let update = Statement(
    name: "update",
    sql: """
      UPDATE euripus_sessions SET number = $4, revision = $5, schema = $6, used = $7, checksum = $8, state = $9, keys = $10,
        context = $11, wakes_at = $12, parts = $13, part_bytes = $14, of_user = $16, bytes = $17,
        network = CASE WHEN network = 0 AND bytes <> $17 THEN $18 ELSE network END
        WHERE \(isOwners) AND number >= $15
      """)
  static let close = Statement(
    name: "close",
    sql: """
      UPDATE euripus_sessions SET number = $4, closing = $5, closed_until = $6, checksum = $7, revision = 0, schema = 0,
        used = 0, state = '', keys = '', context = NULL, wakes_at = NULL, parts = 0, part_bytes = 0,
        of_user = 0, bytes = \(StoreRoom.page) WHERE \(isOwners)
      """)
  /// The condition of each change of parts: their session was written before them, in the same transaction. It has
  /// the number of the change then.
  private static let isWritten = """
    EXISTS (SELECT FROM euripus_sessions WHERE id = $1 AND boot = $2 AND claim = $3 AND number = $4)
    """
  static let putParts = Statement(
    name: "put_parts",
    sql: """
      INSERT INTO euripus_parts (session, name, checksum, json)
        SELECT $1, p.name, p.checksum, p.json
          FROM unnest($5::text::bytea[], $6::text::bigint[], $7::text::bytea[]) AS p(name, checksum, json)
          WHERE \(isWritten)
        ON CONFLICT (session, name) DO UPDATE SET checksum = excluded.checksum, json = excluded.json
      """)
  static let removeParts = Statement(
    name: "remove_parts",
    sql: "DELETE FROM euripus_parts WHERE session = $1 AND name = ANY ($5::text::bytea[]) AND \(isWritten)")
  static let removeAllParts = Statement(
    name: "remove_all_parts", sql: "DELETE FROM euripus_parts WHERE session = $1 AND \(isWritten)")
  /// Puts the parts of a session aside, before they are deleted with it.
  private static let goneParts = """
    parts AS (INSERT INTO euripus_parts_set_aside SELECT p.* FROM euripus_parts p JOIN gone ON p.session = gone.id)
    """
  /// Forgets a session for its last owner. The number of the change counts only while the session is not closed.
  static let delete = Statement(
    name: "delete",
    sql: """
      DELETE FROM euripus_sessions WHERE id = $1 AND boot = $2 AND claim = $3 AND (number <= $4 OR closed_until IS NOT NULL)
      """)
  static let setAside = Statement(
    name: "set_aside",
    sql: """
      WITH gone AS (DELETE FROM euripus_sessions WHERE \(isOwners) RETURNING *), \(goneParts)
      INSERT INTO euripus_set_aside SELECT $5, now(), gone.* FROM gone
      """)
  /// Whether a node knows a session's schema.
  ///
  /// - Parameter schemas: a parameter with a JSON object as text, the latest schema of each view model; NULL if the
  ///   node knows all.
  private static func isKnown(_ schemas: String) -> String {
    "(\(schemas)::text IS NULL OR (\(schemas)::text::jsonb ->> model)::bigint >= schema)"
  }

  /// Takes a session for this node. The store numbers the claims on a session, one after the other.
  ///
  /// The session may be this node's already. It may be another node's that has closed the store, that others cannot
  /// reach, or that gives no sign. Or its claim may be one that the asking server knows to count no more ($5, $6).
  ///
  /// A session with a view model or a schema that this node does not know is left to the nodes that know it.
  ///
  /// The lock on the row of a node without signs keeps it from giving one meanwhile: from its next sign on a node
  /// trusts the sessions that it finds as its own in the table.
  ///
  /// A session that is claimed is in use, so it makes no room for a newer one. An operator's end stands.
  static let claim = Statement(
    name: "claim",
    sql: """
      WITH before AS (
        SELECT boot FROM euripus_sessions WHERE id = $1
      ), gone AS (
        SELECT n.boot FROM euripus_nodes n
          JOIN unnest($3::text::bigint[], $4::text::bigint[]) AS d(boot, beats) ON n.boot = d.boot AND n.beats = d.beats
          WHERE n.boot = (SELECT boot FROM before) FOR SHARE OF n
      )
      UPDATE euripus_sessions s SET boot = $2, claim = claim + 1, number = 0, closing = nullif(closing, $8)
        WHERE id = $1 AND closed_until IS NULL AND \(isKnown("$7")) AND (
          boot = $2 OR boot = $5 AND claim = $6 OR boot IN (SELECT boot FROM gone)
          OR NOT EXISTS (SELECT FROM euripus_nodes n WHERE n.boot = s.boot AND n.url IS NOT NULL))
        RETURNING CASE WHEN (SELECT boot FROM before) <> $2
          THEN pg_notify('euripus_' || current_schema(), 'taken ' || id || ' ' || $2 || '.' || claim)::text END
      """)
  /// Reads a session, and the node that has it now.
  static let readClaimed = Statement(
    name: "read_claimed",
    sql: """
      SELECT \(columns), url, token FROM euripus_sessions
        LEFT JOIN (SELECT boot AS of, url, token::text FROM euripus_nodes) n ON of = boot WHERE id = $1
      """)
  /// Puts aside a session that cannot be read, if its row is still the one that was read.
  static let setAsideUnread = Statement(
    name: "set_aside_unread",
    sql: """
      WITH gone AS (DELETE FROM euripus_sessions WHERE id = $1 AND checksum = $2 RETURNING *), \(goneParts)
      INSERT INTO euripus_set_aside SELECT $3, now(), gone.* FROM gone
      """)

  // MARK: Expiry, and the operator

  /// Whether a session is to be forgotten: by an `ExpiryRule`, or because a closed session's time is over.
  ///
  /// - Parameter rooms: the parameter with the times for rooms, as a JSON object by the names of view models.
  private static func isOver(
    _ now: String, _ unusedSince: String, _ littleUsedSince: String, rooms: String
  ) -> String {
    """
    CASE WHEN closed_until IS NOT NULL THEN closed_until <= \(now)
      WHEN used < 0 THEN -used < \(now) - \(SessionRecord.patience)
      WHEN of_user = 0 AND revision < \(SessionRecord.littleUse.revisions)
        THEN greatest(used, wakes_at / 1000) < \(littleUsedSince)
      WHEN \(rooms)::text::jsonb ? model THEN greatest(used, wakes_at / 1000) < (\(rooms)::text::jsonb ->> model)::bigint
      ELSE greatest(used, wakes_at / 1000) < \(unusedSince) END
    """
  }

  /// Whether no server but this one can have a session in memory.
  ///
  /// - Parameter boot: the parameter with this server's number.
  static func isNotElsewhere(_ boot: String) -> String {
    """
    NOT EXISTS (
      SELECT FROM euripus_nodes WHERE boot = s.boot AND boot <> \(boot) AND seen > now() - interval '1 minute')
    """
  }

  /// Reads the next sessions, and whether each is to be forgotten. It is not, while
  /// another server may have it in memory.
  static let unused = Statement(
    name: "unused",
    sql: """
      SELECT id, (\(isOver("$1", "$2", "$6", rooms: "$7")) AND \(isNotElsewhere("$5")))::int,
        (closed_until IS NULL)::int, boot, claim
      FROM euripus_sessions s WHERE id > $3 ORDER BY id LIMIT $4
      """)
  /// Finds sessions whose timers are due and that this node may claim, as far as the tables tell.
  ///
  /// They are no sessions of another node that gives signs, and none with a schema that this node does not know. A
  /// sign of the future is from before the clock of the database was set back, and tells nothing.
  static let due = Statement(
    name: "due",
    sql: """
      SELECT id, wakes_at FROM euripus_sessions s WHERE wakes_at <= $1 AND (wakes_at, id) > ($2, $3::text)
        AND \(isKnown("$6"))
        AND NOT EXISTS (
          SELECT FROM euripus_nodes
            WHERE boot = s.boot AND boot <> $5 AND url IS NOT NULL
              AND seen BETWEEN now() - interval '3 seconds' AND now() + interval '1 minute')
        ORDER BY wakes_at, id LIMIT $4
      """)
  static let forget = Statement(
    name: "forget",
    sql: """
      DELETE FROM euripus_sessions
        WHERE id = $1 AND boot = $4 AND claim = $5 AND \(isOver("$2", "$3", "$6", rooms: "$7"))
      """)
  /// The columns of a session's summary, which is read without its state.
  private static let summary = """
    SELECT id, model, boot, claim, (octet_length(state) + octet_length(keys) + part_bytes)::bigint, used, closed_until,
      owner, context,
      (SELECT user_id FROM euripus_clients c WHERE c.owner = s.owner) FROM euripus_sessions s
    """
  static let list = Statement(name: "list", sql: "\(summary) WHERE id > $1 ORDER BY id LIMIT $2")
  static let listOwned = Statement(
    name: "list_owned",
    sql: """
      \(summary) WHERE closed_until IS NULL
        AND (owner IN ($1, $2) OR owner IN (SELECT owner FROM euripus_clients WHERE user_id = $3))
        ORDER BY abs(used) DESC LIMIT $4
      """)
  static let count = Statement(
    name: "count",
    sql: """
      SELECT count(*) FILTER (WHERE closed_until IS NULL), count(closed_until), (SELECT count(*) FROM euripus_set_aside)
        FROM euripus_sessions
      """)

  /// Tells the size of the tables, in bytes, with their indexes and with long values, which are stored apart
  /// (TOAST).
  static let size = Statement(
    name: "size",
    sql: """
      SELECT (pg_total_relation_size('euripus_sessions') + pg_total_relation_size('euripus_set_aside')
        + pg_total_relation_size('euripus_parts') + pg_total_relation_size('euripus_parts_set_aside')
        + pg_total_relation_size('euripus_clients'))::bigint
      """)
}
