// SPDX-License-Identifier: MIT
import Locking
import ViewModels

/// The changes of clients by other servers of the store. A notice says where to look; the store says what has changed.
extension Identities {
  /// Clients that could not be looked up, and the instant before which they are not looked up again.
  struct Unheard {
    static let pause: Duration = .seconds(1)
    var clients: Set<Credential> = []
    var next: ContinuousClock.Instant?
  }

  /// Takes in the records of clients in memory that other servers may have changed.
  func hear(_ clients: [Credential]) {
    guard let keeper, !clients.isEmpty else { return }
    keeper.committer.withStore { store throws(StoreError) in
      try store.clients(with: clients)
    } then: { result in
      switch result {
      case .success(let records): for record in records { self.take(record) }
      // A client may have signed out, so they are looked up again later.
      case .failure:
        let next = self.moment().instant + Unheard.pause
        self.unheard.withLock { unheard in
          unheard.clients.formUnion(clients)
          unheard.next = next
        }
      }
    }
  }

  private func take(_ record: ClientRecord) {
    guard table.hasClient(record.owner) else { return }
    if let credential = record.credential { return adopt(record, credential) }
    end(record.owner, nil, of: table.user(of: record.owner)?.id)
  }

  /// Notes that a credential has ended at another server, if the store has no client and no session of it.
  func hear(ended credential: Credential, _ reason: EndedCredentials.Reason) {
    let now = moment().instant
    guard let keeper, table.ending(of: credential, now: now) == nil else { return }
    keeper.committer.withStore { store throws(StoreError) in
      if let record = try store.client(of: credential) { return record.credential != credential }
      return try store.list(of: credential, user: nil, limit: 1).isEmpty
    } then: { result in
      if case .success(true) = result { self.table.noteEnded(credential, reason, now: now) }
    }
  }

  /// Looks up the clients again that could not be looked up, once a second: a store that fails must not be asked at
  /// each call. To be called again and again.
  func hearAgain() {
    let now = moment().instant
    let clients = unheard.withLock { unheard -> Set<Credential> in
      guard let next = unheard.next, now >= next else { return [] }
      defer { unheard = Unheard() }
      return unheard.clients
    }
    hear(Array(clients))
  }

  /// Gives a client the identity that the store has of it.
  func adopt(_ record: ClientRecord, _ credential: Credential) {
    let client = record.owner
    // The client has this identity here already.
    if table.knows(record) { return }
    let rotation = self.table.rotate(
      client, to: credential, record.user, in: nil, because: .replaced, now: self.moment().instant,
      isByRequests: record.isByRequests)
    for session in rotation.sessions { session.submit { $0.identityChanged(to: record.user) } }
    for session in rotation.lost { session.submit { $0.dismiss(client) } }
    self.end(rotation.ended)
  }
}
