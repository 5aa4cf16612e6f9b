// SPDX-License-Identifier: MIT
import Locking
import Storing
import Synchronization

/// The clients, each with its sessions and with the requests with a key that opened them. A value, without a
/// lock.
struct ClientTable {
  struct Client {
    /// The sessions that live, in memory or in the store.
    var living: Set<String> = []
    /// The living sessions that are in the store alone, or at other servers.
    var away: [Away] = []
    /// The number of living sessions that are in memory.
    var inMemory = 0
    /// The number of closed sessions that are remembered.
    var closed = 0
    /// A session's id, by the key of the request that opened it.
    var opened: [IdempotencyKey: (id: String, digest: Digest)] = [:]
    /// Whether everything that the store has of the client is known here.
    var isComplete = false
    /// The number of sessions that are being made. The client is not forgotten meanwhile.
    var making = 0
    /// The sessions that it may still open.
    var openings: TokenBucket?
    let use = ClientUse()
    /// Its sign-in; `nil` for a client that never has signed in.
    var signIn: SignIn?
    /// Its use, for a client that has signed in, now or earlier.
    var signInUse: SignInUse?
  }

  /// A living session that is not in memory here.
  struct Away {
    let id: String
    /// The second of its last use by the table's clock, as far as it is known; `Int.min` if its client has said
    /// that it leaves.
    let usedAt: Int
  }

  /// Whether everything is known here, because there is no store.
  let knowsAll: Bool
  var clients: [Credential: Client] = [:]
  /// The clients whose present credential differs from the one that they came with, by the present one.
  var owners: [Credential: Credential] = [:]
  /// A user's clients, by the owner of the user's own sessions.
  var ofUsers: [Credential: Set<Credential>] = [:]
  /// The clients that have signed in, each once. Now and then some of them are looked at, in this order.
  var signedIn: [Credential] = []
  /// The index of the client that is looked at next.
  var nextLook = 0
  /// The most clients that have signed in and are known without a session of their own in memory.
  let mostSignedIn: Int

  /// The time, in seconds, for which a client that has signed in is known after its last request, where it has no session
  /// of its own in memory.
  let awayTime: Int

  /// Whether requests may prove who their users are. If not, a client whose requests have to prove it counts as
  /// unknown.
  let takesProofs: Bool

  /// - Parameters:
  ///   - isStored: whether a store may have more than is known here.
  ///   - mostSignedIn: the most clients that have signed in and are known, besides those with a session in memory.
  ///   - awayTime: that time; by default it is short if there is a store, which knows the client too.
  init(isStored: Bool, mostSignedIn: Int = 50_000, takesProofs: Bool = true, awayTime: Duration? = nil) {
    knowsAll = !isStored
    self.awayTime = Int((awayTime ?? (isStored ? .seconds(10 * 60) : .seconds(24 * 60 * 60))).components.seconds)
    self.takesProofs = takesProofs
    self.mostSignedIn = mostSignedIn
  }

  func knows(_ credential: Credential) -> Bool { owner(of: credential) != nil }

  /// Whether nothing about a client has to be looked up in the store.
  func knowsAll(of credential: Credential) -> Bool {
    knowsAll || clients[owners[credential] ?? credential]?.isComplete == true
  }

  /// The bytes that a client's sessions take.
  func bytes(of credential: Credential) -> Int { clients[credential]?.use.bytes ?? 0 }

  /// Has requests of a client that came before now handled anew.
  func renumber(_ credential: Credential) { clients[credential]?.use.renumber() }

  /// Notes that a session is about to be made or read. Until ``made(for:)`` is called, its client is not
  /// forgotten.
  ///
  /// - Returns: the use that the client makes, which all its sessions share.
  mutating func making(for credential: Credential) -> ClientUse {
    var client = clients.removeValue(forKey: credential) ?? Client()
    client.making += 1
    clients[credential] = client
    return client.use
  }

