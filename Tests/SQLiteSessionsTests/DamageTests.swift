// SPDX-License-Identifier: MIT
import Foundation
import SQLiteSessions
import Seeded
import StoreRules
import Storing
import Testing
import ViewModels

/// Files with a flipped bit or a lost end. The store gives back the committed sessions, or says that something
/// is wrong.
@Suite struct `A damaged store` {
  static let seed = SeededGenerator.seed
  static let count = 80

  /// A closed store of living and closed sessions, small ones and some of several pages.
  private func make(_ place: Place) throws -> [String: StoredSession] {
    var owner = try Owner(SQLiteStore(path: place.path))
    var sessions: [String: StoredSession] = [:]
    for index in 0..<Self.count {
      let id = "session-\(index)-\(index * 7_919)"
      var parts = PartsChange()
      for part in 0..<index % 5 { parts.put[Array("/list/items/\(part)".utf8)] = Array(repeating: 0x31, count: 300) }
      let bytes = index % 10 == 0 ? 9_000 : 200
      let new = record(id, UInt64(index), of: "client \(index % 7)", bytes: bytes).with(parts)
      let claim = owner.open(new)
      sessions[id] = .living(new)
      guard index % 8 == 0 else { continue }
      let end = closed(id, of: "client \(index % 7)")
      #expect(owner.commit(id, claim, .closed(end)) == .durable)
      sessions[id] = .closed(end)
    }
    owner.store.close()
    return sessions
  }

  /// The findings of a use of the store.
  private struct Finding {
    /// No session is missing, and no call has failed.
    var isHarmless = true
    /// A call or a check has told of the damage.
    var isDetected = false
  }

  /// The part of a session that its checksum covers. The checksum leaves out the time by which a store finds due
  /// timers, which are in the context, and the share of the store's room.
  private static func checked(_ session: StoredSession) -> StoredSession {
    guard case .living(var record) = session else { return session }
    (record.wakesAt, record.network, record.isOfUser) = (nil, 0, false)
    return .living(record)
  }

  private func use(_ place: Place, _ sessions: [String: StoredSession], _ comment: Comment) throws -> Finding {
    var finding = Finding()
    let store = SQLiteStore(path: place.path)
    var owner: Owner
    do {
      owner = try Owner(store)
    } catch let error as StoreError {
      #expect([.damaged, .foreign, .newer].contains(error.kind) && error.description.contains(place.path), comment)
      return Finding(isHarmless: false, isDetected: true)
    }
    defer { store.close() }
    if try !store.check().isEmpty { finding.isDetected = true }
    for (id, session) in sessions {
      switch owner.claim(id) {
      case .held(let record, _): #expect(Self.checked(.living(record)) == session, "\(comment): \(id) is another")
      case .closed(let closed): #expect(.closed(closed) == session, "\(comment): \(id) is another")
      case .none, .elsewhere: finding.isHarmless = false
      case .setAside(let error), .failed(let error):
        #expect(error.kind == .damaged && error.description.contains(place.path), "\(comment): \(error)")
        finding.isHarmless = false
        finding.isDetected = true
      }
    }
    for client in 0..<7 {
      guard let owned = try? store.stored(of: "client \(client)") else { continue }
      for session in owned {
        #expect(sessions[session.id] == Self.checked(session), "\(comment): \(session.id) is another")
      }
    }
    do throws(StoreError) {
      _ = try store.expire(now: 0, unusedSince: 0, limit: 1_000)
    } catch {
      #expect(error.kind == .damaged, comment)
      finding.isDetected = true
    }
    return finding
  }

