// SPDX-License-Identifier: MIT
import Storing

/// The tables of format 6, and the statements on them.
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
    CREATE TRIGGER session_came AFTER INSERT ON sessions BEGIN
      INSERT INTO shares VALUES (new.network, new.of_user, new.bytes), (\(all), 0, new.bytes) \(adding);
    END;
    CREATE TRIGGER session_went AFTER DELETE ON sessions BEGIN
      INSERT INTO shares VALUES (old.network, old.of_user, -old.bytes), (\(all), 0, -old.bytes) \(adding);
    END;
    CREATE TRIGGER session_changed AFTER UPDATE OF bytes, of_user ON sessions
      WHEN old.bytes <> new.bytes OR old.of_user <> new.of_user BEGIN
      INSERT INTO shares VALUES (old.network, old.of_user, -old.bytes), (new.network, new.of_user, new.bytes),
        (\(all), 0, new.bytes - old.bytes) \(adding);
    END;
    """
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
  ]

  /// The columns of a session, in the order in which ``SQLiteSessionRow`` reads them.
  private static let columns = """
    rowid, id, model, owner, boot, claim, number, opening, closing, closed_until, revision, schema, used, checksum, state, keys,
    context, wakes_at, parts, network, of_user
    """

  static let find = """
    SELECT rowid, boot, claim, number, closed_until IS NOT NULL, of_user, network FROM sessions WHERE id = ?1
    """
  static let read = "SELECT \(columns) FROM sessions WHERE id = ?1"
  static let readOwned = "SELECT \(columns) FROM sessions WHERE owner = ?1 ORDER BY id"
  static let readNext = "SELECT \(columns) FROM sessions WHERE rowid > ?1 ORDER BY rowid LIMIT ?2"
  static let readPage = "SELECT \(columns) FROM sessions WHERE id > ?1 ORDER BY id LIMIT ?2"
  static let readAll = "SELECT \(columns) FROM sessions"
  static let insert = """
    INSERT INTO sessions (
      id, model, owner, boot, claim, number, opening, closing, closed_until, revision, schema, used, checksum, state, keys,
      context, wakes_at, parts, part_bytes, network, of_user, bytes
    ) VALUES (
      ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)
    """
  /// Writes only the columns that a change of a living session can change: the indexes of the others stay as they
  /// are.
  static let update = """
    UPDATE sessions SET number = ?2, revision = ?3, schema = ?4, used = ?5, checksum = ?6, state = ?7, keys = ?8,
      context = ?9, wakes_at = ?10, parts = ?11, part_bytes = ?12, bytes = ?13 WHERE rowid = ?1
    """
  /// Gives a session of which no network is known one, together with a change of its bytes, which the trigger of the
  /// shares notices.
  static let takeNetwork = "UPDATE sessions SET network = ?2, bytes = ?3 WHERE rowid = ?1 AND bytes <> ?3"
  static let setOfUser = "UPDATE sessions SET of_user = ?2 WHERE rowid = ?1"
  static let close = """
    UPDATE sessions SET number = ?2, closing = ?3, closed_until = ?4, revision = 0, schema = 0, used = 0, checksum = ?5,
      state = x'', keys = x'', context = NULL, wakes_at = NULL, parts = 0, part_bytes = 0, of_user = 0,
      bytes = \(StoreRoom.page) WHERE rowid = ?1
    """
  /// The number of changes begins again at 0: each owner counts its own.
  static let claim = "UPDATE sessions SET boot = ?2, claim = ?3, number = 0 WHERE rowid = ?1"
  static let delete = "DELETE FROM sessions WHERE rowid = ?1"
  static let setAside = """
    INSERT INTO set_aside (
      reason, at, id, model, owner, boot, claim, number, opening, closing, closed_until, revision, schema, used, checksum,
      state, keys, context, wakes_at, parts, part_bytes
    ) SELECT ?2, unixepoch(), id, model, owner, boot, claim, number, opening, closing, closed_until, revision, schema, used,
      checksum, state, keys, context, wakes_at, parts, part_bytes FROM sessions WHERE rowid = ?1
    """
  static let readParts = "SELECT name, checksum, json FROM parts WHERE session = ?1 ORDER BY name"
  static let putPart = """
    INSERT INTO parts (session, name, checksum, json) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (session, name) DO UPDATE SET checksum = ?3, json = ?4
    """
  static let removePart = "DELETE FROM parts WHERE session = ?1 AND name = ?2"
  static let removeParts = "DELETE FROM parts WHERE session = ?1"
  static let setPartsAside = """
    INSERT INTO parts_set_aside (session, name, checksum, json) SELECT session, name, checksum, json FROM parts
      WHERE session = ?1
    """
  /// Finds parts that have no living session.
  static let strayParts = """
    SELECT DISTINCT session FROM parts
      WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = parts.session AND closed_until IS NULL)
    """
  /// The columns of a session's summary, which is read without its state.
  private static let summary = """
    SELECT id, model, boot, claim, length(state) + length(keys) + part_bytes, used, closed_until, owner, context,
      (SELECT user FROM clients WHERE clients.owner = sessions.owner) FROM sessions
    """
  static let list = "\(summary) WHERE id > ?1 ORDER BY id LIMIT ?2"
  static let listOwned = """
    \(summary) WHERE closed_until IS NULL
      AND (owner IN (?1, ?2) OR owner IN (SELECT owner FROM clients WHERE user = ?3)) ORDER BY abs(used) DESC LIMIT ?4
    """
  static let due = """
    SELECT id, wakes_at FROM sessions WHERE wakes_at <= ?1 AND (wakes_at, id) > (?2, ?3) ORDER BY wakes_at, id LIMIT ?4
    """
  static let count = """
    SELECT count(*) FILTER (WHERE closed_until IS NULL), count(closed_until), (SELECT count(*) FROM set_aside) FROM sessions
    """
  static let putClient = """
    INSERT INTO clients (owner, credential, user, identity, changed) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (owner) DO UPDATE SET credential = ?2, user = ?3, identity = ?4, changed = ?5
    """
  static let endClients = "UPDATE clients SET credential = NULL, user = NULL, identity = ?1, changed = ?2"
  static let renewClient = "UPDATE clients SET changed = ?3 WHERE owner = ?1 AND credential = ?2"
  /// Finds the clients of a credential, at most two rows. Two would need one client's first credential to be
  /// another's present one, which chance does not bring about.
  static let findClient = "SELECT owner, credential, identity, changed FROM clients WHERE owner = ?1 OR credential = ?1"
  static let clientsOfUser = "SELECT owner, credential, identity, changed FROM clients WHERE user = ?1"
  static let forgetClients = """
    DELETE FROM clients WHERE changed < ?1 AND NOT EXISTS (SELECT 1 FROM sessions WHERE owner = clients.owner)
    """
  /// Finds the sum of all, which is the greatest, and the heaviest shares.
  static let heaviest = """
    SELECT network, of_user, bytes FROM shares ORDER BY bytes DESC LIMIT \(StoreRoom.mostShares + 1)
    """
  /// Finds sessions of a sample of a share, beginning with the longest unused. Closed ones come first, as their use is
  /// 0. The bytes stand behind the state, so they are read of the chosen ones alone.
  static let longestUnused = """
    SELECT rowid, id, bytes FROM sessions WHERE rowid IN (
      SELECT row FROM (
        SELECT * FROM (\(ofShare) AND id > ?3 ORDER BY id LIMIT ?4)
        UNION ALL SELECT * FROM (\(ofShare) AND id <= ?3 ORDER BY id LIMIT ?4)
        LIMIT ?4
      ) ORDER BY abs(used) LIMIT ?5
    ) ORDER BY abs(used)
    """
  private static let ofShare = "SELECT rowid AS row, used FROM sessions WHERE network = ?1 AND of_user = ?2"
  static let forgetShares = "DELETE FROM shares WHERE bytes = 0"
  static let nextBoot = "SELECT boot + 1 FROM holder"
  static let boot = "UPDATE holder SET boot = boot + 1, name = ?1, opened = unixepoch() RETURNING boot"
}