  /// Notes that the session was made, or could not be made.
  mutating func made(for credential: Credential) {
    clients[credential]?.making -= 1
    // A client that has sessions in the store stays known until one of them has been in memory.
    if clients[credential]?.living.isEmpty == true { forgetIfAway(credential) }
  }

  func living(of credential: Credential) -> Set<String> { clients[credential]?.living ?? [] }

  /// The sessions of a client that are in the store alone, or at other servers.
  func away(of credential: Credential) -> [Away] { clients[credential]?.away ?? [] }

  func opened(by key: IdempotencyKey, of credential: Credential) -> (id: String, digest: Digest)? {
    clients[credential]?.opened[key]
  }

  /// The time until a client may open another session; `nil` if it may now.
  func wait(of credential: Credential, _ rate: Rate, now: ContinuousClock.Instant) -> Duration? {
    var bucket = clients[credential]?.openings
    return bucket?.take(of: rate, now: now)
  }

  /// Counts a session that a client opens.
  mutating func countOpening(of credential: Credential, _ rate: Rate, now: ContinuousClock.Instant) {
    var bucket = clients[credential]?.openings ?? TokenBucket(now: now)
    _ = bucket.take(of: rate, now: now)
    clients[credential]?.openings = bucket
  }

  /// Notes that a session is in memory: a new one, or one that was read.
  mutating func entered(
    _ id: String, of credential: Credential, _ opening: KeyedRequest?, isNew: Bool
  ) {
    var client = clients.removeValue(forKey: credential) ?? Client()
    // A client that comes with its first session has no others.
    if isNew, client.living.isEmpty, client.closed == 0 { client.isComplete = true }
    client.living.insert(id)
    client.away.removeAll { $0.id == id }
    client.inMemory += 1
    if let opening { client.opened[opening.key] = (id, opening.digest) }
    clients[credential] = client
  }

  /// Notes that a session has left memory, and lives on.
  ///
  /// - Parameter usedAt: its last use, as in ``Away/usedAt``.
  mutating func left(_ id: String, of credential: Credential, usedAt: Int) {
    clients[credential]?.inMemory -= 1
    if clients[credential]?.living.contains(id) == true {
      clients[credential]?.away.append(Away(id: id, usedAt: usedAt))
    }
    forgetIfAway(credential)
  }

  /// Whether some sessions of a client that newer ones have superseded are still in memory, because their ends
  /// are not stored yet.
  func awaitsEnds(of credential: Credential) -> Bool {
    clients[credential].map { $0.inMemory > $0.living.count - $0.away.count } ?? false
  }

  /// Notes that a session is about to be closed so that another one has its place. It counts no more.
  mutating func superseded(_ id: String, of credential: Credential) {
    clients[credential]?.living.remove(id)
    clients[credential]?.away.removeAll { $0.id == id }
  }

  /// Notes that a session that was in the store alone was removed from it.
  mutating func removed(_ id: String, of credential: Credential) {
    superseded(id, of: credential)
    if let key = clients[credential]?.opened.first(where: { $0.value.id == id })?.key {
      clients[credential]?.opened[key] = nil
    }
  }

  /// Notes that a session was closed. It is remembered.
  mutating func closed(_ id: String, of credential: Credential) {
    clients[credential]?.inMemory -= 1
    rememberClosed(id, of: credential)
  }

  /// Notes a closed session that is remembered, but was not in memory: the request that opened it finds it again.
  mutating func rememberClosed(_ id: String, of credential: Credential, _ opening: KeyedRequest? = nil) {
    var client = clients.removeValue(forKey: credential) ?? Client()
    client.living.remove(id)
    client.away.removeAll { $0.id == id }
    client.closed += 1
    if let opening, client.opened[opening.key] == nil { client.opened[opening.key] = (id, opening.digest) }
    clients[credential] = client
  }

  /// Notes that a closed session is not remembered any more. A client without any other session is forgotten
  /// too.
  mutating func forgotClosed(_ id: String, of credential: Credential, _ opening: KeyedRequest?) {
    clients[credential]?.closed -= 1
    forget(id, opening, of: credential)
  }

