// SPDX-License-Identifier: MIT
import Storing
import Testing

/// The rules about the room that sessions take.
extension StoreRule {
  private static let here = ClientNetwork.version4(1).number
  private static let there = ClientNetwork.version6(1 << 16).number
  private static let page = StoreRoom.page

  private static func record(
    _ id: String, _ revision: UInt64 = 1, from network: Int64, isOfUser: Bool = false, pages: Int = 1,
    used: Int64 = 1_000
  ) -> SessionRecord {
    var record = StoreRules.record(id, revision, bytes: (pages - 1) * page, used: used)
    (record.network, record.isOfUser) = (network, isOfUser)
    return record
  }

  private static func shares(_ store: any SessionStore) throws -> [StoreShare: Int] {
    let room = try store.room(of: 1)
    let shares = room.heaviest.filter { $0.bytes > 0 }
    #expect(room.bytes == shares.reduce(0) { $0 + $1.bytes } && room.limit == 1)
    #expect(shares.map(\.bytes) == shares.map(\.bytes).sorted(by: >))
    return Dictionary(
      uniqueKeysWithValues: shares.map { (StoreShare($0.network, isOfUsers: $0.isOfUsers, bytes: 0), $0.bytes / page) })
  }

  static let ofRoom = [
    StoreRule("sums up the room of its sessions, by network, and of users and others apart") { store throws in
      let (mine, users, theirs) = (
        StoreShare(here, isOfUsers: false, bytes: 0), StoreShare(here, isOfUsers: true, bytes: 0),
        StoreShare(there, isOfUsers: false, bytes: 0)
      )
      #expect(try shares(store.first.store) == [:])
      let a = store.first.open(record("a", from: here))
      store.first.open(record("b", from: there, pages: 3))
      #expect(try shares(store.second.store) == [mine: 1, theirs: 3])
      // A change that comes late, or from a fenced owner, counts nothing.
      let late = store.first.change("a", a, .record(record("a", 2, from: here, pages: 2)))
      let grown = store.first.change("a", a, .record(record("a", 3, from: here, pages: 5)))
      #expect(store.first.store.commit([grown]) + store.first.store.commit([late]) == [.durable, .durable])
      #expect(try shares(store.first.store) == [mine: 5, theirs: 3])
      let held = try #require(store.second.claim("a").claim)
      #expect(store.first.commit(record("a", 9, from: here, pages: 9), a) == .fenced)
      #expect(store.second.commit(record("a", 4, from: here, isOfUser: true, pages: 4), held) == .durable)
      #expect(try shares(store.first.store) == [users: 4, theirs: 3])
      #expect(store.second.claim("a").record == record("a", 4, from: here, isOfUser: true, pages: 4))
      // Closed sessions take a page for as long as they are remembered.
      let again = try #require(store.second.claim("a").claim)
      #expect(store.second.commit("a", again, .closed(closed("a", until: 5))) == .durable)
      #expect(try shares(store.first.store) == [mine: 1, theirs: 3])
      _ = try store.second.store.expire(now: 10, unusedSince: 5, limit: 9)
      #expect(try shares(store.second.store) == [theirs: 3])
      let b = try #require(store.second.claim("b").claim)
      #expect(store.second.commit("b", b, .setAside(reason: "a test")) == .durable)
      #expect(try shares(store.first.store) == [:])
    },
    StoreRule("counts a session of which no network is known for the one that uses it, once its size changes") {
      store throws in
      let (nobodys, mine) = (
        StoreShare(0, isOfUsers: false, bytes: 0), StoreShare(here, isOfUsers: false, bytes: 0)
      )
      let a = store.first.open(record("a", from: 0))
      #expect(try shares(store.first.store) == [nobodys: 1])
      #expect(store.first.commit(record("a", 2, from: here, pages: 3), a) == .durable)
      #expect(try shares(store.first.store) == [mine: 3])
      // From then on it stays there.
      let held = store.second.claim("a")
      #expect(held.record?.network == here)
      let claim = try #require(held.claim)
      #expect(store.second.commit(record("a", 3, from: there, pages: 2), claim) == .durable)
      #expect(store.second.commit(record("a", 4, from: 0, pages: 4), claim) == .durable)
      #expect(try shares(store.first.store) == [mine: 4])
      #expect(store.second.commit("a", claim, .removed) == .durable)
      #expect(try shares(store.first.store) == [:])
      // A change of the same size leaves the sums right, whether or not it takes the network.
      let b = store.first.open(record("b", from: 0))
      #expect(store.first.commit(record("b", 2, from: here), b) == .durable)
      #expect(try shares(store.first.store).values.sorted() == [1])
      #expect(store.first.commit(record("b", 3, from: here, isOfUser: true), b) == .durable)
      #expect(try shares(store.first.store).values.sorted() == [1])
      #expect(store.first.commit("b", b, .removed) == .durable)
      #expect(try shares(store.first.store) == [:])
    },
    StoreRule("gives back room by closed sessions, then the longest unused, and at last those in memory") {
      store throws in
      for (id, used) in [("a", 30), ("b", -20), ("c", 40), ("d", 10)] as [(String, Int64)] {
        store.first.open(record(id, from: here, pages: 2, used: used))
      }
      store.first.open(record("users", from: here, isOfUser: true, used: 1))
      store.first.open(record("theirs", from: there, used: 1))
      let claim = store.first.open(record("closed", from: here))
      #expect(store.first.commit("closed", claim, .closed(closed("closed"))) == .durable)
      func give(_ pages: Int, most: Int = 9, users: Bool = false) throws -> RoomMade {
        let share = StoreShare(here, isOfUsers: users, bytes: pages * page)
        return try store.first.store.makeRoom(RoomStep([share], most: most)) { $0 == "d" }
      }
      var made = RoomMade()
      #expect(try store.first.store.makeRoom(RoomStep([], most: 9)) { _ in false } == made)
      made.forgotten = 2
      #expect(try give(2) == made)
      #expect(store.first.claim("closed") == ClaimOutcome.none && store.first.claim("b") == ClaimOutcome.none)
      (made.forgotten, made.inMemory) = (1, ["d"])
      #expect(try give(4, most: 2) == made)
      made.inMemory = []
      #expect(try give(2) == made)
      #expect(try store.first.store.list(after: nil, limit: 9).map(\.id) == ["d", "theirs", "users"])
      #expect(try give(1, users: true).forgotten == 1)
      #expect(try shares(store.first.store).values.sorted() == [1, 2])
    },
    StoreRule("gives back room by the longest unused of a sample, however many there are") { store throws in
      // In the order of their ids the first are unused for longest, but for "d".
      let ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
      for (index, id) in ids.enumerated() {
        store.first.open(record(id, from: here, used: id == "d" ? 99 : 10 + Int64(index)))
      }
      store.first.open(record("theirs", from: there, used: 1))
      let share = StoreShare(here, isOfUsers: false, bytes: 9 * page)
      func end(_ most: Int, after start: String, over: Set<String> = []) throws -> [String] {
        let before = try store.first.store.list(after: nil, limit: 99).map(\.id)
        let step = RoomStep([share], most: most, passingOver: over, after: start)
        #expect(try store.first.store.makeRoom(step) { _ in false }.forgotten <= most)
        let after = Set(try store.first.store.list(after: nil, limit: 99).map(\.id))
        return before.filter { !after.contains($0) }
      }
      // A sample has four for each that may end, and goes on with the first id.
      #expect(try end(1, after: "c") == ["e"])
      #expect(try end(1, after: "g") == ["a"])
      #expect(try end(1, after: "bb", over: ["c", "f"]) == ["g"])
      #expect(try end(2, after: "zz", over: ["b"]) == ["c", "f"])
      #expect(try end(9, after: "d") == ["b", "d", "h", "i"])
    },
    StoreRule("forgets a session of nobody's after a day, if it was little used") { store throws in
      let (day, now) = (SessionRecord.littleUse.time, Int64(1_000_000))
      store.first.open(record("a", 9, from: here, used: now - day - 1))
      store.first.open(record("b", 9, from: here, used: now - day))
      store.first.open(record("c", 10, from: here, used: now - day - 1))
      store.first.open(record("d", 9, from: here, isOfUser: true, used: now - day - 1))
      // For a time it may be kept as long as others.
      let rule = ExpiryRule(now: now, unusedSince: 500_000, littleUsedSince: 500_000)
      let withheld = try store.first.store.expire(by: rule, limit: 9, isInMemory: { _ in false })
      #expect(withheld.forgotten == 0)
      #expect(try store.first.store.expire(now: now, unusedSince: 500_000, limit: 9).forgotten == 1)
      #expect(try store.first.store.list(after: nil, limit: 9).map(\.id) == ["b", "c", "d"])
    },
  ]
}
