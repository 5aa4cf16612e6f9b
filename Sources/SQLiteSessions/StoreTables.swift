// SPDX-License-Identifier: MIT
import Storing

/// The tables of format 8, and the statements on them.
///
/// A session is one row, and one more for each part of its state. SQLite itself would not notice a flipped bit, so
/// each of them has a checksum. A session's covers neither its parts, which have their own, nor their count and
/// bytes. It does not cover `boot`, `claim` and `number` either, which belong to its owner. A session that is put
/// aside keeps its rows as they were.
enum StoreTables {
  static let creation = """
    CREATE TABLE holder (boot INTEGER NOT NULL, name TEXT NOT NULL, opened INTEGER NOT NULL) STRICT;
    INSERT INTO holder VALUES (0, '', 0);
    CREATE TABLE sessions (
      id TEXT NOT NULL UNIQUE,
      model TEXT NOT NULL,
      owner BLOB NOT NULL,
      boot INTEGER NOT NULL,
      claim INTEGER NOT NULL,
      number INTEGER NOT NULL,
      opening BLOB,
      closing BLOB,
      closed_until INTEGER,
      revision INTEGER NOT NULL,
      schema INTEGER NOT NULL,
      used INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      state BLOB NOT NULL,
      keys BLOB NOT NULL,
      context BLOB,
      wakes_at INTEGER,
      parts INTEGER NOT NULL DEFAULT 0,
      part_bytes INTEGER NOT NULL DEFAULT 0,
      network INTEGER NOT NULL DEFAULT 0,
      of_user INTEGER NOT NULL DEFAULT 1,
      bytes INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX sessions_by_owner ON sessions (owner);
    \(wakes)
    CREATE TABLE set_aside (
      reason TEXT, at INTEGER, id, model, owner, boot, claim, number, opening, closing, closed_until, revision, schema,
      used, checksum, state, keys, context, wakes_at, parts, part_bytes
    );
    \(clients)
    \(parts)
    \(shares)
    \(names)
    \(steps)
    PRAGMA application_id = \(StoreFile.applicationID);
    PRAGMA user_version = \(StoreFile.format);
    """

  /// The clients that have signed in, now or before. Each has another credential than the one that it came with.
  private static let clients = """
    CREATE TABLE clients (
      owner BLOB NOT NULL PRIMARY KEY,
      credential BLOB UNIQUE,
      user TEXT,
      identity BLOB NOT NULL,
      changed INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX clients_by_user ON clients (user);
    """

  /// The sessions that have timers, by the time of each one's first timer, in milliseconds since 1970.
  ///
  /// The timers themselves are in the context. The checksum covers that, and not the column.
  private static let wakes = "CREATE INDEX sessions_by_wake ON sessions (wakes_at, id) WHERE wakes_at IS NOT NULL;"

  /// The parts. A part's name is the bytes of its JSON Pointer. Its row is removed, or put aside, with its
  /// session's.
  private static let parts = """
    CREATE TABLE parts (
      session TEXT NOT NULL,
      name BLOB NOT NULL,
      checksum INTEGER NOT NULL,
      json BLOB NOT NULL,
      PRIMARY KEY (session, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE parts_set_aside (session, name, checksum, json);
    """

  /// The room that sessions take, by network, and for users and others apart. The row of network ``all`` has the sum
  /// of all. No checksum covers it.
  ///
  /// Triggers keep the sums in the transaction of each change. A session that an earlier version has stored counts
  /// nothing, and as a user's, until it changes.
  private static let shares = """
    CREATE TABLE shares (
      network INTEGER NOT NULL,
      of_user INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (network, of_user)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX shares_by_bytes ON shares (bytes);
    CREATE INDEX sessions_by_network ON sessions (network, of_user, id);
    \(triggers(on: "sessions", "shares"))
    """

