// SPDX-License-Identifier: MIT
import Foundation
import SQLiteSessions
import Sessions
import Testing

/// `euripus store`, on stores that were made for it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `euripus store` {
  private static let secret = "canary-5d21e7"
  private static let now: Int64 = 1_795_000_000

  /// A store with ten living sessions and two closed ones, and a directory of its own for it.
  private final class Place {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)").path
    var path: String { directory + "/sessions.db" }

    init() throws {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let store = SQLiteStore(path: path)
      let boot = try store.open(as: "the test")
      defer { store.close() }
      for index in 0..<12 {
        let claim = SessionClaim(boot: boot, number: UInt64(index + 1))
        let id = "session-\(index < 10 ? "0" : "")\(index)"
        let owner = Credential(hashing: "\(`euripus store`.secret) \(index)")
        // Longer than a page of the database, so that it has pages of its own.
        let state = Array(
          "{\"secret\":\"\(`euripus store`.secret)\",\"rest\":\"\(String(repeating: "x", count: 9_000))\"}".utf8)
        let record = SessionRecord(
          id: id, model: "note", owner: owner, opening: nil, revision: 1, schema: 1, state: state, keys: [1, 0, 0],
          lastUsed: `euripus store`.now + Int64(index))
        var changes = [StoreChange(id, claim, isNew: true, .record(record), number: 1)]
        if index >= 10 {
          let closed = ClosedSession(
            id: id, model: "note", owner: owner, opening: nil, closing: .byClient(nil),
            until: `euripus store`.now + 1_000)
          changes.append(StoreChange(id, claim, .closed(closed), number: 2))
        }
        for change in changes { store.commit([change], survivesPowerCut: false) { #expect($0 == [.durable]) } }
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func change(_ body: (inout [UInt8]) throws -> Void) throws {
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      try body(&bytes)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
  }

  /// The output of a command, by its streams, and its status.
  private func run(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
    let program = try Program(["store"] + arguments)
    let output = program.rest()
    let (status, errors) = program.end()
    for text in [output, errors] { #expect(!text.contains(Self.secret)) }
    return (status, output, errors)
  }

  @Test func `check says that a store is whole, and what it has`() throws {
    let place = try Place()
    let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
    let (status, output, errors) = try run("check", place.path)
    #expect(status == 0)
    #expect(output.hasPrefix("\(place.path) is whole: sessions living 10, closed 2, set aside 0; "), "\(output)")
    #expect(errors.isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
  }

  @Test func `check names a session that is not as it was written, says what to do, and leaves the file as it is`()
    throws
  {
    let place = try Place()
    try place.change { bytes in
      let needle = Array(Self.secret.utf8)
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: needle) })
      bytes[start] ^= 1
    }
    let damaged = try Data(contentsOf: URL(fileURLWithPath: place.path))
    let (status, output, errors) = try run("check", place.path)
    #expect(status == 1)
    #expect(output.isEmpty)
    #expect(errors.contains(#/session session-\d\d cannot be read: its checksum/#), "\(errors)")
    #expect(errors.contains("put back a backup"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == damaged)
  }

  @Test(arguments: ["check", "list", "compact", "try"])
  func `what is no store is said to be none, with status 1, and left as it is`(command: String) throws {
    let place = try Place()
    let text = Data("This is no store of sessions, but something that is dear to somebody.\n".utf8)
    try text.write(to: URL(fileURLWithPath: place.path))
    let (status, output, errors) = try run(command, place.path)
    #expect(status == 1)
    #expect(output.isEmpty || output.hasPrefix("id "), "\(output)")
    #expect(errors.hasPrefix("euripus: ") && errors.contains(place.path), "\(errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == text)
  }

  @Test(arguments: ["check", "list", "compact", "try"])
  func `a file that is not there is status 64, and none is made`(command: String) throws {
    let place = try Place()
    let (status, _, errors) = try run(command, place.directory + "/other.db")
    #expect(status == 64)
    #expect(errors.contains("there is no session store '\(place.directory)/other.db'"), "\(errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.directory).contains { $0.hasPrefix("other") } == false)
  }

  @Test func `list has a line for each session, in the order of the ids`() throws {
    let place = try Place()
    let (status, output, errors) = try run("list", place.path)
    #expect(status == 0)
    #expect(errors.isEmpty)
    let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
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
    let place = try Place()
    let rows = try JSONDecoder().decode([Row].self, from: Data(try run("list", "--json", place.path).output.utf8))
    #expect(rows.map(\.id) == (0..<12).map { "session-\($0 < 10 ? "0" : "")\($0)" })
    #expect(
      rows[3]
        == Row(id: "session-03", model: "note", claim: "1.4", bytes: 9_039, lastUsed: Self.now + 3, closedUntil: nil))
    #expect(rows[10].closedUntil == Self.now + 1_000 && rows[10].lastUsed == nil)
    let store = SQLiteStore(path: place.path)
    _ = try store.open(as: "the test")
    _ = try store.expire(now: .max, unusedSince: .max, limit: 100)
    store.close()
    #expect(try run("list", "--json", place.path).output == "[\n]\n")
  }

  @Test func `compact gives back what forgotten sessions took, and keeps the others`() throws {
    let place = try Place()
    let store = SQLiteStore(path: place.path)
    _ = try store.open(as: "the test")
    _ = try store.expire(now: Self.now, unusedSince: Self.now + 8, limit: 100)
    store.close()
    let size = try #require(try FileManager.default.attributesOfItem(atPath: place.path)[.size] as? Int)
    let (status, output, errors) = try run("compact", place.path)
    #expect(status == 0, "\(errors)")
    #expect(output.wholeMatch(of: #/.*sessions\.db: [0-9.]+ KiB before, [0-9.]+ KiB now\n/#) != nil, "\(output)")
    let now = try #require(try FileManager.default.attributesOfItem(atPath: place.path)[.size] as? Int)
    #expect(now < size / 2)
    #expect(try run("check", place.path).output.contains("living 2, closed 2"))
  }

  @Test func `a store that a server has can be looked at, but not compacted; who has it is said`() throws {
    let place = try Place()
    let store = SQLiteStore(path: place.path)
    _ = try store.open(as: "euripus at 127.0.0.1:8080, process 17")
    defer { store.close() }
    for command in ["check", "list"] {
      let (status, output, errors) = try run(command, place.path)
      #expect(status == 0)
      #expect(!output.isEmpty)
      #expect(errors.contains("is held by euripus at 127.0.0.1:8080, process 17"), "\(errors)")
    }
    let (status, output, errors) = try run("compact", place.path)
    #expect(status == 1)
    #expect(output.isEmpty)
    #expect(errors.contains("is held by euripus at 127.0.0.1:8080, process 17. Stop that server"), "\(errors)")
  }
}
