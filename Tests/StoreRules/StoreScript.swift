// SPDX-License-Identifier: MIT
import Seeded
import Storing
import Testing
import ViewModels

/// A random script of two owners on one store, beside a plain account of the results that each step must have.
package struct StoreScript {
  /// A session as the account has it.
  private struct Account {
    var stored: StoredSession
    /// The owner that claimed it last.
    var owner: Int
  }

  /// An owner's memory of a session.
  private struct Copy {
    let claim: SessionClaim
    var record: SessionRecord
    /// All of its parts.
    var parts: [[UInt8]: [UInt8]]

    init(claim: SessionClaim, record: SessionRecord) {
      (self.claim, self.record, parts) = (claim, record, record.parts.put)
    }
  }

  /// Names of parts, some of which no text has.
  private static let names: [[UInt8]] = [
    [], [0], [0, 1], [255], Array("/list/items/ü~1".utf8), Array("/list/order".utf8),
  ]

  private var generator: SeededGenerator
  private var owners: [Owner]
  private let place: Comment
  private var accounts: [String: Account] = [:]
  private var copies: [[String: Copy]] = [[:], [:]]

  /// Runs scripts on stores in which nothing is. Two owners never undo each other's work, and each is told so.
  package static func run(rounds: Int, on store: () throws -> TwoOwners) throws {
    let seed = SeededGenerator.seed
    for round in 0..<rounds {
      let store = try store()
      var script = StoreScript(
        generator: SeededGenerator(seed: seed &+ UInt64(round) | 1), owners: [store.first, store.second],
        place: "seed \(seed), round \(round)")
      for step in 0..<120 { script.takeStep(step) }
      try script.checkStore()
    }
  }

  private mutating func takeStep(_ step: Int) {
    let owner = Int.random(in: 0..<2, using: &generator)
    let id = "s\(Int.random(in: 0..<6, using: &generator))"
    if let copy = copies[owner][id] { change(copy, of: owner, step) } else { claim(id, by: owner, step) }
  }

  private mutating func claim(_ id: String, by owner: Int, _ step: Int) {
    let offered = owners[owner].newClaim()
    switch (owners[owner].store.claim(id, offered), accounts[id]?.stored) {
    case (.held(let record, let claim), .living(let expected)):
      #expect(record == expected, place)
      copies[owner][id] = Copy(claim: claim, record: record)
      accounts[id]?.owner = owner
    case (.closed(let closed), .closed(let expected)): #expect(closed == expected, place)
    case (.none, nil):
      // The session is new, and the other owner cannot know of it.
      let new = record(id, UInt64(step), of: "client \(owner)")
      #expect(owners[owner].commit(id, offered, isNew: true, .record(new)) == .durable, place)
      accounts[id] = Account(stored: .living(new), owner: owner)
      for index in copies.indices { copies[index][id] = nil }
      copies[owner][id] = Copy(claim: offered, record: new)
    case (let outcome, let expected): Issue.record("\(place): \(outcome), expected \(String(describing: expected))")
    }
  }

  private mutating func change(_ copy: Copy, of owner: Int, _ step: Int) {
    var next = copy
    let id = copy.record.id
    let content: StoreChange.Content
    switch Int.random(in: 0..<12, using: &generator) {
    case 0:
      // A session keeps the request that opened it.
      content = .closed(
        ClosedSession(
          id: id, model: copy.record.model, owner: copy.record.owner, opening: copy.record.opening,
          closing: Bool.random(using: &generator) ? .superseded : .byClient(nil), until: 0))
    case 1: content = .removed
    default:
      next.record.revision += 1
      next.record.state = Array("\(step)".utf8)
      let parts = changeParts(of: &next, step)
      next.record = next.record.with(parts, all: PartsChange(put: next.parts))
      content = .record(next.record)
    }
    let change = owners[owner].change(id, copy.claim, content, isSuccessor: true)
    let outcome = owners[owner].store.commit([change])
    if Bool.random(using: &generator) { #expect(owners[owner].store.commit([change]) == outcome, place) }
    let isLiving: Bool = if case .living = accounts[id]?.stored { true } else { false }
    guard isLiving && accounts[id]?.owner == owner else {
      // A session that is gone stays gone.
      #expect(outcome == [content == .removed && accounts[id] == nil ? .durable : .fenced], place)
      copies[owner][id] = nil
      return
    }
    #expect(outcome == [.durable], place)
    switch content {
    case .record(let record):
      copies[owner][id] = next
      var stored = record
      stored.parts = PartsChange(put: next.parts)
      accounts[id]?.stored = .living(stored)
    case .closed(let closed):
      accounts[id]?.stored = .closed(closed)
      copies[owner][id] = nil
    case .removed, .setAside:
      accounts[id] = nil
      copies[owner][id] = nil
    }
  }

  /// Changes some parts at random.
  private mutating func changeParts(of copy: inout Copy, _ step: Int) -> PartsChange {
    var change = PartsChange()
    for name in Self.names {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        copy.parts[name] = Array("\(step)".utf8)
        change.put[name] = copy.parts[name]
      // The removed part may not be there.
      case 1:
        copy.parts[name] = nil
        change.removed.insert(name)
      default: break
      }
    }
    return change
  }

  private func checkStore() throws {
    let store = owners[0].store
    let count = try store.count()
    #expect(count.living + count.closed == accounts.count, place)
    for client in 0..<2 {
      let owned = accounts.values.map(\.stored).filter { $0.owner == Credential(hashing: "client \(client)") }
      #expect(try store.stored(of: "client \(client)") == owned.sorted { $0.id < $1.id }, place)
    }
  }
}
