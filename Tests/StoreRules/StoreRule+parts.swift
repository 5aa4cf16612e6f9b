// SPDX-License-Identifier: MIT
import Storing
import Testing
import ViewModels

/// The rules about the parts of a state.
extension StoreRule {
  private static func name(_ name: String) -> [UInt8] { Array("/list/items/\(name)".utf8) }

  private static func parts(_ put: [String: String], removed: [String] = []) -> PartsChange {
    var change = PartsChange(removed: Set(removed.map { name($0) }))
    for (key, json) in put { change.put[name(key)] = Array(json.utf8) }
    return change
  }

  static let ofParts = [
    StoreRule("keeps the parts of a session that a change does not name") { store throws in
      let claim = store.first.open(record("a").with(parts(["1": "1", "2": "2", "3": "3"])))
      let changes: [(change: PartsChange, all: [String: String])] = [
        (parts(["2": "two"]), ["1": "1", "2": "two", "3": "3"]),
        (parts([:]), ["1": "1", "2": "two", "3": "3"]),
        (parts(["4": ""], removed: ["1", "never"]), ["2": "two", "3": "3", "4": ""]),
        (parts(["1": "1"], removed: ["2", "3"]), ["1": "1", "4": ""]),
        (parts([:], removed: ["1", "4"]), [:]),
        (parts(["5": "5"]), ["5": "5"]),
      ]
      for (revision, step) in zip(UInt64(2)..., changes) {
        let all = record("a", revision).with(parts(step.all))
        let change = store.first.change(
          "a", claim, .record(record("a", revision).with(step.change, all: parts(step.all))))
        // Making a change twice has the same effect as making it once.
        for _ in 0..<2 { #expect(store.first.store.commit([change]) == [.durable]) }
        #expect(try store.second.store.stored() == [.living(all)])
        #expect(try store.second.store.read("a") == .living(all))
      }
      #expect(try store.second.store.read("b") == nil)
      #expect(store.second.claim("a").record == record("a", 7).with(parts(["5": "5"])))
    },
    StoreRule("counts the parts of a session with its state") { store throws in
      store.first.open(record("a").with(parts(["1": "12345", "2": "123"])))
      #expect(try store.first.store.list(after: nil, limit: 9).map(\.bytes) == [record("a").state.count + 3 + 8])
    },
    StoreRule("takes no part of a change that is fenced or comes late") { store throws in
      let claim = store.first.open(record("a").with(parts(["1": "1"])))
      let late = store.first.change(
        "a", claim, .record(record("a", 2).with(parts(["1": "late", "2": "late"], removed: ["3"]))))
      let all = parts(["1": "later", "2": "late", "3": "later"])
      let later = record("a", 3).with(all)
      var both = store.first.change(
        "a", claim, .record(record("a", 3).with(parts(["1": "later", "3": "later"]), all: all)))
      // The answer to the late change did not come, so the later one has its parts too.
      both.follow(late)
      #expect(store.first.store.commit([both]) == [.durable])
      #expect(store.first.store.commit([late]) == [.durable])
      #expect(store.second.claim("a").record == later)
      let fenced: [(isNew: Bool, content: StoreChange.Content)] = [
        (false, .record(record("a", 4).with(parts(["1": "fenced", "4": "fenced"], removed: ["3"])))),
        (true, .record(record("a", 4).with(parts(["5": "fenced"])))), (false, .closed(closed("a"))), (false, .removed),
      ]
      for (isNew, content) in fenced { #expect(store.first.commit("a", claim, isNew: isNew, content) == .fenced) }
      #expect(store.second.claim("a").record == later)
    },
    StoreRule("takes no change that builds on a lost one, and takes one with all parts") { store throws in
      let before = record("a").with(parts(["1": "1", "2": "2"]))
      let claim = store.first.open(before)
      // The store answered this change, and has lost it since.
      _ = store.first.change("a", claim, .record(record("a", 2).with(parts(["3": "lost"]))))
      for change in [parts(["1": "edited"]), parts([:], removed: ["3"]), parts([:])] {
        let change = store.first.change("a", claim, .record(record("a", 3).with(change)), isSuccessor: true)
        #expect(store.first.store.commit([change]) == [.behind])
        #expect(try store.first.store.read("a") == .living(before))
      }
      let whole = parts(["1": "edited", "3": "lost"])
      let all = PartsChange(put: whole.put, isWhole: true)
      let change = store.first.change("a", claim, .record(record("a", 4).with(all)))
      #expect(store.first.store.commit([change]) == [.durable])
      #expect(try store.first.store.read("a") == .living(record("a", 4).with(whole)))
      let later = record("a", 5).with(parts(["3": "3"]), all: parts(["1": "edited", "3": "3"]))
      #expect(
        store.first.store.commit([store.first.change("a", claim, .record(later), isSuccessor: true)]) == [.durable])
      #expect(store.second.claim("a").record == record("a", 5).with(parts(["1": "edited", "3": "3"])))
      if let store = store.second.store as? any OperatedStore { #expect(try store.check() == []) }
    },
    StoreRule("forgets the parts of a session that is over") { store throws in
      let ends: [StoreChange.Content?] = [.closed(closed("a", until: 5)), .removed, .setAside(reason: "a test"), nil]
      for end in ends {
        let claim = store.first.open(record("a").with(parts(["1": "1", "2": "2"])))
        if let end { #expect(store.first.commit("a", claim, end) == .durable) }
        _ = try store.first.store.expire(now: 10_000, unusedSince: 5_000, limit: 9)
        #expect(store.first.claim("a") == ClaimOutcome.none)
        // A new session with the same id has none of the old parts.
        let new = record("a").with(parts(["3": "3"]))
        let next = store.first.open(new)
        #expect(try store.first.store.stored() == [.living(new)])
        #expect(store.first.commit("a", next, .removed) == .durable)
      }
      if let store = store.second.store as? any OperatedStore { #expect(try store.check() == []) }
    },
  ]
}
