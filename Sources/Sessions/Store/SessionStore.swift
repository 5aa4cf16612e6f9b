// SPDX-License-Identifier: MIT

/// A place where sessions are kept over the end of a process.
///
/// A session has one owner at a time: the one whose claim came last. What anybody else commits is not taken (it is
/// *fenced*), so that an owner who was thought dead and is not cannot undo the changes of its successor.
///
/// Called by one ``Committer``: one call after the other, on a thread that may be made to wait. An answer may come
/// before the call returns, or later and from anywhere; each call has one. A store never writes a part of a change.
package protocol SessionStore: AnyObject, Sendable {
  /// Takes hold of the store. To be called once, before everything else.
  ///
  /// Costs the same however many sessions there are.
  ///
  /// - Parameter holder: the name of the server that does, as others are told.
  /// - Returns: a number that is greater than at any opening before: claims are made with it.
  /// - Throws: ``StoreError``; then the store is left as it was.
  func open(as holder: String) throws(StoreError) -> UInt64

  /// The number of the present opening. A store that others share may have to be opened anew by itself; then it has another one, and
  /// takes nothing by a claim that was made with the one before. Asked by any thread.
  var boot: UInt64 { get }

  /// Claims sessions, and reads them.
  ///
  /// - Parameter answer: gets an outcome for each, in order.
  func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void)

  /// Commits changes, each of which is taken or not. They may be taken one by one: none depends on another.
  ///
  /// A change is taken if its claim is the last one on the session, and the session is not closed; or if the session is
  /// not known and the change says that it is new. To make a change twice comes to the same as once.
  ///
  /// - Parameters:
  ///   - changes: of different sessions.
  ///   - survivesPowerCut: whether `durable` is to mean that; otherwise that they survive the process.
  ///   - answer: gets an outcome for each, in order.
  func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void)

  /// The sessions of one client, living and closed, by which the client is known again.
  func sessions(of owner: Credential, then answer: @escaping @Sendable (Result<[StoredSession], StoreError>) -> Void)

  /// Keeps the record of a client; a later call for the same one takes its place.
  func put(_ client: ClientRecord) throws(StoreError)

  /// Takes note that a client is in use, if this is its present credential: from then on it is kept as if it had changed.
  func renew(_ owner: Credential, as credential: Credential, at now: Int64) throws(StoreError)

  /// Ends the credentials of all clients that have signed in.
  func endClients(at now: Int64) throws(StoreError)

  /// The client whose first credential this is, or whose present one; `nil` for one that has never signed in.
  func client(of credential: Credential) throws(StoreError) -> ClientRecord?

  /// The clients that a user has signed in with.
  func clients(of user: String) throws(StoreError) -> [ClientRecord]

  /// Looks at the next sessions of the store, of which each has its turn if this is called again and again: forgets closed
  /// ones whose time is over and living ones that were not used for long, and puts aside those that cannot be read.
  ///
  /// A session that is in use has to be committed more often than that, with its last use, or be in memory.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - unusedSince: as well; a living session whose last use is before is forgotten, as ``SessionRecord/isOver(now:unusedSince:)`` says.
  ///   - limit: how many to look at, which is what a call costs.
  ///   - isInMemory: whether the session of this id is, and is not forgotten.
  func expire(
    now: Int64, unusedSince: Int64, limit: Int, isInMemory: (String) -> Bool
  ) throws(StoreError) -> Expiry

  /// The living sessions of which a timer is due, those first that were due first: ``SessionRecord/wakesAt``. Costs what it gives.
  ///
  /// - Parameters:
  ///   - time: the time by which they are due, in milliseconds since 1970.
  ///   - last: the one before the first that is given; `nil` for the beginning.
  func due(by time: Int64, after last: DueSession?, limit: Int) throws(StoreError) -> [DueSession]

  /// The living sessions of a client, of a user's own, and of all clients that the user has signed in with: those first that were
  /// used last.
  ///
  /// - Parameter limit: the most that are given.
  func list(of client: Credential, user: String?, limit: Int) throws(StoreError) -> [StoredSummary]

  /// The store's sessions, for the operator: in the order of the ids, those after `id` first.
  func list(after id: String?, limit: Int) throws(StoreError) -> [StoredSummary]

  /// Costs a look at each session.
  func count() throws(StoreError) -> StoreCount

  /// Lets go of the store; the next owner has all that was committed.
  func close()
}

extension SessionStore {
  /// Looks at all sessions, for a store without an index.
  package func list(of client: Credential, user: String?, limit: Int) throws(StoreError) -> [StoredSummary] {
    var owners = [client]
    if let user { owners += [.ofUser(user)] + (try clients(of: user).map(\.owner)) }
    let own = try list(after: nil, limit: .max).filter { $0.lastUsed != nil && owners.contains($0.owner) }
    return Array(own.sorted { $0.lastUsed ?? 0 > $1.lastUsed ?? 0 }.prefix(limit))
  }

  /// The same where no session is in memory.
  package func expire(now: Int64, unusedSince: Int64, limit: Int) throws(StoreError) -> Expiry {
    try expire(now: now, unusedSince: unusedSince, limit: limit) { _ in false }
  }
}
