// SPDX-License-Identifier: MIT
import Storing
import Testing

/// The rules about the owner of a session, and about its changes.
extension StoreRule {
  static let ofClaims = [
    StoreRule("gives each opening a greater number") { store throws in
      #expect(store.first.boot >= 1 && store.second.boot > store.first.boot)
    },
    StoreRule("gives back a session exactly as it was committed") { store throws in
      var plain = record("plain", .max, used: -1)
      (plain.state, plain.keys, plain.schema) = ([], [], .max)
      let foreign = SessionRecord(
        id: "ü☃ x", model: "", owner: Credential(hashing: ""), opening: nil, revision: 0, schema: 0,
        state: Array(0...255), keys: Array(repeating: 0, count: 300_000), lastUsed: .max)
      var visited = record("visited")
      visited.context = Array(#"{"user":null}"#.utf8)
      for record in [record("a"), plain, foreign, visited] {
        store.first.open(record)
        let outcome = store.second.claim(record.id)
        #expect(outcome.record == record && outcome.claim?.boot == store.second.boot)
      }
      // A path can have the last three ids, and a session cannot.
      for id in ["b", "", "\u{0}", "a\u{0}"] { #expect(store.second.claim(id) == ClaimOutcome.none) }
    },
    StoreRule("takes the changes of the last claimant, and none of others") { store throws in
      let mine = store.first.open(record("a"))
      #expect(store.first.commit(record("a", 2), mine) == .durable)
      let taken = store.second.claim("a")
      let theirs = try #require(taken.claim)
      #expect(taken.record == record("a", 2) && theirs.boot == store.second.boot)
      for content in [
        StoreChange.Content.record(record("a", 3)), .closed(closed("a")), .removed, .setAside(reason: "x"),
      ] {
        for isNew in [true, false] { #expect(store.first.commit("a", mine, isNew: isNew, content) == .fenced) }
      }
      #expect(store.second.commit(record("a", 3), theirs) == .durable)
      let outcome = store.first.claim("a")
      #expect(outcome.record == record("a", 3))
      let again = try #require(outcome.claim)
      #expect(again != mine, "what it committed by its first claim may still come late")
      #expect(store.first.commit(record("a", 9), mine) == .fenced)
      #expect(store.second.commit(record("a", 9), theirs) == .fenced)
      #expect(store.first.commit(record("a", 4), again) == .durable)
    },
    StoreRule("puts in a session that it does not know only if it is new") { store throws in
      let claim = store.first.newClaim()
      #expect(store.first.commit(record("a"), claim) == .fenced)
      #expect(store.first.commit("a", claim, .closed(closed("a"))) == .fenced)
      #expect(store.first.commit("a", claim, .removed) == .durable)
      #expect(try store.first.store.count() == StoreCount())
      #expect(store.first.commit("a", claim, isNew: true, .record(record("a"))) == .durable)
      // This session was opened and closed before either change was committed.
      #expect(store.first.commit("b", claim, isNew: true, .closed(closed("b"))) == .durable)
      #expect(try store.first.store.count() == StoreCount(living: 1, closed: 1))
    },
    StoreRule("is the same after a change that is made twice, or late") { store throws in
      let claim = store.first.newClaim()
      let opening = store.first.change("a", claim, isNew: true, .record(record("a", 1)))
      let second = store.first.change("a", claim, .record(record("a", 2)))
      let closing = store.first.change("a", claim, .closed(closed("a")))
      for change in [opening, opening, second, opening, second] {
        #expect(store.first.store.commit([change]) == [.durable])
      }
      #expect(try store.second.store.stored() == [.living(record("a", 2))])
      for change in [closing, closing, second] { #expect(store.first.store.commit([change]) == [.durable]) }
      #expect(store.second.claim("a") == .closed(closed("a")))
    },
    StoreRule("answers each change of a batch for itself, in order") { store throws in
      let (a, b) = (store.first.open(record("a")), store.first.open(record("b")))
      _ = store.second.claim("b")
      let outcomes = store.first.store.commit([
        store.first.change("a", a, .record(record("a", 2))), store.first.change("b", b, .record(record("b", 2))),
        store.first.change("c", store.first.newClaim(), isNew: true, .record(record("c", 2))),
        store.first.change("d", store.first.newClaim(), .record(record("d", 2))),
      ])
      #expect(outcomes == [.durable, .fenced, .durable, .fenced])
      #expect(store.first.store.commit([]) == [])
    },
  ]
}