  private static func triggers(on sessions: String, _ shares: String) -> String {
    """
    CREATE TRIGGER session_came AFTER INSERT ON \(sessions) BEGIN
      INSERT INTO \(shares) VALUES (new.network, new.of_user, new.bytes), (\(all), 0, new.bytes) \(adding);
    END;
    CREATE TRIGGER session_went AFTER DELETE ON \(sessions) BEGIN
      INSERT INTO \(shares) VALUES (old.network, old.of_user, -old.bytes), (\(all), 0, -old.bytes) \(adding);
    END;
    CREATE TRIGGER session_changed AFTER UPDATE OF bytes, of_user ON \(sessions)
      WHEN old.bytes <> new.bytes OR old.of_user <> new.of_user BEGIN
      INSERT INTO \(shares) VALUES (old.network, old.of_user, -old.bytes), (new.network, new.of_user, new.bytes),
        (\(all), 0, new.bytes - old.bytes) \(adding);
    END;
    """
  }

  /// The number by which no network is known.
  static let all: Int64 = -1
  private static let adding = "ON CONFLICT (network, of_user) DO UPDATE SET bytes = bytes + excluded.bytes"

  /// The steps from each format to the next. The first one leads from 1 to 2.
  static let migrations = [
    """
    ALTER TABLE sessions ADD COLUMN context BLOB;
    ALTER TABLE set_aside ADD COLUMN context;
    \(clients)
    """,
    // To 3: timers (Decisions/0055).
    """
    ALTER TABLE sessions ADD COLUMN wakes_at INTEGER;
    ALTER TABLE set_aside ADD COLUMN wakes_at;
    \(wakes)
    """,
    // To 4: the parts of stored states (Decisions/0054).
    """
    ALTER TABLE sessions ADD COLUMN parts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE set_aside ADD COLUMN parts;
    \(parts)
    """,
    // To 5: the bytes of a session's parts, so that a list of sessions need not read them.
    """
    ALTER TABLE sessions ADD COLUMN part_bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE set_aside ADD COLUMN part_bytes;
    UPDATE sessions SET part_bytes = (SELECT coalesce(sum(length(json)), 0) FROM parts WHERE session = id) WHERE parts > 0;
    """,
    // To 6: the room that sessions take, by network (Decisions/0061).
    """
    ALTER TABLE sessions ADD COLUMN network INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN of_user INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE sessions ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    \(shares)
    """,
    // To 7: names that leave the others to an app's own tables (Decisions/0067).
    names,
    // To 8: the app's migrations that were done, by which a changed one is found (Decisions/0067).
    steps,
  ]

  /// Gives each table its name of today. Those above have the names of the formats that they came with.
  ///
  /// The triggers are made anew: SQLite 3.40 takes the `excluded` of an upsert in a trigger for the table that it renames.
  private static let names = """
    DROP TRIGGER session_came;
    DROP TRIGGER session_went;
    DROP TRIGGER session_changed;
    \(["holder", "sessions", "set_aside", "clients", "parts", "parts_set_aside", "shares"]
      .map { "ALTER TABLE \($0) RENAME TO \(ownPrefix)\($0);" }.joined(separator: " "))
    \(triggers(on: "euripus_sessions", "euripus_shares"))
    CREATE TABLE euripus_app (version INTEGER NOT NULL) STRICT;
    INSERT INTO euripus_app VALUES (0);
    """
  private static let steps = """
    CREATE TABLE euripus_app_steps (number INTEGER PRIMARY KEY, digest TEXT NOT NULL) STRICT;
    """
  static let appSteps = "SELECT number, digest FROM euripus_app_steps"
  static let noteAppStep = "INSERT INTO euripus_app_steps VALUES (?, ?)"
  /// The number of the app's migrations that were done.
  static let appVersion = "SELECT version FROM euripus_app"

  /// Finds tables of the app's that have a foreign key to one of the store's, whose rows could not be removed then.
  static let keysToOwn = """
    SELECT app.name FROM sqlite_schema AS app, pragma_foreign_key_list(app.name) AS key
      WHERE substr(lower(key."table"), 1, 8) = '\(ownPrefix)'
    """

