// SPDX-License-Identifier: MIT
package import Storing

/// The clients that have signed in.
extension PostgreSQLStore {
  package func put(_ client: ClientRecord) throws(StoreError) {
    try checkOpen()
    try explained { () throws(PostgreSQLFailure) in
      // Safe at once: no client may come in again by a credential that has ended.
      let put: Step = (
        Statements.putClient,
        [
          .blob(client.owner.bytes), .optional(client.credential?.bytes), client.userID.map { .text($0) } ?? .null,
          .blob(client.identity), .integer(client.changed),
        ]
      )
      let ended: Step = (Statements.tellEnded, [.blob(client.owner.bytes), .optional(client.credential?.bytes)])
      let told = isShared ? [ended, put] : [put]
      let notice = NodeNotice.client(client.owner, ofUser: client.userID.map { .ofUser($0) })
      _ = try run(told + steps(telling: notice), survivesPowerCut: true)
    }
  }

  package func renew(_ owner: Credential, as credential: Credential, at now: Int64) throws(StoreError) {
    try checkOpen()
    try explained { () throws(PostgreSQLFailure) in
      _ = try run(Statements.renewClient, [.blob(owner.bytes), .blob(credential.bytes), .integer(now)])
    }
  }

  package func endClients(at now: Int64) throws(StoreError) {
    try checkOpen()
    try explained { () throws(PostgreSQLFailure) in
      let end: Step = (Statements.endClients, [.blob(ClientRecord.identityOfNobody), .integer(now)])
      _ = try run([end] + steps(telling: .allClients), survivesPowerCut: true)
    }
  }

  package func client(of credential: Credential) throws(StoreError) -> ClientRecord? {
    try clients(Statements.findClient, .blob(credential.bytes)).first
  }

  package func clients(with credentials: [Credential]) throws(StoreError) -> [ClientRecord] {
    try clients(Statements.findClients, .blobs(credentials.map(\.bytes)))
  }

  package func ended(among credentials: [Credential]) throws(StoreError) -> [Credential] {
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      try run(Statements.ended, [.blobs(credentials.map(\.bytes))]).rows.compactMap { Credential(bytes: $0.blob(0)) }
    }
  }

  package func clients(of user: String) throws(StoreError) -> [ClientRecord] {
    guard user.canBeStored else { return [] }
    return try clients(Statements.clientsOfUser, .text(user))
  }

  private func clients(
    _ statement: PostgreSQLConnection.Statement, _ value: PostgreSQLConnection.Value
  ) throws(StoreError) -> [ClientRecord] {
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      Self.clients(in: try run(statement, [value]))
    }
  }

  static func clients(in answer: Answer) -> [ClientRecord] {
    answer.rows.compactMap { row in
      guard let owner = Credential(bytes: row.blob(0)) else { return nil }
      return ClientRecord(
        owner: owner, credential: row.blobIfAny(1).flatMap { Credential(bytes: $0) }, identity: row.blob(2),
        changed: row.integer(3))
    }
  }
}
