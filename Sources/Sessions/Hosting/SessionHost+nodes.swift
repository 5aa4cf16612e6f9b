// SPDX-License-Identifier: MIT
import Locking
import Storing
import ViewModels

extension Fetched {
  init(_ failure: SessionError?) { self = failure.map { .failed($0) } ?? .here }
}

/// The part of one server among several that share the store.
extension SessionHost {
  /// Whether other servers may have sessions of the same store.
  package var isNode: Bool { keeper?.presence != nil }

  /// - Throws: ``SessionsToFetch/lease``, if others may have taken sessions that are in memory here.
  func checkLease() throws(SessionsToFetch) {
    if let presence = keeper?.presence, !presence.lease.holds(now()) { throw .lease }
  }

  /// Whether this server may answer from memory. Without other servers it always may.
  package var holdsLease: Bool { keeper?.presence.map { $0.lease.holds(now()) } ?? true }

  /// Whether a text is the secret by which other servers know this one.
  package func isNodeToken(_ text: String) -> Bool { keeper?.presence?.isToken(text) ?? false }

  /// Whether a session is in memory, or on its way there.
  package func has(_ id: String) -> Bool { isInMemory(id) }

  /// Lets requests wait from here on for a lease that does not come, as the server stops.
  package func answerNoMoreFromMemory() { keeper?.presence?.lease.end() }

  /// The other servers that have given no sign for long, by the numbers of their openings of the store.
  package var goneNodes: [UInt64] { keeper?.presence?.gone ?? [] }

  /// The server that has a session, if the store told of it a short time ago and it has given signs since.
  func knownPlace(of id: String, _ keeper: SessionKeeper) -> Whereabouts? {
    guard let place = keeper.places.withLock({ $0.place(of: id, now()) }) else { return nil }
    return goneNodes.contains(place.node.boot) ? nil : place
  }

  /// Notes that a session may not be where it was. The store is asked for it again.
  package func forgetPlace(of id: String) { keeper?.places.withLock { $0.forget(id) } }

  /// Notes a request for a session. If requests for it come by way of other servers again and again, the
  /// session is let go. The server at which its requests arrive then takes it over.
  package func noteArrival(at session: Session, isPassedOn: Bool) {
    // The members of a room arrive at all servers.
    if session.isRoom { return }
    guard table.countArrival(at: session, isPassedOn: isPassedOn) >= Self.mostPassed else { return }
    session.submit { isolated in
      // A command that runs here would end.
      if isolated.keeping == nil || isolated.isExecuting { return }
      isolated.releaseReaders()
      isolated.leaveWhenStored(evenIfUsed: true)
    }
  }

  /// Handles the notices that a sign brought, of other nodes and of this node itself: it looks into the store.
  func hear(_ notices: [NodeNotice]) {
    guard let keeper else { return }
    // Somebody may have sent the same one again and again.
    for notice in Set(notices) { note(notice, keeper) }
    hearAgain()
  }

  private func note(_ notice: NodeNotice, _ keeper: SessionKeeper) {
    switch notice {
    case .client(let owner, let user):
      // Its user may have other claims now. The user's other clients show theirs when they come again.
      let others = user.map { table.clients(ofOwn: $0) } ?? []
      for other in others where other != owner { services.signIns.reenterRooms(other) }
      // One that only waits in a room may not be known here any more.
      if table.hasClient(owner) || !table.limits.rooms(of: owner).isEmpty {
        keeper.unheard.withLock { $0.add(clients: [owner]) }
      }
    case .ended(let credential, let isSignedOut):
      // This server may know it: it may have ended the credential itself.
      if table.ending(of: credential, now: now()) != nil { return }
      keeper.unheard.withLock { $0.add(ended: credential, isSignedOut ? .signedOut : .replaced) }
    case .allClients:
      let clients = table.knownClients
      keeper.unheard.withLock { $0.add(clients: clients) }
    case .topic(let topic, let session, let boot):
      if boot != keeper.committer.boot { services.topics.tell(topic, by: session) }
    case .missed:
      services.topics.tellAll()
      let (clients, ids) = (table.knownClients, table.stored.map(\.id))
      keeper.unheard.withLock { unheard in
        unheard.add(clients: clients)
        unheard.add(ends: ids, areInMemory: true)
      }
    case .end(let id):
      guard Randomness.isBase64URL(id, bytes: 16) else { return }
      let isInMemory = isInMemory(id)
      keeper.unheard.withLock { $0.add(ends: [id], areInMemory: isInMemory) }
    case .taken(let id, let claim):
      forgetPlace(of: id)
      suspect(id, takenBy: claim)
    }
  }

