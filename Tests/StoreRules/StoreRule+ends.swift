// SPDX-License-Identifier: MIT
import Storing
import Testing

/// The rules about sessions that are closed, put aside or forgotten.
extension StoreRule {
  static let ofEnds = [
    StoreRule("remembers for its owner that a session was closed, and takes nothing for it") { store throws in
      for (number, closing) in [nil, Closing.byClient(nil), .superseded, .ended].enumerated() {
        let id = "s\(number)"
        let closed = closed(id, of: id, closing)
        let claim = store.first.open(record(id, of: id))
        #expect(store.first.commit(id, claim, .closed(closed)) == .durable)
        #expect(store.first.commit(id, claim, isNew: true, .record(record(id, 5, of: id))) == .fenced)
        #expect(store.first.commit(id, claim, .closed(closed)) == .durable)
        #expect(store.second.claim(id) == .closed(closed))
        #expect(try store.second.store.stored(of: id) == [.closed(closed)])
        #expect(try store.second.store.count() == StoreCount(closed: number + 1))
      }
    },
    StoreRule("puts a session aside that its owner cannot use, and never finds it again") { store throws in
      let claim = store.first.open(record("a"))
      #expect(store.first.commit("a", claim, .setAside(reason: "no schema 3")) == .durable)
      #expect(store.first.claim("a") == ClaimOutcome.none)
      #expect(try store.first.store.stored() == [])
      #expect(try store.first.store.count() == StoreCount(setAside: 1))
    },
    StoreRule("takes nothing of an owner whose session another one has taken over and ended") { store throws in
      for end in [StoreChange.Content.removed, .setAside(reason: "a test")] {
        let mine = store.first.open(record("a"))
        #expect(store.first.commit(record("a", 2), mine) == .durable)
        let theirs = try #require(store.second.claim("a").claim)
        #expect(store.second.commit("a", theirs, end) == .durable)
        for content in [StoreChange.Content.record(record("a", 3)), .closed(closed("a"))] {
          let late = store.first.change("a", mine, content, isSuccessor: true)
          #expect(store.first.store.commit([late]) == [.fenced])
        }
        #expect(store.first.claim("a") == ClaimOutcome.none)
      }
    },
    StoreRule("forgets sessions that are unused or were closed long ago, looking at a few at a time") { store throws in
      for index in 0..<25 {
        let claim = store.first.open(record("s\(index)", used: Int64(index)))
        guard index % 5 == 0 else { continue }
        #expect(store.first.commit("s\(index)", claim, .closed(closed("s\(index)", until: Int64(index)))) == .durable)
      }
      var forgotten = 0
      for _ in 0..<3 {
        let expiry = try store.first.store.expire(now: 15, unusedSince: 8, limit: 10)
        #expect(expiry.forgotten <= 10 && expiry.setAside == [])
        forgotten += expiry.forgotten
      }
      // The store forgets the closed sessions 0, 5, 10 and 15, and the living ones 1, 2, 3, 4, 6 and 7.
      #expect(forgotten == 10)
      #expect(try store.first.store.count() == StoreCount(living: 14, closed: 1))
      for _ in 0..<3 { #expect(try store.first.store.expire(now: 15, unusedSince: 8, limit: 10).forgotten == 0) }
      #expect(store.first.claim("s8").record == record("s8", used: 8))
      #expect(store.first.claim("s7") == ClaimOutcome.none)
    },
    StoreRule("forgets no session that is in memory") { store throws in
      for id in ["a", "b"] { store.first.open(record(id, used: 1)) }
      let claim = store.first.open(record("c", used: 1))
      #expect(store.first.commit("c", claim, .closed(closed("c", until: 1))) == .durable)
      let expiry = try store.first.store.expire(now: 15, unusedSince: 8, limit: 10) { $0 != "b" }
      #expect(expiry.forgotten == 2)
      #expect(store.first.claim("a").record == record("a", used: 1))
      #expect(store.first.claim("b") == ClaimOutcome.none)
    },
    StoreRule("forgets a session that no request has found minutes after its opening") { store throws in
      for (id, used) in [("a", -699), ("b", -700), ("c", -950), ("d", 1), ("e", 700)] as [(String, Int64)] {
        store.first.open(record(id, used: used))
      }
      #expect(try store.first.store.expire(now: 1_000, unusedSince: 1, limit: 100).forgotten == 1)
      let left = try store.first.store.list(after: nil, limit: 9)
      #expect(left.map(\.id) == ["b", "c", "d", "e"])
      #expect(left.map(\.lastUsed) == [700, 950, 1, 700])
      #expect(try store.first.store.expire(now: 1_001, unusedSince: 1, limit: 100) { $0 == "b" }.forgotten == 0)
      #expect(try store.first.store.expire(now: 1_001, unusedSince: 1, limit: 100).forgotten == 1)
    },
    StoreRule("forgets the rooms of a view model by a time of their own, but not those of little use") {
      store throws in
      for (id, revision, used) in [("a", 10, 8), ("b", 10, 7), ("c", 10, -1), ("d", 9, 8)]
        as [(String, UInt64, Int64)]
      {
        store.first.open(record(id, revision, used: used))
      }
      let model = record("a").model
      var rule = ExpiryRule(now: 1_000, unusedSince: 999, littleUsedSince: 999, roomsUnusedSince: [model: .min])
      #expect(try store.first.store.expire(by: rule, limit: 9) { _ in false }.forgotten == 2)
      #expect(try store.first.store.list(after: nil, limit: 9).map(\.id) == ["a", "b"])
      rule.roomsUnusedSince = [model: 8, "another": .min]
      #expect(try store.first.store.expire(by: rule, limit: 9) { _ in false }.forgotten == 1)
      rule.roomsUnusedSince = ["another": .min]
      #expect(try store.first.store.expire(by: rule, limit: 9) { _ in false }.forgotten == 1)
    },
  ]
}
