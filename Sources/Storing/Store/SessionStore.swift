// SPDX-License-Identifier: MIT

/// A place where sessions are kept over the end of a process.
///
/// A session has one owner at a time: the one whose claim came last. A change of any other owner is *fenced*,
/// which means that it is not taken. So an owner that was thought dead, and is alive, cannot undo the changes
/// of its successor.
///
/// One ``Committer`` calls it, one call after the other, on a thread that may have to wait. Each call has one
/// answer, which may come before the call returns, or later and from any thread. A store never writes a part of
/// a change.
package protocol SessionStore: AnyObject, Sendable {
  /// Opens the store. To be called once, before everything else.
  ///
  /// The cost does not depend on the number of sessions.
  ///
  /// - Parameter holder: the name of this server, which others are told.
  /// - Returns: a number that is greater than that of any earlier opening. Claims are made with it.
  /// - Throws: ``StoreError``. The store is then left as it was.
  func open(as holder: String) throws(StoreError) -> UInt64

  /// The number of the present opening. A store that others share may have to reopen itself. It then has
  /// another number, and takes nothing by a claim that was made with the earlier one. Any thread may ask.
  var boot: UInt64 { get }

  /// Claims sessions, and reads them.
  ///
  /// - Parameter answer: gets one outcome for each claim, in order.
  func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void)

  /// Commits changes. Each is taken or not, and they may be taken one by one, as none depends on another.
  ///
  /// A change is taken if its claim is the last one on the session, and the session is not closed. It is taken
  /// too if the store does not know the session, and the change says that it is new. Making a change twice has
  /// the same effect as making it once.
  ///
  /// - Parameters:
  ///   - changes: at most one for each session.
  ///   - survivesPowerCut: whether `durable` means that a change survives a power cut. Otherwise it means that
  ///     it survives the process.
  ///   - answer: gets one outcome for each change, in order.
  func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void)

  /// The sessions of one client, living and closed, in the order of their ids. By them the client is recognised.
  /// A session that cannot be read is left out: a claim on it says so. O(the bytes of their states, without the
  /// parts).
  func sessions(of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void)

  /// Does looks of different requests. Where a look takes a trip, one trip does them all.
  func look(_ looks: [StoreLook])

  /// Reads a session as it is stored, without a claim; `nil` if there is none that can be read.
  func read(_ id: String) throws(StoreError) -> StoredSession?

  /// Keeps the record of a client. A later call for the same client replaces it.
  func put(_ client: ClientRecord) throws(StoreError)

  /// Notes that a client is in use, if this is its present credential. It is then kept as if it had changed at
  /// that time.
  func renew(_ owner: Credential, as credential: Credential, at now: Int64) throws(StoreError)

  /// Ends the credentials of all clients that have signed in.
  func endClients(at now: Int64) throws(StoreError)

  /// The client with this first or present credential; `nil` if it has never signed in.
  func client(of credential: Credential) throws(StoreError) -> ClientRecord?

  /// The clients with one of these as their first or present credential.
  func clients(with credentials: [Credential]) throws(StoreError) -> [ClientRecord]

  /// Those of some credentials that have ended. One has not if it is a client's present one, or if it is the owner of a
  /// living session and no client has signed in with it.
  func ended(among credentials: [Credential]) throws(StoreError) -> [Credential]

  /// The clients that a user has signed in with.
  func clients(of user: String) throws(StoreError) -> [ClientRecord]

  /// Looks at the next sessions of the store. If it is called again and again, each session has its turn. It
  /// forgets closed sessions whose time is over and living sessions that were not used for long. It puts aside
  /// sessions that cannot be read.
  ///
  /// A session in use has to be in memory, or to be committed with its last use more often than that.
  ///
  /// - Parameters:
  ///   - rule: says which living sessions are forgotten.
  ///   - limit: the number of sessions to look at, which is the cost of a call.
  ///   - isInMemory: whether the session with this id is in memory. Such a session is not forgotten.
  func expire(by rule: ExpiryRule, limit: Int, isInMemory: (String) -> Bool) throws(StoreError) -> Expiry

  /// The bytes that sessions take, and the heaviest shares of them. O(1), but for what has changed since the last
  /// call.
  ///
  /// Sessions that an earlier version of the program has stored count from their next change on.
  ///
  /// - Parameter limit: the bytes that they may take.
  func room(of limit: Int) throws(StoreError) -> StoreRoom

  /// Forgets sessions, so that each of some shares gives back its bytes: first those that are closed, then those that
  /// are unused for longest, of a sample of each share (``RoomStep``). O(the sample).
  ///
  /// - Parameter isInMemory: whether the session with this id is in memory. Such a session is told, and not forgotten.
  func makeRoom(_ step: RoomStep, isInMemory: (String) -> Bool) throws(StoreError) -> RoomMade

  /// The living sessions with a timer that is due, in the order of ``SessionRecord/wakesAt``. O(the number that
  /// it gives).
  ///
  /// - Parameters:
  ///   - time: the time by which the timers are due, in milliseconds since 1970.
  ///   - last: the last session of the page before; `nil` for the first page.
  func due(by time: Int64, after last: DueSession?, limit: Int) throws(StoreError) -> [DueSession]

  /// The living sessions of a client, of its user, and of all clients that the user has signed in with; the one
  /// that was used last comes first.
  ///
  /// - Parameter limit: the most sessions that it gives.
  func list(of client: Credential, user: String?, limit: Int) throws(StoreError) -> [StoredSummary]

  /// The store's sessions for an operator, in the order of their ids, beginning after `id`.
  func list(after id: String?, limit: Int) throws(StoreError) -> [StoredSummary]

  /// The numbers of sessions in the store. O(sessions).
  func count() throws(StoreError) -> StoreCount

  /// Lets go of the store. The next owner finds everything that was committed.
  func close()
}

