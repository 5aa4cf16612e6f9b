// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// The changes of clients by other servers of the store. A notice says where to look; the store says what has changed.
extension SignIns {
  /// Takes in the record of a client in memory that another server may have changed.
  func take(_ record: ClientRecord) {
    guard table.hasClient(record.owner) else { return reenterRooms(record.owner) }
    if let credential = record.credential { return adopt(record, credential) }
    end(record.owner, nil, of: table.user(of: record.owner)?.id)
  }

  /// Gives a client the credential and the user that the store has of it.
  func adopt(_ record: ClientRecord, _ credential: Credential) {
    let client = record.owner
    // The client has them here already.
    if table.knows(record) { return }
    let rotation = self.table.rotate(
      client, to: credential, record.user, in: nil, because: .replaced, now: self.moment().instant,
      isByRequests: record.isByRequests)
    for session in rotation.sessions { session.submit { $0.credentialChanged(to: record.user) } }
    for session in rotation.lost { session.submit { $0.dismiss(client) } }
    self.end(rotation.ended)
    reenterRooms(client)
  }
}
