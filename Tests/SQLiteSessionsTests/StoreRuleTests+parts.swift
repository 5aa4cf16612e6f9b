// SPDX-License-Identifier: MIT
import Sessions
import Testing
import ViewModels

/// The rules of a store about the parts of a state.
extension `A store of sessions` {
  private func name(_ name: String) -> [UInt8] { Array("/list/items/\(name)".utf8) }

  private func parts(_ put: [String: String], removed: [String] = []) -> PartsChange {
    var change = PartsChange(removed: Set(removed.map { name($0) }))
    for (key, json) in put { change.put[name(key)] = Array(json.utf8) }
    return change
  }

  /// - Parameter all: All parts of the state; by default those of the change.
  private func record(_ revision: UInt64, _ parts: PartsChange, all: PartsChange? = nil) -> SessionRecord {
    var record = SQLiteSessionsTests.record("a", revision)
    record.parts = parts
    let all = all ?? parts
    (record.partCount, record.partBytes) = (all.put.count, all.put.values.reduce(0) { $0 + $1.count })
    return record
  }

  @Test(arguments: StoreKind.allCases) func `keeps the parts of a session that a change does not name`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    let claim = world.opened(record(1, parts(["1": "1", "2": "2", "3": "3"])))
    let changes: [(change: PartsChange, all: [String: String])] = [
      (parts(["2": "two"]), ["1": "1", "2": "two", "3": "3"]),
      (parts([:]), ["1": "1", "2": "two", "3": "3"]),
      (parts(["4": ""], removed: ["1", "never"]), ["2": "two", "3": "3", "4": ""]),
      (parts(["1": "1"], removed: ["2", "3"]), ["1": "1", "4": ""]),
      (parts([:], removed: ["1", "4"]), [:]),
    ]
    for (revision, step) in zip(UInt64(2)..., changes) {
      let change = world.first.change("a", claim, .record(record(revision, step.change, all: parts(step.all))))
      #expect(world.first.store.commit(change) == [.durable])
      // Making a change twice has the same effect as making it once.
      #expect(world.first.store.commit(change) == [.durable])
      let owned = try world.second.store.stored(of: Credential(hashing: "client"))
      #expect(owned == [.living(record(revision, parts(step.all)))])
      #expect(try world.second.store.read("a") == owned.first)
    }
    #expect(try world.second.store.read("b") == nil)
    _ = world.first.store.commit(world.first.change("a", claim, .record(record(9, parts(["5": "5"])))))
    let outcome = world.second.store.claim("a", world.second.newClaim())
    #expect(outcome.record == record(9, parts(["5": "5"])))
  }

  @Test(arguments: StoreKind.allCases) func `counts the parts of a session with its state`(_ kind: StoreKind) throws {
    let world = try World(kind)
    let plain = SQLiteSessionsTests.record("a").state.count + 3
    _ = world.opened(record(1, parts(["1": "12345", "2": "123"])))
    #expect(try world.first.store.list(after: nil, limit: 9).map(\.bytes) == [plain + 8])
  }

  @Test(arguments: StoreKind.allCases) func `takes no part of what is fenced or comes late`(_ kind: StoreKind) throws {
    let world = try World(kind)
    let claim = world.opened(record(1, parts(["1": "1"])))
    let late = world.first.change("a", claim, .record(record(2, parts(["1": "late", "2": "late"], removed: ["3"]))))
    let later = world.first.change("a", claim, .record(record(3, parts(["1": "later", "3": "later"]))))
    #expect(world.first.store.commit(later) == [.durable])
    #expect(world.first.store.commit(late) == [.durable])
    let taken = world.second.store.claim("a", world.second.newClaim())
    #expect(taken.record == record(3, parts(["1": "later", "3": "later"])))
    let fenced = [
      world.first.change("a", claim, .record(record(4, parts(["1": "fenced", "4": "fenced"], removed: ["3"])))),
      world.first.change("a", claim, isNew: true, .record(record(4, parts(["5": "fenced"])))),
      world.first.change("a", claim, .closed(closed("a"))), world.first.change("a", claim, .removed),
    ]
    for change in fenced where world.second.boot != world.first.boot {
      #expect(world.first.store.commit(change) == [.fenced])
    }
    let again = world.second.store.claim("a", world.second.newClaim())
    #expect(again.record == record(3, parts(["1": "later", "3": "later"])))
  }

  @Test(arguments: StoreKind.allCases) func `forgets the parts of a session that is over`(_ kind: StoreKind) throws {
    let world = try World(kind)
    let ends: [StoreChange.Content?] = [.closed(closed("a", until: 5)), .removed, .setAside(reason: "a test"), nil]
    for end in ends {
      let claim = world.opened(record(1, parts(["1": "1", "2": "2"])))
      if let end { #expect(world.first.store.commit(world.first.change("a", claim, end)) == [.durable]) }
      _ = try world.first.store.expire(now: 10_000, unusedSince: 5_000, limit: 9)
      #expect(world.first.store.claim("a", world.first.newClaim()) == ClaimOutcome.none)
      // A new session with the same id has none of the old parts.
      let next = world.opened(record(1, parts(["3": "3"])))
      let owned = try world.first.store.stored(of: Credential(hashing: "client"))
      #expect(owned == [.living(record(1, parts(["3": "3"])))])
      #expect(world.first.store.commit(world.first.change("a", next, .removed)) == [.durable])
    }
    if let store = world.second.store as? any OperatedStore { #expect(try store.check() == []) }
  }
}
