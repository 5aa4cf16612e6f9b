// SPDX-License-Identifier: MIT
import PostgreSQLSessions
import SQLiteSessions
import Sessions
import Testing
import ViewModels

/// A kind of store, which two owners open at once.
enum StoreKind: CaseIterable {
  case memory, sqlite, postgreSQL

  /// The kinds to test; PostgreSQL only if a server was started for the tests.
  static var allCases: [StoreKind] { TestSchema.server == nil ? [.memory, .sqlite] : [.memory, .sqlite, .postgreSQL] }

  func stores(_ place: Place) throws -> [any SessionStore] {
    switch self {
    case .memory:
      let first = MemorySessions()
      return [first, MemorySessions(sharing: first)]
    // The stores have no lock, so that the claims alone keep the owners apart.
    case .sqlite: return (0..<2).map { _ in SQLiteStore(path: place.path, isExclusive: false) }
    case .postgreSQL:
      let schema = try TestSchema()
      return (0..<2).map { _ in PostgreSQLStore(schema.address) }
    }
  }
}

/// The rules that hold for every store.
@Suite struct `A store of sessions` {
  final class World {
    let place: Place
    let stores: [any SessionStore]
    var first: Owner
    var second: Owner

    init(_ kind: StoreKind) throws {
      place = try Place()
      stores = try kind.stores(place)
      first = try Owner(stores[0], as: "first")
      second = try Owner(stores[1], as: "second")
    }

    /// Puts a session of the first owner into the store.
    func opened(_ record: SessionRecord) -> SessionClaim {
      let claim = first.newClaim()
      #expect(first.store.commit(first.change(record.id, claim, isNew: true, .record(record))) == [.durable])
      return claim
    }

    deinit { for store in stores { store.close() } }
  }

  @Test(arguments: StoreKind.allCases) func `gives each opening a greater number`(_ kind: StoreKind) throws {
    let world = try World(kind)
    #expect(world.first.boot >= 1 && world.second.boot > world.first.boot)
  }

