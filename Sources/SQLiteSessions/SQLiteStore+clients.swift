// SPDX-License-Identifier: MIT
package import Storing

/// The clients that have signed in.
extension SQLiteStore {
  package func put(_ client: ClientRecord) throws(StoreError) {
    let connection = try reached()
    do throws(SQLiteFailure) {
      // Synced: after a power cut no client may come in by a credential that has ended.
      try transaction(in: connection, survivesPowerCut: true) { () throws(SQLiteFailure) in
        try connection.statements.putClient.run(
          .blob(client.owner.bytes), client.credential.map { .blob($0.bytes) } ?? .null,
          client.userID.map { .text($0) } ?? .null, .blob(client.identity), .integer(client.changed))
      }
    } catch { throw error.explained(path) }
  }

  package func renew(_ owner: Credential, as credential: Credential, at now: Int64) throws(StoreError) {
    let connection = try reached()
    do throws(SQLiteFailure) {
      try transaction(in: connection, survivesPowerCut: false) { () throws(SQLiteFailure) in
        try connection.statements.renewClient.run(.blob(owner.bytes), .blob(credential.bytes), .integer(now))
      }
    } catch { throw error.explained(path) }
  }

  package func endClients(at now: Int64) throws(StoreError) {
    let connection = try reached()
    do throws(SQLiteFailure) {
      try transaction(in: connection, survivesPowerCut: true) { () throws(SQLiteFailure) in
        try connection.statements.endClients.run(.blob(ClientRecord.identityOfNobody), .integer(now))
      }
    } catch { throw error.explained(path) }
  }

  package func client(of credential: Credential) throws(StoreError) -> ClientRecord? {
    let connection = try reached()
    do throws(SQLiteFailure) {
      return try connection.statements.findClient.rows(.blob(credential.bytes)) { Self.client($0) }.lazy
        .compactMap { $0 }.first
    } catch { throw error.explained(path) }
  }

  package func clients(of user: String) throws(StoreError) -> [ClientRecord] {
    let connection = try reached()
    do throws(SQLiteFailure) {
      return try connection.statements.clientsOfUser.rows(.text(user)) { Self.client($0) }.compactMap { $0 }
    } catch { throw error.explained(path) }
  }

  private static func client(_ row: SQLiteDatabase.Statement) -> ClientRecord? {
    guard let owner = Credential(bytes: row.blob(0)) else { return nil }
    return ClientRecord(
      owner: owner, credential: row.isNull(1) ? nil : Credential(bytes: row.blob(1)), identity: row.blob(2),
      changed: row.integer(3))
  }
}
