// SPDX-License-Identifier: MIT
import StoreRules
import Storing
import Testing
import ViewModels

@testable import EuripusNodes

/// Claims of a session that another node has, whose requests can be passed on to it.
@Suite(.timeLimit(.minutes(30))) struct `A node's claim` {
  private final class World {
    let schema: TestSchema
    let stores: [PostgreSQLStore]
    var owners: [Owner]
    let record = StoreRules.record("a")
    let claim: SessionClaim

    /// Makes three nodes, the first of which has a session.
    init() throws {
      let schema = try TestSchema()
      self.schema = schema
      stores = (0..<3).map { PostgreSQLStore(schema.address, nodeURL: "http://node\($0)") }
      owners = try stores.map { try Owner($0) }
      claim = owners[0].open(record)
      // These signs are of the future, so that no node is taken for gone, however slow the machine is.
      for store in stores { _ = try store.beat(.now + .seconds(3_600)) }
      try schema.execute("UPDATE euripus_nodes SET seen = now() + interval '50 seconds'")
    }

    func claim(by index: Int, evenFrom: SessionClaim? = nil) -> ClaimOutcome {
      nonisolated(unsafe) var outcome = ClaimOutcome.none
      stores[index].claim([ClaimOffer("a", owners[index].newClaim(), evenFrom: evenFrom)]) { outcome = $0[0] }
      return outcome
    }

    /// Whether the first node can still write.
    func firstWrites() -> Bool { owners[0].commit(record, claim) == .durable }

    func owner(_ outcome: ClaimOutcome) -> UInt64? {
      outcome.claim?.boot ?? outcome.whereabouts?.node.boot
    }

    deinit { for store in stores { store.close() } }
  }

  @Test func `is not asked for by a timer that is due at a node that is there`() throws {
    let world = try World()
    #expect(world.owners[0].commit(record("a", wakesAt: 5), world.claim) == .durable)
    #expect(try world.stores[0].due(by: 5, after: nil, limit: 9) == [DueSession(id: "a", time: 5)])
    #expect(try world.stores[1].due(by: 5, after: nil, limit: 9) == [])
    world.stores[0].close()
    #expect(try world.stores[1].due(by: 5, after: nil, limit: 9) == [DueSession(id: "a", time: 5)])
  }

  @Test func `is asked for by a timer if the database's clock was set back since the last sign of its node`() throws {
    let world = try World()
    #expect(world.owners[0].commit(record("a", wakesAt: 5), world.claim) == .durable)
    try world.schema.execute("UPDATE euripus_nodes SET seen = now() + interval '1 hour'")
    #expect(try world.stores[1].due(by: 5, after: nil, limit: 9) == [DueSession(id: "a", time: 5)])
  }

  @Test func `is told where the session is, and takes nothing from a node that is there`() throws {
    let world = try World()
    let place = try #require(world.claim(by: 1).whereabouts)
    #expect(place.node.url == "http://node0" && place.node.boot == world.stores[0].boot)
    #expect(place.node.token == world.stores[0].token && place.claim == world.claim)
    #expect(world.firstWrites())
  }

  @Test func `leaves a row that cannot be read to the node that is there, which writes it anew`() throws {
    let world = try World()
    try world.schema.execute("UPDATE euripus_sessions SET state = '{}'")
    #expect(world.claim(by: 1).whereabouts?.node.boot == world.stores[0].boot)
    #expect(world.firstWrites())
    world.stores[0].close()
    #expect(world.owner(world.claim(by: 1)) == world.stores[1].boot)
  }

  @Test func `puts a row aside that cannot be read, once its node has closed the store`() throws {
    let world = try World()
    try world.schema.execute("UPDATE euripus_sessions SET state = '{}'")
    world.stores[0].close()
    #expect(world.claim(by: 1).damage != nil)
    #expect(world.claim(by: 1) == ClaimOutcome.none)
  }

  @Test func `takes the session from a node that has closed the store, at once`() throws {
    let world = try World()
    world.stores[0].close()
    #expect(world.owner(world.claim(by: 1)) == world.stores[1].boot)
  }

  @Test func `takes it from a node that gives no sign, if it gives none meanwhile`() throws {
    let world = try World()
    let (then, now) = (ContinuousClock.now - .seconds(10), ContinuousClock.now)
    _ = try world.stores[0].beat(then)
    _ = try world.stores[1].beat(then)
    #expect(world.stores[1].gone(now) == [world.stores[0].boot, world.stores[2].boot].sorted())
    // The first node gives a sign between the second node's look and its claim.
    _ = try world.stores[0].beat(now)
    #expect(world.owner(world.claim(by: 1)) == world.stores[0].boot)
    #expect(world.firstWrites())
    _ = try world.stores[1].beat(then)
    #expect(world.owner(world.claim(by: 1)) == world.stores[1].boot)
    #expect(!world.firstWrites())
    for (index, taken) in [["a"], []].enumerated() {
      #expect(try world.stores[index].beat(now, lookingFor: { _ in ["a", "b"] }).taken == taken)
    }
  }

  @Test func `takes it by a claim that was let go, and not by an earlier one`() throws {
    let world = try World()
    #expect(world.owner(world.claim(by: 1, evenFrom: world.claim)) == world.stores[1].boot)
    // The first node reads the session that it had. It is told where the session is now, and cannot take it back.
    #expect(world.owner(world.claim(by: 0)) == world.stores[1].boot)
    #expect(world.owner(world.claim(by: 2, evenFrom: world.claim)) == world.stores[1].boot)
    #expect(!world.firstWrites())
  }

  @Test func `leaves sessions to others that its program cannot make again, and takes those that it can`() throws {
    let world = try World()
    for schemas in [["note": UInt32(2)], ["other": 3], [:]] {
      world.stores[1].hosts(schemas)
      let error = try #require(world.claim(by: 1, evenFrom: world.claim).failure, "by a server that knows \(schemas)")
      #expect("\(error)".contains("left to servers of a later one"))
      #expect(world.firstWrites())
      // The first node uses the session, so the second passes requests on to it.
      #expect(world.owner(world.claim(by: 1)) == world.stores[0].boot)
    }
    world.stores[1].hosts(["note": 3, "other": 1])
    #expect(world.owner(world.claim(by: 1, evenFrom: world.claim)) == world.stores[1].boot)
  }

  @Test func `counts no more when its node has read the session anew`() throws {
    let world = try World()
    let again = try #require(world.claim(by: 0).claim)
    #expect(again.boot == world.claim.boot && again != world.claim)
    #expect(world.owner(world.claim(by: 1, evenFrom: world.claim)) == world.stores[0].boot)
    #expect(world.owner(world.claim(by: 1, evenFrom: again)) == world.stores[1].boot)
  }

  @Test func `goes beside notices, which all nodes get with their next sign`() throws {
    let world = try World()
    let record = ClientRecord(
      owner: Credential(hashing: "client"), credential: Credential(hashing: "new"), user: User(id: "7"), changed: 1)
    let told = NodeNotice.client(record.owner, ofUser: .ofUser("7"))
    try world.stores[0].put(record)
    try world.stores[1].askToEnd("a", as: .ended)
    for store in world.stores {
      #expect(
        try store.beat(.now) == [
          .ended(record.owner, isSignedOut: false), told,
          .end("a"),
        ])
      #expect(try store.beat(.now) == [])
    }
    try world.stores[0].put(record)
    #expect(
      try world.stores[1].beat(.now) == [told],
      "the credential is the same")
    try world.stores[0].put(ClientRecord(owner: record.owner, credential: nil, user: nil, changed: 2))
    #expect(
      try world.stores[1].beat(.now) == [
        .ended(Credential(hashing: "new"), isSignedOut: true), .client(record.owner, ofUser: nil),
      ])
    // A node that begins to listen may have missed some notices.
    let late = PostgreSQLStore(world.schema.address, nodeURL: "http://late")
    _ = try Owner(late)
    #expect(try late.beat(.now) == [.missed])
    late.close()
  }

  @Test func `goes beside the reason for which another node asks that the session ends`() throws {
    let world = try World()
    #expect(try world.stores[0].askedEnds(among: ["a", "b"]) == [:])
    try world.stores[1].askToEnd("a", as: .superseded)
    #expect(try world.stores[0].askedEnds(among: ["a", "b"]) == ["a": .superseded])
    #expect(world.firstWrites())
    #expect(world.owners[0].commit("a", world.claim, .closed(closed("a"))) == .durable)
    #expect(try world.stores[0].askedEnds(among: ["a"]) == [:])
  }

  @Test func `forgets that the session is to make room for a newer one, and not an operator's end`() throws {
    let world = try World()
    func asked() throws -> [String: Closing] { try world.stores[2].askedEnds(among: ["a"]) }
    try world.stores[1].askToEnd("a", as: .superseded)
    #expect(world.owner(world.claim(by: 2)) == world.stores[0].boot)
    #expect(try asked() == ["a": .superseded], "a claim that is not made changes nothing")
    let own = world.claim(by: 0)
    #expect(own.record == world.record && own.record?.askedEnd == nil)
    #expect(try asked() == [:])
    try world.stores[1].askToEnd("a", as: .superseded)
    let second = world.claim(by: 1, evenFrom: own.claim)
    #expect(world.owner(second) == world.stores[1].boot && second.record?.askedEnd == nil)
    #expect(try asked() == [:])
    try world.stores[0].askToEnd("a", as: .ended)
    let third = world.claim(by: 2, evenFrom: second.claim)
    #expect(world.owner(third) == world.stores[2].boot && third.record?.askedEnd == .ended)
    #expect(try asked() == ["a": .ended])
  }

  @Test func `goes beside the word of the session's node that it stays, unless it is to end for another reason`() throws
  {
    let world = try World()
    func asked() throws -> [String: Closing] { try world.stores[1].askedEnds(among: ["a"]) }
    try world.stores[1].askToEnd("a", as: .superseded)
    try world.stores[2].keep(["a"], insteadOf: .superseded)
    #expect(try asked() == ["a": .superseded], "it is not that node's")
    try world.stores[0].keep(["none", "a"], insteadOf: .superseded)
    #expect(try asked() == [:])
    try world.stores[1].askToEnd("a", as: .ended)
    try world.stores[0].keep(["a"], insteadOf: .superseded)
    #expect(try asked() == ["a": .ended])
    #expect(world.firstWrites())
    #expect(try asked() == ["a": .ended], "a change of the session leaves it")
  }

  @Test func `goes beside the records of clients, many in one look`() throws {
    let world = try World()
    let (first, present) = (Credential(hashing: "first"), Credential(hashing: "present"))
    try world.stores[0].put(ClientRecord(owner: first, credential: present, user: nil, changed: 1))
    try world.stores[0].put(ClientRecord(owner: Credential(hashing: "other"), credential: nil, user: nil, changed: 1))
    for credentials in [[first, Credential(hashing: "nobody")], [present]] {
      #expect(try world.stores[1].clients(with: credentials).map(\.owner) == [first])
    }
  }

  @Test func `is refused for a second session that the same request opens, until the first is closed`() throws {
    let world = try World()
    let twin = SessionRecord(
      id: "b", model: world.record.model, owner: world.record.owner, opening: world.record.opening, revision: 1,
      schema: 3, state: [], keys: [], lastUsed: 1)
    let claim = world.owners[1].newClaim()
    let change = world.owners[1].change("b", claim, isNew: true, .record(twin))
    let other = world.owners[1].change("c", claim, isNew: true, .record(record("c")))
    #expect(world.stores[1].commit([change, other]) == [.fenced, .durable])
    #expect(world.claim(by: 1) != ClaimOutcome.none)
    #expect(world.owners[0].commit("a", world.claim, .closed(closed("a"))) == .durable)
    #expect(world.stores[1].commit([change]) == [.durable])
  }

  @Test func `takes the sessions of an earlier node of the same URL`() throws {
    let world = try World()
    let successor = PostgreSQLStore(world.schema.address, nodeURL: "http://node0")
    var owner = try Owner(successor)
    #expect(owner.claim("a").claim?.boot == successor.boot)
    #expect(throws: StoreError.self, "and that one learns of it") { _ = try world.stores[0].beat(.now) }
    successor.close()
  }
}

extension PostgreSQLStore {
  /// Gives a sign without a look for sessions.
  fileprivate func beat(_ now: ContinuousClock.Instant) throws(StoreError) -> [NodeNotice] {
    try beat(now) { _ in nil }.notices
  }
}
