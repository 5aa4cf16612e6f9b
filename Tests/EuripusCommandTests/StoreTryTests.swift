// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import SQLiteSessions
import Sessions
import Testing

@testable import PostgreSQLSessions

/// `store try`, of programs that host other versions of the stored view models.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `euripus store try` {
  private static let secret = "canary-8c04b1"

  private final class Place {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tried-\(UUID().uuidString)").path
    var path: String { directory + "/sessions.db" }
    /// All bytes of the store, those of its log included.
    var files: [Data?] { ["", "-wal"].map { FileManager.default.contents(atPath: path + $0) } }

    init() throws { try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: directory) }
  }

  private func run(_ arguments: String..., at store: String) throws -> (status: Int32, output: String, errors: String) {
    let program = try Program(["store", "try", store] + arguments, of: "BoardApp")
    let output = program.rest()
    let (status, errors) = program.end()
    for text in [output, errors] { #expect(!text.contains(Self.secret)) }
    return (status, output, errors)
  }

  /// Has a server keep a board and some notes.
  private func serve(_ store: String) throws -> (program: Program, notes: String) {
    let program = try Program(["serve", "--port", "0", "--notes", "--store", store], of: "BoardApp")
    let client = try TestClient(port: Program.port(program.line()))
    let (board, notes) = (try client.open("board"), try client.open("notes"))
    #expect(try client.request("POST", "\(board)/actions/vote").status == 200)
    #expect(try client.request("PUT", "\(notes)/state/text", "\"\(Self.secret)\"").status == 200)
    return (program, notes.split(separator: "/").last.map(String.init) ?? "")
  }

  private func end(_ program: Program) {
    program.process.terminate()
    #expect(program.end().status == 0)
  }

  /// Expects the fates that programs with other notes tell of the same store.
  private func expectFates(of store: String, named name: String, notes: String) throws {
    let same = try run("--notes", at: store)
    #expect(same.status == 0)
    #expect(
      same.output
        == "\(name): of 2 sessions 2 would be the same, 0 migrated, 0 different, 0 refused; 0 are closed\n")
    let later = try run("--later-notes", at: store)
    #expect(later.status == 0)
    #expect(
      later.output == """
        'notes' would be migrated from schema 1 to 2: 1 times
        \(name): of 2 sessions 1 would be the same, 1 migrated, 0 different, 0 refused; 0 are closed

        """)
    let forgetful = try run("--forgetful-notes", at: store)
    #expect(forgetful.status == 2)
    #expect(
      forgetful.output == """
        \(notes)  notes  would lose /text
        \(name): of 2 sessions 1 would be the same, 0 migrated, 1 different, 0 refused; 0 are closed

        """)
    let without = try run(at: store)
    #expect(without.status == 2)
    #expect(
      without.output == """
        \(notes)  notes  would be refused: this program has no view model 'notes'; it has: board
        \(name): of 2 sessions 1 would be the same, 0 migrated, 0 different, 1 refused; 0 are closed

        """)
  }

  @Test func `says what would become of each session, while a server has the store, and writes nothing`() throws {
    let place = try Place()
    let (program, notes) = try serve(place.path)
    let before = place.files
    try expectFates(of: place.path, named: place.path, notes: notes)
    #expect(try run("--notes", at: place.path).errors.contains("is held by"))
    #expect(place.files == before)
    end(program)
    try expectFates(of: place.path, named: place.path, notes: notes)
    #expect(try run("--notes", at: place.path).errors == "")
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["TEST_POSTGRESQL"] != nil))
  func `does so in PostgreSQL too`() throws {
    let server = try #require(ProcessInfo.processInfo.environment["TEST_POSTGRESQL"])
    let schema = "tried_\(UInt64.random(in: 1 ... .max))"
    try PostgreSQLConnection(server, defaults: [:]).execute(["CREATE SCHEMA \(schema)"])
    let store = "\(server) options='-c search_path=\(schema)'"
    let (program, notes) = try serve(store)
    let name = "PostgreSQL database \(PostgreSQLStore(store).place)"
    try expectFates(of: store, named: name, notes: notes)
    end(program)
    try expectFates(of: store, named: name, notes: notes)
  }

  @Test func `names the place of what cannot be put back, and of what would be another value`() throws {
    let place = try Place()
    let store = SQLiteStore(path: place.path)
    let boot = try store.open(as: "the test")
    let states = [
      #"{"title":"Board","votes":"\#(Self.secret)"}"#, #"{"title":"Board","votes":1,"\#u{1B}[2J":"\#(Self.secret)"}"#,
      #"{"title":"Board","votes":null}"#, "no JSON",
    ]
    for (index, state) in states.enumerated() {
      let record = SessionRecord(
        id: "s\(index)", model: "board", owner: Credential(hashing: Self.secret), opening: nil, revision: 1, schema: 1,
        state: Array(state.utf8), keys: [1, 0, 0], lastUsed: 1_795_000_000)
      let claim = SessionClaim(boot: boot, number: UInt64(index + 1))
      store.commit([StoreChange(record.id, claim, isNew: true, .record(record), number: 1)], survivesPowerCut: false) {
        #expect($0 == [.durable])
      }
    }
    store.close()
    let (status, output, errors) = try run(at: place.path)
    #expect(status == 2)
    #expect(errors == "")
    let lines = output.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(
      lines[0]
        == "s0  board  would be refused: the stored state at '/votes': expected integer, got string", "\(output)")
    #expect(lines[1].hasPrefix("s1  board  would be refused: "), "\(output)")
    #expect(!output.contains("\u{1B}"))
    #expect(lines[2].hasPrefix("s2  board  would be refused: the stored state at '/votes'"), "\(output)")
    #expect(lines[3].hasPrefix("s3  board  would be refused: "), "\(output)")
    #expect(lines[4].hasSuffix("of 4 sessions 0 would be the same, 0 migrated, 0 different, 4 refused; 0 are closed"))
  }

  @Test func `is JSON for programs`() throws {
    struct Row: Decodable {
      struct Difference: Decodable, Equatable { let at, kind: String }
      struct Migration: Decodable, Equatable {
        let at, model: String
        let from, to: Int
      }
      let id, model, outcome: String
      let reason: String?
      let differences: [Difference]
      let migrations: [Migration]
    }
    let place = try Place()
    end(try serve(place.path).program)
    func rows(_ flags: String) throws -> [Row] {
      try JSONDecoder().decode([Row].self, from: Data(try run("--json", flags, at: place.path).output.utf8))
    }
    let later = try rows("--later-notes")
    #expect(Set(later.map(\.outcome)) == ["same", "migrated"])
    let migrated = try #require(later.first { $0.outcome == "migrated" })
    #expect(migrated.model == "notes" && migrated.reason == nil)
    #expect(migrated.migrations == [Row.Migration(at: "", model: "notes", from: 1, to: 2)])
    let different = try #require(try rows("--forgetful-notes").first { $0.outcome == "different" })
    #expect(different.differences == [Row.Difference(at: "/text", kind: "lost")])
  }
}
