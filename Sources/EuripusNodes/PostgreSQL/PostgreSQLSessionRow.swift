// SPDX-License-Identifier: MIT
import Storing

/// One row of the table `euripus_sessions`, as it was read: a session, or the reason why it cannot be read.
struct PostgreSQLSessionRow {
  let id: String
  let state: StoredState
  let checksum: Int64
  let session: Session

  typealias Session = Result<StoredSession, Unreadable>

  struct Unreadable: Error {
    let reason: String
  }

  /// The number of columns that a session is read from.
  static let columns: Int32 = 20

  init(_ row: PostgreSQLConnection.Answer.Row) {
    id = row.text(0)
    state = StoredState(claimIn: row, from: 3, isClosed: !row.isNull(8))
    checksum = row.integer(12)
    session = Result { () throws(Unreadable) in try Self.session(row) }
  }

  private static func session(_ row: PostgreSQLConnection.Answer.Row) throws(Unreadable) -> StoredSession {
    guard let owner = Credential(bytes: row.blob(2)) else {
      throw Unreadable(reason: "its owner has \(row.blob(2).count) bytes; expected 32")
    }
    let (id, model) = (row.text(0), row.text(1))
    let opening = try request(row, 6)
    let session: StoredSession
    if let until = row.integerIfAny(8) {
      guard let closing = Closing(bytes: row.blobIfAny(7)) else {
        throw Unreadable(reason: "the recorded cause of its end is neither a request nor a newer session")
      }
      session = .closed(
        ClosedSession(id: id, model: model, owner: owner, opening: opening, closing: closing, until: until))
    } else {
      guard let schema = UInt32(exactly: row.integer(10)) else {
        throw Unreadable(reason: "its schema is \(row.integer(10)); expected a number from 0 to \(UInt32.max)")
      }
      var record = SessionRecord(
        id: id, model: model, owner: owner, opening: opening, revision: UInt64(bitPattern: row.integer(9)),
        schema: schema, state: row.blob(13), partCount: Int(row.integer(17)), keys: row.blob(14),
        lastUsed: row.integer(11), context: row.blobIfAny(15), wakesAt: row.integerIfAny(16),
        network: row.integer(18), isOfUser: row.integer(19) != 0)
      record.askedEnd = row.blobIfAny(7).flatMap { Closing(bytes: $0) }
      session = .living(record)
    }
    guard session.checksum == UInt64(bitPattern: row.integer(12)) else {
      throw Unreadable(reason: "its checksum is that of something else")
    }
    return session
  }

  private static func request(
    _ row: PostgreSQLConnection.Answer.Row, _ column: Int32
  ) throws(Unreadable) -> KeyedRequest? {
    guard let bytes = row.blobIfAny(column) else { return nil }
    guard let request = KeyedRequest(bytes: bytes) else {
      throw Unreadable(reason: "the key of the request that opened it is none")
    }
    return request
  }
}

extension StoredState {
  /// - Parameter row: a row of `find`.
  init(found row: PostgreSQLConnection.Answer.Row) { self.init(claimIn: row, from: 0, isClosed: row.integer(3) == 1) }

  /// Reads the columns `boot`, `claim` and `number`.
  init(claimIn row: PostgreSQLConnection.Answer.Row, from column: Int32, isClosed: Bool) {
    self.init(
      claim: SessionClaim(
        boot: UInt64(bitPattern: row.integer(column)), number: UInt64(bitPattern: row.integer(column + 1))),
      number: UInt64(bitPattern: row.integer(column + 2)), isClosed: isClosed)
  }
}
