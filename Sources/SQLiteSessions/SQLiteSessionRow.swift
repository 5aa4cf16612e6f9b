// SPDX-License-Identifier: MIT
import Storing

/// One row of the table `sessions`, as it was read: a session, or the reason why it cannot be read.
struct SQLiteSessionRow {
  let rowID: Int64
  let id: String
  let state: StoredState
  let session: Result<StoredSession, Unreadable>

  struct Unreadable: Error {
    let reason: String
  }

  init(_ row: SQLiteDatabase.Statement) {
    rowID = row.integer(0)
    id = String(decoding: row.blob(1), as: UTF8.self)
    state = StoredState(
      claim: SessionClaim(boot: UInt64(bitPattern: row.integer(4)), number: UInt64(bitPattern: row.integer(5))),
      number: UInt64(bitPattern: row.integer(6)), isClosed: !row.isNull(9))
    session = Result { () throws(Unreadable) in try Self.session(row) }
  }

  private static func session(_ row: SQLiteDatabase.Statement) throws(Unreadable) -> StoredSession {
    guard let id = row.text(1), let model = row.text(2) else {
      throw Unreadable(reason: "its id or its model is no text")
    }
    guard let owner = Credential(bytes: row.blob(3)) else {
      throw Unreadable(reason: "its owner has \(row.blob(3).count) bytes; expected 32")
    }
    let opening = try request(row, 7)
    let session: StoredSession
    if row.isNull(9) {
      guard let schema = UInt32(exactly: row.integer(11)) else {
        throw Unreadable(reason: "its schema is \(row.integer(11)); expected a number from 0 to \(UInt32.max)")
      }
      session = .living(
        SessionRecord(
          id: id, model: model, owner: owner, opening: opening, revision: UInt64(bitPattern: row.integer(10)),
          schema: schema, state: row.blob(14), partCount: Int(row.integer(18)), keys: row.blob(15),
          lastUsed: row.integer(12), context: row.isNull(16) ? nil : row.blob(16),
          wakesAt: row.isNull(17) ? nil : row.integer(17), network: row.integer(19),
          isOfUser: row.integer(20) != 0))
    } else {
      guard let closing = Closing(bytes: row.isNull(8) ? nil : row.blob(8)) else {
        throw Unreadable(reason: "the recorded cause of its end is neither a request nor a newer session")
      }
      session = .closed(
        ClosedSession(id: id, model: model, owner: owner, opening: opening, closing: closing, until: row.integer(9)))
    }
    guard session.checksum == UInt64(bitPattern: row.integer(13)) else {
      throw Unreadable(reason: "its checksum is that of something else")
    }
    return session
  }

  private static func request(_ row: SQLiteDatabase.Statement, _ column: Int32) throws(Unreadable) -> KeyedRequest? {
    if row.isNull(column) { return nil }
    guard let request = KeyedRequest(bytes: row.blob(column)) else {
      throw Unreadable(reason: "the key of the request that opened it is none")
    }
    return request
  }
}

extension SQLiteSessionRow.Unreadable {
  func error(_ id: String, _ path: String) -> StoreError {
    StoreError(
      .damaged,
      "what the session store \(path) has of session \(id) cannot be read: \(reason). It was put aside as it is, in the table "
        + "euripus_set_aside; the session is lost unless it is put back from a backup")
  }
}
