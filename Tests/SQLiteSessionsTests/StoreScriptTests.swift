// SPDX-License-Identifier: MIT
import Seeded
import Sessions
import Testing
import ViewModels

/// A random script of two owners on one store, beside a plain account of the results that each step must have.
@Suite struct `Two owners of one store` {
  static let seed = UInt64.random(in: 1 ... .max)

  /// A session as the account has it.
  private struct Account {
    var stored: StoredSession
    /// The owner that claimed it last.
    var owner: Int
  }

  /// An owner's memory of a session.
  private struct Copy {
    var claim: SessionClaim
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

  @Test(arguments: StoreKind.allCases) func `never undo each other's work, and each is told so`(_ kind: StoreKind)
    throws
  {
    for round in 0..<(kind == .memory ? 100 : 12) {
      try run(kind, SeededGenerator(seed: Self.seed &+ UInt64(round) | 1), "seed \(Self.seed), round \(round)")
    }
  }

  /// Changes some parts at random.
  private static func change(
    _ parts: inout [[UInt8]: [UInt8]], _ step: Int, _ generator: inout SeededGenerator
  ) -> PartsChange {
    var change = PartsChange()
    for name in names {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        parts[name] = Array("\(step)".utf8)
        change.put[name] = parts[name]
      // The removed part may not be there.
      case 1:
        parts[name] = nil
        change.removed.insert(name)
      default: break
      }
    }
    return change
  }

  private func run(_ kind: StoreKind, _ generator: SeededGenerator, _ place: Comment) throws {
    var generator = generator
    let world = try `A store of sessions`.World(kind)
    var owners = [world.first, world.second]
    var accounts: [String: Account] = [:]
    var copies: [[String: Copy]] = [[:], [:]]
    for step in 0..<120 {
      let who = Int.random(in: 0..<2, using: &generator)
      let id = "s\(Int.random(in: 0..<6, using: &generator))"
      guard let copy = copies[who][id] else {
        let offered = owners[who].newClaim()
        switch (owners[who].store.claim(id, offered), accounts[id]?.stored) {
        case (.held(let record, let claim), .living(let expected)):
          #expect(record == expected, place)
          copies[who][id] = Copy(claim: claim, record: record)
          accounts[id]?.owner = who
        case (.closed(let closed), .closed(let expected)): #expect(closed == expected, place)
        case (.none, nil):
          // The session is new, and the other owner cannot know of it.
          let new = record(id, UInt64(step), of: "client \(who)")
          let change = owners[who].change(id, offered, isNew: true, .record(new))
          #expect(owners[who].store.commit(change) == [.durable], place)
          accounts[id] = Account(stored: .living(new), owner: who)
          copies = copies.map { copies in copies.filter { $0.key != id } }
          copies[who][id] = Copy(claim: offered, record: new)
        case (let outcome, let expected): Issue.record("\(place): \(outcome), expected \(String(describing: expected))")
        }
        continue
      }
      var next = copy
      // A session keeps the request that opened it.
      let opened = copy.record
      let content: StoreChange.Content
      switch Int.random(in: 0..<12, using: &generator) {
      case 0:
        content = .closed(
          ClosedSession(
            id: id, model: opened.model, owner: opened.owner, opening: opened.opening,
            closing: Bool.random(using: &generator) ? .superseded : .byClient(nil), until: 0))
      case 1: content = .removed
      default:
        next.record.revision += 1
        next.record.state = Array("\(step)".utf8)
        next.record.parts = Self.change(&next.parts, step, &generator)
        next.record.partCount = next.parts.count
        next.record.partBytes = next.parts.values.reduce(0) { $0 + $1.count }
        content = .record(next.record)
      }
      let change = owners[who].change(id, copy.claim, content)
      let outcome = owners[who].store.commit(change)
      if Bool.random(using: &generator) { #expect(owners[who].store.commit(change) == outcome, place) }
      let isLiving: Bool = if case .living = accounts[id]?.stored { true } else { false }
      let isRemoval = content == .removed
      guard isLiving && accounts[id]?.owner == who else {
        // A session that is gone stays gone.
        #expect(outcome == [isRemoval && accounts[id] == nil ? .durable : .fenced], place)
        copies[who][id] = nil
        continue
      }
      #expect(outcome == [.durable], place)
      switch content {
      case .record(let record):
        copies[who][id] = next
        var stored = record
        stored.parts = PartsChange(put: next.parts)
        accounts[id]?.stored = .living(stored)
      case .closed(let closed):
        accounts[id]?.stored = .closed(closed)
        copies[who][id] = nil
      case .removed, .setAside:
        accounts[id] = nil
        copies[who][id] = nil
      }
    }
    let count = try world.first.store.count()
    #expect(count.living + count.closed == accounts.count, place)
    for client in 0..<2 {
      let owned = accounts.values.map(\.stored).filter { $0.owner == Credential(hashing: "client \(client)") }
      let found = try world.second.store.stored(of: Credential(hashing: "client \(client)"))
      #expect(found == owned.sorted { $0.id < $1.id }, place)
    }
  }
}