  @Test func `gives back the committed sessions, or says that something is wrong, whatever bit has flipped`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    let place = try Place()
    let sessions = try make(place)
    let bytes = try place.bytes
    #expect(bytes.count / 4_096 > 20)
    var detected = 0
    // The test flips a bit in each byte of the header, in some bytes of each page, and in some at the page's
    // beginning, where its structure is.
    var offsets = Array(0..<100)
    for page in 0..<bytes.count / 4_096 {
      for nth in 0..<6 {
        offsets.append(page * 4_096 + Int.random(in: 0..<(nth < 3 ? 4_096 : 24), using: &generator))
      }
    }
    for offset in offsets {
      let bit = UInt8.random(in: 0..<8, using: &generator)
      var flipped = bytes
      flipped[offset] ^= 1 << bit
      let damaged = try Place()
      try damaged.write(flipped)
      let comment: Comment = "seed \(Self.seed), bit \(bit) of byte \(offset)"
      let finding = try use(damaged, sessions, comment)
      #expect(finding.isHarmless || finding.isDetected, comment)
      if finding.isDetected { detected += 1 }
    }
    #expect(detected > 30)
  }

  @Test func `says that something is wrong where the file ends at any page, and gives back nothing else`() throws {
    let place = try Place()
    let sessions = try make(place)
    let bytes = try place.bytes
    for page in 1..<bytes.count / 4_096 {
      for extra in [0, 1, 2_000] {
        let damaged = try Place()
        try damaged.write(Array(bytes.prefix(page * 4_096 + extra)))
        let finding = try use(damaged, sessions, "cut after \(page) pages and \(extra) bytes")
        #expect(finding.isDetected, "cut after \(page) pages and \(extra) bytes")
      }
    }
  }

  @Test func `gives back the revisions up to the place where its log is cut or flipped`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    let place = try Place()
    var owner = try Owner(SQLiteStore(path: place.path))
    let claim = owner.open(record("a", 0))
    for revision in UInt64(1)..<30 { #expect(owner.commit(record("a", revision), claim) == .durable) }
    let copy = try place.copied()
    owner.store.close()
    let log = Array(try Data(contentsOf: URL(fileURLWithPath: copy.path + "-wal")))
    let database = try copy.bytes
    var revisions: Set<UInt64> = []
    for _ in 0..<60 {
      let damaged = try Place()
      try damaged.write(database)
      let offset = Int.random(in: 0..<log.count, using: &generator)
      var bytes = log
      if Bool.random(using: &generator) { bytes = Array(log[..<offset]) } else { bytes[offset] ^= 0x10 }
      try Data(bytes).write(to: URL(fileURLWithPath: damaged.path + "-wal"))
      var owner = try Owner(SQLiteStore(path: damaged.path))
      let outcome = owner.claim("a")
      if let record = outcome.record {
        #expect(record.state == StoreRules.record("a", record.revision).state, "seed \(Self.seed)")
        revisions.insert(record.revision)
      } else {
        #expect(outcome == .none, "seed \(Self.seed), byte \(offset): \(outcome)")
      }
      owner.store.close()
    }
    #expect(revisions.count > 5)
  }

  private static let damagedID = "session-33-\(33 * 7_919)"

  /// Changes one character of a session's state, and opens the store.
  private func openDamaged(_ place: Place) throws -> Owner {
    _ = try make(place)
    var bytes = try place.bytes
    let needle = Array(#"{"revision":33}"#.utf8)
    let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: needle) })
    bytes[offset + 12] = UInt8(ascii: "4")
    try place.write(bytes)
    return try Owner(SQLiteStore(path: place.path))
  }

  @Test func `puts a session aside that cannot be read, as it was, and says so once`() throws {
    let place = try Place()
    var owner = try openDamaged(place)
    let (id, store) = (Self.damagedID, try #require(owner.store as? SQLiteStore))
    #expect(try store.check() == ["session \(id) cannot be read: its checksum is that of something else"])
    #expect(try store.stored(of: "client \(33 % 7)").map(\.id).contains(id) == false)
    let error = try #require(owner.claim(id).damage)
    #expect(error.description.contains(id) && error.description.contains("set_aside"))
    #expect(owner.claim(id) == ClaimOutcome.none)
    #expect(try store.count().setAside == 1)
    #expect(try store.check() == [])
    store.close()
    let (bytes, kept) = (try place.bytes, Array(#"{"revision":43}"#.utf8))
    #expect(bytes.indices.contains { bytes[$0...].starts(with: kept) })
  }

  @Test func `finds in a look for unused sessions one that cannot be read`() throws {
    let place = try Place()
    let store = try openDamaged(place).store
    let expiry = try store.expire(now: 0, unusedSince: 0, limit: 1_000)
    #expect(expiry.forgotten == 0 && expiry.setAside.count == 1)
    #expect(try store.expire(now: 0, unusedSince: 0, limit: 1_000) == Expiry())
    store.close()
  }

  @Test func `leaves one that cannot be read while it is in memory, as its owner writes it anew`() throws {
    let place = try Place()
    let store = try openDamaged(place).store
    #expect(try store.expire(now: 0, unusedSince: 0, limit: 1_000, isInMemory: { _ in true }) == Expiry())
    #expect(try store.expire(now: 0, unusedSince: 0, limit: 1_000).setAside.count == 1)
    store.close()
  }
}
