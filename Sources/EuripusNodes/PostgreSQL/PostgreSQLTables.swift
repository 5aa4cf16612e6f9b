// SPDX-License-Identifier: MIT

/// The tables of format 7.
///
/// Their names have no schema: they are in the first one of the role's `search_path`, where others' tables may be
/// as well.
///
/// A session is one row, found by its id, a text that is compared by its bytes. Each part of its state is a row of
/// another table, which is deleted with the session. The `closing` of a living one is the reason for which another
/// server asks that it ends.
///
/// An update leaves the indexed columns as they are, but for the time of a timer and where a client signs in. Each
/// page has room for another version of its rows. So no index grows (heap-only tuples).
///
/// The room that sessions take is summed up by network, and for users and others apart. The sums are read and written
/// by all servers, so a change of a session does not write them: triggers add a row of changes, and a look adds these
/// up. Nobody waits for a sum.
enum PostgreSQLTables {
  /// The present format of the tables. Formats count from 1.
  static let format: Int64 = 7

  /// The earliest format whose servers may run on while the tables are brought to the present one.
  ///
  /// A server of format 2 would take a session without its parts for one whose lists are empty.
  static let leastBeside: Int64 = 3

  /// The steps from each format to the next. The first ones make the tables.
  static let migrations = [
    [
      "CREATE TABLE euripus_store (format bigint NOT NULL)",
      "INSERT INTO euripus_store VALUES (0)",
      """
      CREATE TABLE euripus_nodes (
        boot bigint PRIMARY KEY,
        token uuid NOT NULL DEFAULT gen_random_uuid(),
        name text NOT NULL,
        url text,
        beats bigint NOT NULL DEFAULT 0,
        opened timestamptz NOT NULL DEFAULT now(),
        seen timestamptz NOT NULL DEFAULT now()
      )
      """,
      """
      CREATE TABLE euripus_sessions (
        id text COLLATE "C" PRIMARY KEY,
        model text NOT NULL,
        owner bytea NOT NULL,
        boot bigint NOT NULL,
        claim bigint NOT NULL,
        number bigint NOT NULL,
        opening bytea,
        closing bytea,
        closed_until bigint,
        revision bigint NOT NULL,
        schema bigint NOT NULL,
        used bigint NOT NULL,
        checksum bigint NOT NULL,
        state bytea NOT NULL,
        keys bytea NOT NULL,
        context bytea
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)
      """,
      "CREATE INDEX euripus_sessions_owner ON euripus_sessions (owner)",
      // A request with a key opens one session, whichever server it comes to. The same holds for requests for a
      // user's own session.
      """
      CREATE UNIQUE INDEX euripus_sessions_opening ON euripus_sessions (owner, model, opening)
        WHERE opening IS NOT NULL AND closed_until IS NULL
      """,
      """
      CREATE TABLE euripus_set_aside (
        reason text NOT NULL, at timestamptz NOT NULL DEFAULT now(), LIKE euripus_sessions
      )
      """,
      """
      CREATE TABLE euripus_clients (
        owner bytea PRIMARY KEY,
        credential bytea UNIQUE,
        user_id text,
        identity bytea NOT NULL,
        changed bigint NOT NULL
      )
      """,
      "CREATE INDEX euripus_clients_user ON euripus_clients (user_id)",
    ],
    // To 2: timers (Decisions/0055). The column has the time of the first, in milliseconds since 1970. The timers
    // themselves are in the context.
    [
      "ALTER TABLE euripus_sessions ADD COLUMN wakes_at bigint",
      "ALTER TABLE euripus_set_aside ADD COLUMN wakes_at bigint",
      "CREATE INDEX euripus_sessions_wake ON euripus_sessions (wakes_at, id) WHERE wakes_at IS NOT NULL",
    ],
    // To 3: the parts of stored states (Decisions/0054).
    [
      "ALTER TABLE euripus_sessions ADD COLUMN parts bigint NOT NULL DEFAULT 0",
      "ALTER TABLE euripus_set_aside ADD COLUMN parts bigint NOT NULL DEFAULT 0",
      """
      CREATE TABLE euripus_parts (
        session text COLLATE "C" NOT NULL REFERENCES euripus_sessions ON DELETE CASCADE,
        name bytea NOT NULL,
        checksum bigint NOT NULL,
        json bytea NOT NULL,
        PRIMARY KEY (session, name)
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)
      """,
      "CREATE TABLE euripus_parts_set_aside (LIKE euripus_parts)",
    ],
    // To 4: the bytes of a session's parts, so that a list of sessions need not read them.
    [
      "ALTER TABLE euripus_sessions ADD COLUMN part_bytes bigint NOT NULL DEFAULT 0",
      "ALTER TABLE euripus_set_aside ADD COLUMN part_bytes bigint NOT NULL DEFAULT 0",
      """
      UPDATE euripus_sessions s
        SET part_bytes = (SELECT coalesce(sum(octet_length(json)), 0) FROM euripus_parts WHERE session = s.id)
        WHERE parts > 0
      """,
    ],
    // To 5: the room that sessions take, by network (Decisions/0061).
    [
      "ALTER TABLE euripus_sessions \(shareColumns)",
      "ALTER TABLE euripus_set_aside \(shareColumns)",
      "CREATE INDEX euripus_sessions_network ON euripus_sessions (network, of_user, id)",
      """
      CREATE TABLE euripus_shares (
        network bigint NOT NULL, of_user bigint NOT NULL, bytes bigint NOT NULL, PRIMARY KEY (network, of_user)
      )
      """,
      "CREATE INDEX euripus_shares_bytes ON euripus_shares (bytes)",
      """
      CREATE TABLE euripus_share_changes (network bigint NOT NULL, of_user bigint NOT NULL, bytes bigint NOT NULL)
      """,
      """
      CREATE FUNCTION euripus_count_share() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP <> 'INSERT' THEN
            INSERT INTO euripus_share_changes VALUES (OLD.network, OLD.of_user, -OLD.bytes);
          END IF;
          IF TG_OP <> 'DELETE' THEN
            INSERT INTO euripus_share_changes VALUES (NEW.network, NEW.of_user, NEW.bytes);
          END IF;
          RETURN NULL;
        END $$
      """,
      """
      CREATE TRIGGER euripus_session_came_or_went AFTER INSERT OR DELETE ON euripus_sessions
        FOR EACH ROW EXECUTE FUNCTION euripus_count_share()
      """,
      """
      CREATE TRIGGER euripus_session_changed AFTER UPDATE ON euripus_sessions
        FOR EACH ROW WHEN (OLD.bytes <> NEW.bytes OR OLD.of_user <> NEW.of_user)
        EXECUTE FUNCTION euripus_count_share()
      """,
    ],
    // To 6: the last migration of the app's own tables that was done (Decisions/0067).
    ["CREATE TABLE euripus_app (version bigint NOT NULL)", "INSERT INTO euripus_app VALUES (0)"],
    // To 7: the app's migrations that were done, by which a changed one is found (Decisions/0067).
    ["CREATE TABLE euripus_app_steps (number bigint PRIMARY KEY, digest text NOT NULL)"],
  ]

  /// The columns of a session's share. A session that a server of format 4 has stored counts nothing, and as a user's,
  /// until a later one changes it.
  private static let shareColumns = """
    ADD COLUMN network bigint NOT NULL DEFAULT 0, ADD COLUMN of_user bigint NOT NULL DEFAULT 1,
    ADD COLUMN bytes bigint NOT NULL DEFAULT 0
    """
}