/// A look into a store that a request waits for, with the closure that gets what was found.
package enum StoreLook: Sendable {
  /// The client with this first or present credential; `nil` if it has never signed in.
  case client(of: Credential, then: @Sendable (Result<ClientRecord?, StoreError>) -> Void)
  /// The sessions of a client, as ``SessionStore/sessions(of:then:)`` gives them.
  case sessions(of: Credential, then: @Sendable (Result<[OwnedSession], StoreError>) -> Void)

  package func fail(_ error: StoreError) {
    switch self {
    case .client(_, let then): then(.failure(error))
    case .sessions(_, let then): then(.failure(error))
    }
  }
}

extension SessionStore {
  /// Does the looks one after the other. It is for a store that takes no trips.
  package func look(_ looks: [StoreLook]) {
    for look in looks {
      switch look {
      case .client(let credential, let then): then(Result { () throws(StoreError) in try client(of: credential) })
      case .sessions(let owner, let then): sessions(of: owner, then: then)
      }
    }
  }

  /// Looks for one after the other.
  package func clients(with credentials: [Credential]) throws(StoreError) -> [ClientRecord] {
    var records: [ClientRecord] = []
    for credential in credentials {
      if let record = try client(of: credential) { records.append(record) }
    }
    return records
  }

  /// Asks about one after the other.
  package func ended(among credentials: [Credential]) throws(StoreError) -> [Credential] {
    var ended: [Credential] = []
    for credential in credentials {
      if let record = try client(of: credential) {
        if record.credential != credential { ended.append(credential) }
      } else if try list(of: credential, user: nil, limit: 1).isEmpty {
        ended.append(credential)
      }
    }
    return ended
  }

  /// Looks at all sessions. It is for a store without an index. O(sessions).
  package func list(of client: Credential, user: String?, limit: Int) throws(StoreError) -> [StoredSummary] {
    var owners = [client]
    if let user { owners += [.ofUser(user)] + (try clients(of: user).map(\.owner)) }
    let own = try list(after: nil, limit: .max).filter { $0.lastUsed != nil && owners.contains($0.owner) }
    return Array(own.sorted { $0.lastUsed ?? 0 > $1.lastUsed ?? 0 }.prefix(limit))
  }
}