  @Test(arguments: StoreKind.allCases) func `gives back exactly what was committed`(_ kind: StoreKind) throws {
    let world = try World(kind)
    var plain = record("plain")
    plain.state = []
    plain.keys = []
    plain.revision = .max
    plain.schema = .max
    plain.lastUsed = -1
    let foreign = SessionRecord(
      id: "ü☃ x", model: "", owner: Credential(hashing: ""), opening: nil, revision: 0, schema: 0,
      state: Array(0...255), keys: Array(repeating: 0, count: 300_000), lastUsed: .max)
    var visited = record("visited")
    visited.context = Array(#"{"user":null}"#.utf8)
    for record in [record("a"), plain, foreign, visited] {
      _ = world.opened(record)
      let outcome = world.second.store.claim(record.id, world.second.newClaim())
      #expect(outcome.record == record && outcome.claim?.boot == world.second.boot)
    }
    #expect(world.second.store.claim("b", world.second.newClaim()) == ClaimOutcome.none)
    // A path can have these ids, and a session cannot.
    for id in ["", "\u{0}", "a\u{0}"] {
      #expect(world.second.store.claim(id, world.second.newClaim()) == ClaimOutcome.none)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `knows a client that has signed in by its first credential and its present one`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    let store = world.first.store
    let (first, second, third) = (Credential(hashing: "1"), Credential(hashing: "2"), Credential(hashing: "3"))
    let anna = User(id: "7", name: "Anna", roles: ["b", "a"])
    #expect(try store.client(of: first) == nil)
    var client = ClientRecord(owner: first, credential: second, user: anna, changed: 5)
    try store.put(client)
    for credential in [first, second] { #expect(try store.client(of: credential) == client) }
    #expect(try store.clients(of: "7") == [client])
    (client.credential, client.changed) = (third, 6)
    try store.put(client)
    #expect(try store.client(of: second) == nil)
    #expect(try store.client(of: third) == client)
    // The store still knows a client that is signed out for good by its first credential.
    (client.credential, client.user) = (nil, nil)
    try store.put(client)
    #expect(try store.client(of: first) == client)
    #expect(try store.client(of: third) == nil)
    #expect(try store.clients(of: "7").isEmpty)
  }

  @Test(arguments: StoreKind.allCases) func `forgets a client that has no session, when its sign-in is long ago`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    _ = world.opened(record("a", of: "living"))
    for (name, changed) in [("living", 1), ("late", 9), ("gone", 1)] as [(String, Int64)] {
      try world.first.store.put(
        ClientRecord(owner: Credential(hashing: name), credential: nil, user: nil, changed: changed))
    }
    _ = try world.first.store.expire(now: 10, unusedSince: 5, limit: 100)
    let known = try ["living", "late", "gone"].filter {
      try world.first.store.client(of: Credential(hashing: $0)) != nil
    }
    #expect(known == ["living", "late"])
  }

  @Test(arguments: StoreKind.allCases) func `takes what the last claimant commits, and nothing of others`(
    _ kind: StoreKind
  )
    throws
  {
    let world = try World(kind)
    let mine = world.opened(record("a"))
    #expect(world.first.store.commit(world.first.change("a", mine, .record(record("a", 2)))) == [.durable])
    let taken = world.second.store.claim("a", world.second.newClaim())
    let theirs = try #require(taken.claim)
    #expect(taken.record == record("a", 2) && theirs.boot == world.second.boot)
    for content in [StoreChange.Content.record(record("a", 3)), .closed(closed("a")), .removed, .setAside(reason: "x")]
    {
      #expect(world.first.store.commit(world.first.change("a", mine, isNew: true, content)) == [.fenced])
      #expect(world.first.store.commit(world.first.change("a", mine, content)) == [.fenced])
    }
    #expect(world.second.store.commit(world.second.change("a", theirs, .record(record("a", 3)))) == [.durable])
    guard case .held(record("a", 3), let again) = world.first.store.claim("a", world.first.newClaim()) else {
      Issue.record("expected the first owner to have it again")
      return
    }
    #expect(again != mine, "what it committed by its first claim may still come late")
    #expect(world.first.store.commit(world.first.change("a", mine, .record(record("a", 9)))) == [.fenced])
    #expect(world.second.store.commit(world.second.change("a", theirs, .record(record("a", 9)))) == [.fenced])
    #expect(world.first.store.commit(world.first.change("a", again, .record(record("a", 4)))) == [.durable])
  }

  @Test(arguments: StoreKind.allCases) func `puts in a session that it does not know only if it is new`(
    _ kind: StoreKind
  )
    throws
  {
    let world = try World(kind)
    let claim = world.first.newClaim()
    #expect(world.first.store.commit(world.first.change("a", claim, .record(record("a")))) == [.fenced])
    #expect(world.first.store.commit(world.first.change("a", claim, .closed(closed("a")))) == [.fenced])
    #expect(world.first.store.commit(world.first.change("a", claim, .removed)) == [.durable])
    #expect(try world.first.store.count() == StoreCount())
    #expect(world.first.store.commit(world.first.change("a", claim, isNew: true, .record(record("a")))) == [.durable])
    // This session was opened and closed before either change was committed.
    #expect(world.first.store.commit(world.first.change("b", claim, isNew: true, .closed(closed("b")))) == [.durable])
    #expect(try world.first.store.count() == StoreCount(living: 1, closed: 1))
  }

  @Test(arguments: StoreKind.allCases) func `is the same after a change that is made twice, or late`(_ kind: StoreKind)
    throws
  {
    let world = try World(kind)
    let claim = world.first.newClaim()
    let opening = world.first.change("a", claim, isNew: true, .record(record("a", 1)))
    let second = world.first.change("a", claim, .record(record("a", 2)))
    let closing = world.first.change("a", claim, .closed(closed("a")))
    for change in [opening, opening, second, opening, second] {
      #expect(world.first.store.commit(change) == [.durable])
    }
    #expect(try world.second.store.stored(of: Credential(hashing: "client")) == [.living(record("a", 2))])
    for change in [closing, closing, second] { #expect(world.first.store.commit(change) == [.durable]) }
    #expect(world.second.store.claim("a", world.second.newClaim()) == .closed(closed("a")))
  }

  @Test(arguments: StoreKind.allCases)
  func `remembers for its owner that a session was closed, and takes nothing for it`(
    _ kind: StoreKind
  ) throws {
    for closing in [nil, Closing.byClient(nil), .superseded, .ended] {
      let closed = closed("a", closing)
      let world = try World(kind)
      let claim = world.opened(record("a"))
      #expect(world.first.store.commit(world.first.change("a", claim, .closed(closed))) == [.durable])
      #expect(
        world.first.store.commit(world.first.change("a", claim, isNew: true, .record(record("a", 5)))) == [.fenced])
      #expect(world.first.store.commit(world.first.change("a", claim, .closed(closed))) == [.durable])
      #expect(world.second.store.claim("a", world.second.newClaim()) == .closed(closed))
      #expect(try world.second.store.stored(of: Credential(hashing: "client")) == [.closed(closed)])
      #expect(try world.second.store.count() == StoreCount(closed: 1))
    }
  }

  @Test(arguments: StoreKind.allCases) func `knows a client by its sessions, living and closed`(_ kind: StoreKind)
    throws
  {
    let world = try World(kind)
    _ = world.opened(record("b", of: "one"))
    let claim = world.opened(record("a", of: "one"))
    _ = world.opened(record("c", of: "another"))
    let gone = world.opened(record("d", of: "gone"))
    #expect(world.first.store.commit(world.first.change("a", claim, .closed(closed("a", of: "one")))) == [.durable])
    #expect(world.first.store.commit(world.first.change("d", gone, .removed)) == [.durable])
    let owned = { (client: String) throws -> [OwnedSession] in
      try world.second.store.sessions(of: Credential(hashing: client))
    }
    let ofOne: [StoredSession] = [.closed(closed("a", of: "one")), .living(record("b", of: "one"))]
    #expect(try owned("one") == ofOne.map { OwnedSession($0) })
    #expect(try owned("another") == [OwnedSession(.living(record("c", of: "another")))])
    #expect(try owned("gone") == [])
    #expect(try owned("nobody") == [])
  }

  @Test(arguments: StoreKind.allCases) func `answers each change of a batch for itself, in order`(_ kind: StoreKind)
    throws
  {
    let world = try World(kind)
    let (a, b) = (world.opened(record("a")), world.opened(record("b")))
    _ = world.second.store.claim("b", world.second.newClaim())
    let outcomes = world.first.store.commit([
      world.first.change("a", a, .record(record("a", 2))), world.first.change("b", b, .record(record("b", 2))),
      world.first.change("c", world.first.newClaim(), isNew: true, .record(record("c", 2))),
      world.first.change("d", world.first.newClaim(), .record(record("d", 2))),
    ])
    #expect(outcomes == [.durable, .fenced, .durable, .fenced])
    #expect(world.first.store.commit([StoreChange]()) == [])
  }

  @Test(arguments: StoreKind.allCases) func `puts aside what its owner cannot use, and never finds it again`(
    _ kind: StoreKind
  )
    throws
  {
    let world = try World(kind)
    let claim = world.opened(record("a"))
    #expect(world.first.store.commit(world.first.change("a", claim, .setAside(reason: "no schema 3"))) == [.durable])
    #expect(world.first.store.claim("a", world.first.newClaim()) == ClaimOutcome.none)
    #expect(try world.first.store.stored(of: Credential(hashing: "client")) == [])
    #expect(try world.first.store.count() == StoreCount(setAside: 1))
  }

  @Test(arguments: StoreKind.allCases) func `forgets what is unused or was closed long ago, looking at a few at a time`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    for index in 0..<25 {
      let claim = world.opened(record("s\(index)", used: Int64(index)))
      guard index % 5 == 0 else { continue }
      let closing = world.first.change("s\(index)", claim, .closed(closed("s\(index)", until: Int64(index))))
      #expect(world.first.store.commit(closing) == [.durable])
    }
    var forgotten = 0
    for _ in 0..<3 {
      let expiry = try world.first.store.expire(now: 15, unusedSince: 8, limit: 10)
      #expect(expiry.forgotten <= 10 && expiry.setAside == [])
      forgotten += expiry.forgotten
    }
    // The store forgets the closed sessions 0, 5, 10 and 15, and the living ones 1, 2, 3, 4, 6 and 7.
    #expect(forgotten == 10)
    #expect(try world.first.store.count() == StoreCount(living: 14, closed: 1))
    for _ in 0..<3 { #expect(try world.first.store.expire(now: 15, unusedSince: 8, limit: 10).forgotten == 0) }
    #expect(world.first.store.claim("s8", world.first.newClaim()).record == record("s8", used: 8))
    #expect(world.first.store.claim("s7", world.first.newClaim()) == ClaimOutcome.none)
  }

  @Test(arguments: StoreKind.allCases) func `forgets no session that is in memory`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    for id in ["a", "b", "c"] {
      let claim = world.opened(record(id, used: 1))
      guard id == "c" else { continue }
      let closing = world.first.change(id, claim, .closed(closed(id, until: 1)))
      #expect(world.first.store.commit(closing) == [.durable])
    }
    let expiry = try world.first.store.expire(now: 15, unusedSince: 8, limit: 10) { $0 != "b" }
    #expect(expiry.forgotten == 2)
    #expect(world.first.store.claim("a", world.first.newClaim()).record == record("a", used: 1))
    #expect(world.first.store.claim("b", world.first.newClaim()) == ClaimOutcome.none)
  }

  @Test(arguments: StoreKind.allCases) func `lists what it has, piece by piece in the order of the ids`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    for id in ["c", "a", "d", "b"] { _ = world.opened(record(id)) }
    let claim = world.opened(record("e"))
    _ = world.first.store.commit(world.first.change("e", claim, .closed(closed("e"))))
    let all = try world.second.store.list(after: nil, limit: 10)
    #expect(all.map(\.id) == ["a", "b", "c", "d", "e"])
    #expect(try world.second.store.list(after: "b", limit: 2) == Array(all[2...3]))
    #expect(try world.second.store.list(after: "e", limit: 2) == [])
    #expect(all[0].bytes == record("a").state.count + 3 && all[0].lastUsed == 1_000 && all[0].closedUntil == nil)
    #expect(
      all[4]
        == StoredSummary(
          id: "e", model: "note", owner: closed("e").owner, claim: claim, bytes: 0, lastUsed: nil, closedUntil: 2_000))
  }
}