  /// Notes that a session ended by itself. Nothing of it is remembered.
  mutating func expired(_ id: String, of credential: Credential, _ opening: KeyedRequest?) {
    clients[credential]?.living.remove(id)
    clients[credential]?.inMemory -= 1
    forget(id, opening, of: credential)
  }

  /// Notes that the store has not taken a new session. It may have one that another server has opened for the same
  /// request.
  mutating func refused(_ id: String, of credential: Credential, _ opening: KeyedRequest?) {
    clients[credential]?.isComplete = false
    expired(id, of: credential, opening)
  }

  /// Takes in the sessions of a client that are in the store.
  mutating func met(
    _ credential: Credential, keepsEmpty: Bool = false, _ living: [(session: Away, opening: KeyedRequest?)]
  ) {
    if living.isEmpty, clients[credential] == nil, !keepsEmpty { return }
    var client = clients.removeValue(forKey: credential) ?? Client()
    client.isComplete = true
    // A session that is on its way into the store is known already. Sessions that were in the store alone may
    // have gone from it.
    if client.inMemory == 0 { client.living = [] } else { client.living.subtract(client.away.map(\.id)) }
    client.away = []
    for (session, opening) in living {
      if client.living.insert(session.id).inserted { client.away.append(session) }
      if let opening { client.opened[opening.key] = (session.id, opening.digest) }
    }
    clients[credential] = client
  }

  /// Forgets the request that opened a session, unless it has opened another one since: a room may have begun anew.
  private mutating func forget(_ id: String, _ opening: KeyedRequest?, of credential: Credential) {
    if let opening, clients[credential]?.opened[opening.key]?.id == id {
      clients[credential]?.opened[opening.key] = nil
    }
    forgetIfAway(credential)
  }

  /// Forgets a client of which nothing is in memory, if the store knows it.
  ///
  /// - Parameter isUnused: whether the client has not come for long. Such a client is forgotten without a store
  ///   too.
  mutating func forgetIfAway(_ credential: Credential, isUnused: Bool = false) {
    guard let client = clients[credential], client.inMemory <= 0, client.closed <= 0, client.making <= 0 else { return }
    // The client may use sessions that are not its own: those of its user.
    if knowsAll, client.signIn != nil, !isUnused { return }
    forgetUser(of: credential)
    client.use.renumber()
    clients[credential] = nil
    if let present = client.signIn?.credential { owners[present] = nil }
  }
}

/// The use that one client makes of the server, by all its sessions in memory.
final class ClientUse: Sendable {
  /// The time that its actions may take.
  let time = TimeAllowance()
  /// The time that other code of its sessions may take, which it has not asked for.
  let timeOfOthers = TimeAllowance()
  /// The changes that it may still make in rooms.
  private let changesInRooms = Locked<TokenBucket?>(nil)
  private let sum = Atomic<Int>(0)
  private let number = Atomic<UInt32>(0)

  init() {}

  /// A number that grows when the client's credential or user changes. A request that came before that is handled anew.
  var credentialNumber: UInt32 { number.load(ordering: .relaxed) }

  /// Has requests of the client that came before now handled anew.
  func renumber() { number.wrappingAdd(1, ordering: .relaxed) }

  /// The bytes that its sessions take.
  var bytes: Int { sum.load(ordering: .relaxed) }

  /// Counts changes in rooms. All rooms that the client is in share one allowance.
  ///
  /// - Returns: the time after which there is room for them; `nil` if there is.
  func takeInRooms(_ count: Int, of rate: Rate, now: ContinuousClock.Instant) -> Duration? {
    changesInRooms.withLock { bucket in
      var taken = bucket ?? TokenBucket(now: now)
      defer { bucket = taken }
      return taken.take(min(count, rate.burst), of: rate, now: now)
    }
  }

  func add(_ bytes: Int) { sum.wrappingAdd(bytes, ordering: .relaxed) }
}
