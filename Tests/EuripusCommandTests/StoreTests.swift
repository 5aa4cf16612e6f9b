// SPDX-License-Identifier: MIT
import Foundation
import SQLiteSessions
import Storing
import Testing

/// `euripus store`, on stores that were made for it.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `euripus store` {
  private static let secret = "canary-5d21e7"
  private static let now: Int64 = 1_795_000_000

  private static let file = "sessions.db"
  private let folder: Folder
  private var path: String { folder[Self.file] }

  /// Makes a store with ten living sessions and two closed ones.
  init() throws {
    folder = try Folder()
    let store = SQLiteStore(path: path)
    let boot = try store.open(as: "the test")
    defer { store.close() }
    for index in 0..<12 {
      let claim = SessionClaim(boot: boot, number: UInt64(index + 1))
      let id = "session-\(index < 10 ? "0" : "")\(index)"
      let owner = Credential(hashing: "\(Self.secret) \(index)")
      // Longer than a page of the database, so that it has pages of its own.
      let state = Array("{\"secret\":\"\(Self.secret)\",\"rest\":\"\(String(repeating: "x", count: 9_000))\"}".utf8)
      let record = SessionRecord(
        id: id, model: "note", owner: owner, opening: nil, revision: 1, schema: 1, state: state, keys: [1, 0, 0],
        lastUsed: Self.now + Int64(index))
      var changes = [StoreChange(id, claim, isNew: true, .record(record), number: 1)]
      if index >= 10 {
        let closed = ClosedSession(
          id: id, model: "note", owner: owner, opening: nil, closing: .byClient(nil), until: Self.now + 1_000)
        changes.append(StoreChange(id, claim, .closed(closed), number: 2))
      }
      for change in changes { store.commit([change], survivesPowerCut: false) { #expect($0 == [.durable]) } }
    }
  }

  private var bytes: Data { get throws { try folder.bytes(Self.file) } }

  private func run(_ arguments: String...) throws -> Program.Ended {
    let ended = try Program.run(["store"] + arguments)
    for text in [ended.output, ended.errors] { #expect(!text.contains(Self.secret)) }
    return ended
  }

  @Test func `check says that a store is whole, and counts its sessions`() throws {
    let before = try bytes
    let ended = try run("check", path)
    #expect(ended.status == 0 && ended.errors.isEmpty)
    #expect(ended.output.hasPrefix("\(path) is whole: sessions living 10, closed 2, set aside 0; "), "\(ended)")
    #expect(try bytes == before)
  }

  @Test func `check names a damaged session and the remedy, and leaves the file as it is`() throws {
    var damaged = try bytes
    let secret = try #require(damaged.firstRange(of: Data(Self.secret.utf8)))
    damaged[secret.lowerBound] ^= 1
    try folder.write(damaged, to: Self.file)
    let ended = try run("check", path)
    #expect(ended.status == 1 && ended.output.isEmpty)
    #expect(ended.errors.contains(#/session session-\d\d cannot be read: its checksum/#), "\(ended)")
    #expect(ended.errors.contains("put back a backup"))
    #expect(try bytes == damaged)
  }

  @Test(arguments: ["check", "list", "compact", "try"])
  func `a file that is no store, or is not there, is said so and left as it is`(command: String) throws {
    let text = Data("This is no store of sessions, but something that is dear to somebody.\n".utf8)
    try folder.write(text, to: Self.file)
    let other = try run(command, path)
    #expect(other.status == 1)
    #expect(other.output.isEmpty || other.output.hasPrefix("id "), "\(other)")
    #expect(other.errors.hasPrefix("euripus: ") && other.errors.contains(path), "\(other)")
    #expect(try bytes == text)
    let none = try run(command, folder["other.db"])
    #expect(none.status == 64)
    #expect(none.errors.contains("there is no session store '\(folder["other.db"])'"), "\(none)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!files.contains { $0.hasPrefix("other") })
  }

  @Test func `list has a line for each session, in the order of the ids`() throws {
    let ended = try run("list", path)
    #expect(ended.status == 0 && ended.errors.isEmpty)
    let lines = ended.rows
    #expect(lines.count == 13)
    #expect(lines[0] == ["id", "model", "bytes", "last", "used", "claim"])
    #expect(lines[1] == ["session-00", "note", "9039", "2026-11-18T11:06:40Z", "1.1"])
    #expect(lines[12] == ["session-11", "note", "0", "closed,", "until", "2026-11-18T11:23:20Z", "1.12"])
  }

  @Test func `list is JSON for programs`() throws {
    struct Row: Decodable, Equatable {
      let id, model, claim: String
      let bytes: Int
      let lastUsed, closedUntil: Int64?
    }
    let rows = try JSONDecoder().decode([Row].self, from: Data(try run("list", "--json", path).output.utf8))
    #expect(rows.map(\.id) == (0..<12).map { "session-\($0 < 10 ? "0" : "")\($0)" })
    #expect(
      rows[3]
        == Row(id: "session-03", model: "note", claim: "1.4", bytes: 9_039, lastUsed: Self.now + 3, closedUntil: nil))
    #expect(rows[10].closedUntil == Self.now + 1_000 && rows[10].lastUsed == nil)
    try expire(unusedSince: .max, now: .max)
    #expect(try run("list", "--json", path).output == "[\n]\n")
  }

  private func expire(unusedSince: Int64, now: Int64) throws {
    let store = SQLiteStore(path: path)
    _ = try store.open(as: "the test")
    let rule = ExpiryRule(now: now, unusedSince: unusedSince, littleUsedSince: unusedSince)
    _ = try store.expire(by: rule, limit: 100) { _ in false }
    store.close()
  }

  @Test func `compact gives back the room of forgotten sessions, and keeps the others`() throws {
    try expire(unusedSince: Self.now + 8, now: Self.now)
    let size = try bytes.count
    let ended = try run("compact", path)
    #expect(ended.status == 0, "\(ended)")
    #expect(ended.output.wholeMatch(of: #/.*sessions\.db: [0-9.]+ KiB before, [0-9.]+ KiB now\n/#) != nil, "\(ended)")
    // Eight sessions are forgotten.
    #expect(try bytes.count < size - 8 * 8_000)
    #expect(try run("check", path).output.contains("living 2, closed 2"))
  }

  @Test func `a store that a server has can be looked at, but not compacted, and its holder is named`() throws {
    let store = SQLiteStore(path: path)
    _ = try store.open(as: "euripus at 127.0.0.1:8080, process 17")
    defer { store.close() }
    let holder = "is held by euripus at 127.0.0.1:8080, process 17"
    for command in ["check", "list"] {
      let ended = try run(command, path)
      #expect(ended.status == 0 && !ended.output.isEmpty)
      #expect(ended.errors.contains(holder), "\(ended)")
    }
    let ended = try run("compact", path)
    #expect(ended.status == 1 && ended.output.isEmpty)
    #expect(ended.errors.contains("\(holder). Stop that server"), "\(ended)")
  }
}