  private static let ownPrefix = "euripus_"

  /// Whether a table is the store's, and not an app's.
  static func isOwn(_ table: String) -> Bool { table.lowercased().hasPrefix(ownPrefix) }

  /// The columns of a session, in the order in which ``SQLiteSessionRow`` reads them.
  private static let columns = """
    rowid, id, model, owner, boot, claim, number, opening, closing, closed_until, revision, schema, used, checksum, state, keys,
    context, wakes_at, parts, network, of_user
    """

  static let find = """
    SELECT rowid, boot, claim, number, closed_until IS NOT NULL, of_user, network FROM euripus_sessions WHERE id = ?1
    """
  static let read = "SELECT \(columns) FROM euripus_sessions WHERE id = ?1"
  static let readOwned = "SELECT \(columns) FROM euripus_sessions WHERE owner = ?1 ORDER BY id"
  static let readNext = "SELECT \(columns) FROM euripus_sessions WHERE rowid > ?1 ORDER BY rowid LIMIT ?2"
  static let readPage = "SELECT \(columns) FROM euripus_sessions WHERE id > ?1 ORDER BY id LIMIT ?2"
  static let readAll = "SELECT \(columns) FROM euripus_sessions"
  static let insert = """
    INSERT INTO euripus_sessions (
      id, model, owner, boot, claim, number, opening, closing, closed_until, revision, schema, used, checksum, state, keys,
      context, wakes_at, parts, part_bytes, network, of_user, bytes
    ) VALUES (
      ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)
    """
  /// Writes only the columns that a change of a living session can change: the indexes of the others stay as they
  /// are.
  static let update = """
    UPDATE euripus_sessions SET number = ?2, revision = ?3, schema = ?4, used = ?5, checksum = ?6, state = ?7, keys = ?8,
      context = ?9, wakes_at = ?10, parts = ?11, part_bytes = ?12, bytes = ?13 WHERE rowid = ?1
    """
  /// Gives a session of which no network is known one, together with a change of its bytes, which the trigger of the
  /// shares notices.
  static let takeNetwork = "UPDATE euripus_sessions SET network = ?2, bytes = ?3 WHERE rowid = ?1 AND bytes <> ?3"
  static let setOfUser = "UPDATE euripus_sessions SET of_user = ?2 WHERE rowid = ?1"
  static let close = """
    UPDATE euripus_sessions SET number = ?2, closing = ?3, closed_until = ?4, revision = 0, schema = 0, used = 0, checksum = ?5,
      state = x'', keys = x'', context = NULL, wakes_at = NULL, parts = 0, part_bytes = 0, of_user = 0,
      bytes = \(StoreRoom.page) WHERE rowid = ?1
    """
  /// The number of changes begins again at 0: each owner counts its own.
  static let claim = "UPDATE euripus_sessions SET boot = ?2, claim = ?3, number = 0 WHERE rowid = ?1"
  static let delete = "DELETE FROM euripus_sessions WHERE rowid = ?1"
  static let setAside = """
    INSERT INTO euripus_set_aside (
      reason, at, id, model, owner, boot, claim, number, opening, closing, closed_until, revision, schema, used, checksum,
      state, keys, context, wakes_at, parts, part_bytes
    ) SELECT ?2, unixepoch(), id, model, owner, boot, claim, number, opening, closing, closed_until, revision, schema, used,
      checksum, state, keys, context, wakes_at, parts, part_bytes FROM euripus_sessions WHERE rowid = ?1
    """
  static let readParts = "SELECT name, checksum, json FROM euripus_parts WHERE session = ?1 ORDER BY name"
  static let putPart = """
    INSERT INTO euripus_parts (session, name, checksum, json) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (session, name) DO UPDATE SET checksum = ?3, json = ?4
    """
  static let removePart = "DELETE FROM euripus_parts WHERE session = ?1 AND name = ?2"
  static let removeParts = "DELETE FROM euripus_parts WHERE session = ?1"
  static let setPartsAside = """
    INSERT INTO euripus_parts_set_aside (session, name, checksum, json) SELECT session, name, checksum, json FROM euripus_parts
      WHERE session = ?1
    """
  /// Finds parts that have no living session.
  static let strayParts = """
    SELECT DISTINCT session FROM euripus_parts
      WHERE NOT EXISTS (SELECT 1 FROM euripus_sessions WHERE id = euripus_parts.session AND closed_until IS NULL)
    """
  /// The columns of a session's summary, which is read without its state.
  private static let summary = """
    SELECT id, model, boot, claim, length(state) + length(keys) + part_bytes, used, closed_until, owner, context,
      (SELECT user FROM euripus_clients WHERE euripus_clients.owner = euripus_sessions.owner) FROM euripus_sessions
    """
  static let list = "\(summary) WHERE id > ?1 ORDER BY id LIMIT ?2"
  static let listOwned = """
    \(summary) WHERE closed_until IS NULL
      AND (owner IN (?1, ?2) OR owner IN (SELECT owner FROM euripus_clients WHERE user = ?3)) ORDER BY abs(used) DESC LIMIT ?4
    """
  static let due = """
    SELECT id, wakes_at FROM euripus_sessions WHERE wakes_at <= ?1 AND (wakes_at, id) > (?2, ?3) ORDER BY wakes_at, id LIMIT ?4
    """
  static let count = """
    SELECT count(*) FILTER (WHERE closed_until IS NULL), count(closed_until), (SELECT count(*) FROM euripus_set_aside) FROM euripus_sessions
    """
  static let putClient = """
    INSERT INTO euripus_clients (owner, credential, user, identity, changed) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (owner) DO UPDATE SET credential = ?2, user = ?3, identity = ?4, changed = ?5
    """
  static let endClients = "UPDATE euripus_clients SET credential = NULL, user = NULL, identity = ?1, changed = ?2"
  static let renewClient = "UPDATE euripus_clients SET changed = ?3 WHERE owner = ?1 AND credential = ?2"
  /// Finds the clients of a credential, at most two rows. Two would need one client's first credential to be
  /// another's present one, which chance does not bring about.
  static let findClient =
    "SELECT owner, credential, identity, changed FROM euripus_clients WHERE owner = ?1 OR credential = ?1"
  static let clientsOfUser = "SELECT owner, credential, identity, changed FROM euripus_clients WHERE user = ?1"
  static let forgetClients = """
    DELETE FROM euripus_clients WHERE changed < ?1 AND NOT EXISTS (SELECT 1 FROM euripus_sessions WHERE owner = euripus_clients.owner)
    """
  /// Finds the sum of all, which is the greatest, and the heaviest shares.
  static let heaviest = """
    SELECT network, of_user, bytes FROM euripus_shares ORDER BY bytes DESC LIMIT \(StoreRoom.mostShares + 1)
    """
  /// Finds sessions of a sample of a share, beginning with the longest unused. Closed ones come first, as their use is
  /// 0. The bytes stand behind the state, so they are read of the chosen ones alone.
  static let longestUnused = """
    SELECT rowid, id, bytes FROM euripus_sessions WHERE rowid IN (
      SELECT row FROM (
        SELECT * FROM (\(ofShare) AND id > ?3 ORDER BY id LIMIT ?4)
        UNION ALL SELECT * FROM (\(ofShare) AND id <= ?3 ORDER BY id LIMIT ?4)
        LIMIT ?4
      ) ORDER BY abs(used) LIMIT ?5
    ) ORDER BY abs(used)
    """
  private static let ofShare = "SELECT rowid AS row, used FROM euripus_sessions WHERE network = ?1 AND of_user = ?2"
  static let forgetShares = "DELETE FROM euripus_shares WHERE bytes = 0"
  static let nextBoot = "SELECT boot + 1 FROM euripus_holder"
  static let boot = "UPDATE euripus_holder SET boot = boot + 1, name = ?1, opened = unixepoch() RETURNING boot"
}
