// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import SQLiteSessions
import Storing
import Testing

/// `store try`, by a program whose notes are of another version than those of the store.
struct StoreTrial {
  static let secret = "canary-8c04b1"
  /// The address of the store.
  let store: String
  /// The name of the store in what the command says.
  let name: String
  private let program: Program
  /// The id of the session of the notes.
  private let notes: String

  /// Has a server keep a board and some notes.
  init(_ store: String, named name: String? = nil) throws {
    (self.store, self.name) = (store, name ?? store)
    program = try Program.serve(["--notes", "--store", store], of: "BoardApp")
    let client = try program.client()
    let (board, notes) = (try client.open("board"), try client.open("notes"))
    #expect(try client.request("POST", "\(board)/actions/vote").status == 200)
    #expect(try client.request("PUT", "\(notes)/state/text", "\"\(Self.secret)\"").status == 200)
    self.notes = notes.split(separator: "/").last.map(String.init) ?? ""
  }

  static func run(_ arguments: [String] = [], at store: String) throws -> Program.Ended {
    let ended = try Program.run(["store", "try", store] + arguments, of: "BoardApp")
    for text in [ended.output, ended.errors] { #expect(!text.contains(secret)) }
    return ended
  }

  func endServer() { program.stop() }

  /// Expects the fates that programs with other notes tell of the store.
  func expectFates() throws {
    let migrated = "'notes' would be migrated from schema 1 to 2: 1 times"
    let refused = "this program has no view model 'notes'; it has: board"
    for (flags, status, line, fates) in [
      (["--notes"], 0, nil, "2 would be the same, 0 migrated, 0 different, 0 refused"),
      (["--later-notes"], 0, migrated, "1 would be the same, 1 migrated, 0 different, 0 refused"),
      (
        ["--forgetful-notes"], 2, "\(notes)  notes  would lose /text",
        "1 would be the same, 0 migrated, 1 different, 0 refused"
      ),
      (
        [], 2, "\(notes)  notes  would be refused: \(refused)",
        "1 would be the same, 0 migrated, 0 different, 1 refused"
      ),
    ] as [([String], Int32, String?, String)] {
      let ended = try Self.run(flags, at: store)
      #expect(ended.status == status)
      let lines = [line, "\(name): of 2 sessions \(fates); 0 are closed"].compactMap(\.self)
      #expect(ended.output.split(separator: "\n").map(String.init) == lines)
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(30))) struct `euripus store try` {
  private let folder: Folder
  private var path: String { folder["sessions.db"] }

  init() throws { folder = try Folder() }

  /// All bytes of the store, those of its log included.
  private var files: [Data?] { ["", "-wal"].map { FileManager.default.contents(atPath: path + $0) } }

  @Test func `tells the fate of each session, while a server has the store and after, and writes nothing`() throws {
    let trial = try StoreTrial(path)
    let before = files
    try trial.expectFates()
    #expect(try StoreTrial.run(["--notes"], at: path).errors.contains("is held by"))
    #expect(files == before)
    trial.endServer()
    try trial.expectFates()
    #expect(try StoreTrial.run(["--notes"], at: path).errors == "")
  }

  @Test func `names the place of a value that cannot be put back`() throws {
    let store = SQLiteStore(path: path)
    let boot = try store.open(as: "the test")
    let states = [
      #"{"title":"Board","votes":"\#(StoreTrial.secret)"}"#,
      #"{"title":"Board","votes":1,"\#u{1B}[2J":"\#(StoreTrial.secret)"}"#,
      #"{"title":"Board","votes":null}"#, "no JSON",
    ]
    for (index, state) in states.enumerated() {
      let record = SessionRecord(
        id: "s\(index)", model: "board", owner: Credential(hashing: StoreTrial.secret), opening: nil, revision: 1,
        schema: 1,
        state: Array(state.utf8), keys: [1, 0, 0], lastUsed: 1_795_000_000)
      let claim = SessionClaim(boot: boot, number: UInt64(index + 1))
      store.commit([StoreChange(record.id, claim, isNew: true, .record(record), number: 1)], survivesPowerCut: false) {
        #expect($0 == [.durable])
      }
    }
    store.close()
    let ended = try StoreTrial.run(at: path)
    let output = ended.output
    #expect(ended.status == 2 && ended.errors == "")
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
    try StoreTrial(path).endServer()
    func rows(_ flags: String) throws -> [Row] {
      try JSONDecoder().decode([Row].self, from: Data(try StoreTrial.run(["--json", flags], at: path).output.utf8))
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
