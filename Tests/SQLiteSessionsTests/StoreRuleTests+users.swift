// SPDX-License-Identifier: MIT
import Sessions
import Testing
import ViewModels

/// The rules of a store about the user of a session, and about sessions that no request has found.
extension `A store of sessions` {
  @Test(arguments: StoreKind.allCases) func `forgets what no request has found for minutes after its opening`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    for (id, used) in [("a", -699), ("b", -700), ("c", -950), ("d", 1), ("e", 700)] as [(String, Int64)] {
      _ = world.opened(record(id, used: used))
    }
    #expect(try world.first.store.expire(now: 1_000, unusedSince: 1, limit: 100).forgotten == 1)
    let left = try world.first.store.list(after: nil, limit: 9)
    #expect(left.map(\.id) == ["b", "c", "d", "e"])
    #expect(left.map(\.lastUsed) == [700, 950, 1, 700])
    #expect(try world.first.store.expire(now: 1_001, unusedSince: 1, limit: 100) { $0 == "b" }.forgotten == 0)
    #expect(try world.first.store.expire(now: 1_001, unusedSince: 1, limit: 100).forgotten == 1)
  }

  @Test(arguments: StoreKind.allCases) func `lists the sessions of a client, and those of a user with all clients`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    func put(_ id: String, of owner: Credential, _ lastUsed: Int64, _ context: String? = nil) {
      let record = SessionRecord(
        id: id, model: "note", owner: owner, opening: nil, revision: 1, schema: 1, state: Array("{}".utf8), keys: [],
        lastUsed: lastUsed, context: context.map { Array($0.utf8) })
      _ = world.opened(record)
    }
    let (one, other, stranger) = (
      Credential(hashing: "one"), Credential(hashing: "other"), Credential(hashing: "stranger")
    )
    func context(_ user: String) -> String { #"{"user":{"id":"\#(user)","name":"","roles":[],"claims":{}}}"# }
    put("a", of: one, 10, context("9"))
    put("b", of: other, 30)
    put("c", of: stranger, 40)
    put("d", of: .ofUser("7"), 20, context("7"))
    for owner in [one, other] {
      try world.first.store.put(
        ClientRecord(owner: owner, credential: owner, user: User(id: "7"), changed: 1))
    }
    let store = world.second.store
    #expect(try store.list(of: one, user: nil, limit: 9).map(\.id) == ["a"])
    #expect(try store.list(of: one, user: "7", limit: 9).map(\.id) == ["b", "d", "a"])
    #expect(try store.list(of: one, user: "7", limit: 2).map(\.id) == ["b", "d"])
    #expect(try store.list(of: stranger, user: "8", limit: 9).map(\.id) == ["c"])
    // A session has the present user of its client, or the user whose own it is.
    #expect(try store.list(after: nil, limit: 9).map(\.user) == ["7", "7", nil, "7"])
  }
}
