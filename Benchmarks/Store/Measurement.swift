// SPDX-License-Identifier: MIT
import Foundation
import SQLiteSessions
import Seeded
import Storing

/// A measurement of the store's costs on the disk of a directory. It prints a line for each figure.
struct Measurement {
  private let directory: String
  private let clock = ContinuousClock()
  /// A state of about the size of a login page's.
  private static let state = Array(#"{"username":"maruko","touched":true}"#.utf8)
  /// The keys of a session: one number of one tab, with the frame that was its answer.
  private static let keys = [UInt8](repeating: 0x61, count: 300)

  init(_ directory: String) throws {
    self.directory = directory
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  private static func record(_ index: Int, _ revision: UInt64) -> SessionRecord {
    SessionRecord(
      id: id(index), model: "login", owner: Credential(hashing: "client \(index)"), opening: nil, revision: revision,
      schema: 1, state: state, keys: keys, lastUsed: 1_764_000_000)
  }

  /// An id as random as the real ones, and as long.
  private static func id(_ index: Int) -> String {
    var generator = SeededGenerator(seed: UInt64(index))
    return String(
      (0..<22).map { _ in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".randomElement(using: &generator) ?? "a"
      })
  }

  func run() throws {
    for (survivesPowerCut, group, seconds) in [(false, 1, 2.0), (false, 100, 2.0), (true, 1, 3.0), (true, 100, 3.0)] {
      try commits(survivesPowerCut: survivesPowerCut, group: group, seconds: seconds)
    }
    for count in [10_000, 100_000] { try opening(count) }
  }

  private func fresh(_ name: String) throws -> String {
    let path = "\(directory)/\(name).db"
    for end in ["", "-wal", "-shm", ".lock"] where FileManager.default.fileExists(atPath: path + end) {
      try FileManager.default.removeItem(atPath: path + end)
    }
    return path
  }

  private func commits(survivesPowerCut: Bool, group: Int, seconds: Double) throws {
    let store = SQLiteStore(path: try fresh("commits"))
    let claim = SessionClaim(boot: try store.open(as: "measurement"), number: 1)
    let sessions = 1_000
    try fill(store, claim, sessions)
    var number = UInt64(sessions)
    var committed = 0
    let start = clock.now
    while clock.now - start < .seconds(seconds) {
      let changes = (0..<group).map { _ in
        number += 1
        let index = Int(number) * 7_919 % sessions
        return StoreChange(Self.id(index), claim, .record(Self.record(index, number)), number: number)
      }
      try commit(changes, to: store, survivesPowerCut)
      committed += group
    }
    let rate = Double(committed) / ((clock.now - start) / .seconds(1))
    print("\(survivesPowerCut ? "FULL" : "NORMAL"), groups of \(group): \(Int(rate)) commits/s")
    store.close()
  }

  private func fill(_ store: SQLiteStore, _ claim: SessionClaim, _ count: Int) throws {
    for start in stride(from: 0, to: count, by: 1_000) {
      let changes = (start..<min(start + 1_000, count)).map { index in
        StoreChange(Self.id(index), claim, isNew: true, .record(Self.record(index, 1)), number: UInt64(index))
      }
      try commit(changes, to: store, false)
    }
  }

  private func commit(_ changes: [StoreChange], to store: SQLiteStore, _ survivesPowerCut: Bool) throws {
    nonisolated(unsafe) var failure: CommitOutcome?
    store.commit(changes, survivesPowerCut: survivesPowerCut) { failure = $0.first { $0 != .durable } }
    if let failure { throw NotDurable(outcome: failure) }
  }

  private struct NotDurable: Error {
    let outcome: CommitOutcome
  }

  private func opening(_ count: Int) throws {
    let path = try fresh("opening")
    let first = SQLiteStore(path: path)
    try fill(first, SessionClaim(boot: try first.open(as: "measurement"), number: 1), count)
    // This copy has a log, as a killed process leaves one.
    let killed = try fresh("killed")
    for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + end, toPath: killed + end) }
    first.close()
    let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    print("\(count) sessions: \(bytes / count) bytes each")
    for (what, path) in [("closed", path), ("killed", killed)] {
      let store = SQLiteStore(path: path)
      let start = clock.now
      let boot = try store.open(as: "measurement")
      let opened = clock.now
      nonisolated(unsafe) var isHeld = false
      store.claim([ClaimOffer(Self.id(count / 2), SessionClaim(boot: boot, number: 1))]) { outcomes in
        if case .held = outcomes[0] { isHeld = true }
      }
      let claimed = clock.now
      precondition(isHeld, "a session of the store was not found")
      print(
        "\(count) sessions, \(what): opened in \((opened - start) / .milliseconds(1)) ms, "
          + "the first session claimed in \((claimed - opened) / .milliseconds(1)) ms more")
      let checking = clock.now
      let findings = try store.check()
      print("  checked in \((clock.now - checking) / .milliseconds(1)) ms, \(findings.count) findings")
      let looking = clock.now
      _ = try store.expire(by: ExpiryRule(now: 0, unusedSince: 0, littleUsedSince: 0), limit: 1_000) { _ in false }
      print("  1,000 looked at for expiry in \((clock.now - looking) / .milliseconds(1)) ms")
      store.close()
    }
  }
}