  /// Asks the store about the notices that it was not asked about yet, unless a look is under way. To be called again
  /// and again.
  func hearAgain() {
    guard let keeper, keeper.isOpen, let look = keeper.unheard.withLock({ $0.takeLook(now: now()) }) else { return }
    keeper.committer.withStore { store throws(StoreError) in
      try look.ask(store)
    } then: { result in
      let news = try? result.get()
      keeper.unheard.withLock { $0.finish(look, hasFailed: news == nil, now: self.now()) }
      guard let news else { return }
      for record in news.clients { self.services.signIns.take(record) }
      for credential in news.ended {
        self.table.noteEnded(credential, look.ended[credential] ?? .replaced, now: self.now())
      }
      for (id, closing) in news.ends { self.end(id, asAsked: closing) }
    }
  }

  /// Has the store asked about a session that another node is said to have taken, also about one that is on its way
  /// into memory.
  private func suspect(_ id: String, takenBy claim: SessionClaim) {
    guard claim.boot != keeper?.committer.boot, isInMemory(id) else { return }
    // The store counts the claims on a session. This server may have taken the session back since.
    if case .living(let session) = table.find(id), let own = session.keeping?.claim, own.number > claim.number {
      return
    }
    keeper?.presence?.suspect(id)
  }

  /// The number of requests in a row, by way of other servers, after which a session moves to the server at
  /// which they arrive. Where a few servers take turns, so many do not happen by chance.
  private static let mostPassed = 16

  /// Says that this server is there, if it is time. If other servers may have taken sessions, it lets readers
  /// ask again, and drops the taken sessions.
  func giveSign() {
    guard let keeper, let presence = keeper.presence, keeper.isOpen else { return }
    presence.tend(
      inMemory: { self.table.stored.map(\.id) },
      drop: { ids in
        for id in ids {
          if case .living(let session) = self.table.find(id) { session.submit { $0.leaveToOthers() } }
        }
      },
      heard: { self.hear($0) }, worked: { keeper.committer.noteWorks() }, failed: { keeper.committer.note($0) },
      lapsed: {
        // Another server may have something newer. So the readers are not told that there is nothing.
        for session in self.table.stored { session.submit { $0.releaseReaders(with: .failed(.left)) } }
      })
  }
}

extension SessionTable {
  /// - Returns: the number of requests in a row that have come for the session by way of other servers.
  func countArrival(at session: Session, isPassedOn: Bool) -> Int {
    state.withLock { state in
      guard state.sessions[session.id]?.session === session else { return 0 }
      let count = isPassedOn ? (state.sessions[session.id]?.passedOn ?? 0) + 1 : 0
      state.sessions[session.id]?.passedOn = count
      return count
    }
  }

  /// The clients that are in memory. O(clients).
  var knownClients: [Credential] { state.withLock { Array($0.clients.clients.keys) } }

  /// Whether a client is in memory, by the credential that it came with.
  func hasClient(_ owner: Credential) -> Bool { state.withLock { $0.clients.clients[owner] != nil } }

  /// The sessions in memory that are stored too. O(sessions).
  var stored: [Session] { state.withLock { $0.sessions.values.map(\.session).filter { $0.keeping != nil } } }
}

extension Session {
  /// Drops the copy in memory, because another server has the session.
  func leaveToOthers() {
    leave(SessionError(.fenced))
  }
}
