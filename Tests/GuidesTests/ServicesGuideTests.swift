// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

/// The notes of a shop, in the app's own table.
struct Notes: Sendable {
  static let migrations = [
    Migration(1, "CREATE TABLE notes (id bigint PRIMARY KEY, text text NOT NULL, at bigint NOT NULL)")
  ]

  let database: AppDatabase

  func newest(_ count: Int) async throws -> [String] {
    try await database.read { try $0.query("SELECT text FROM notes ORDER BY at DESC, id LIMIT ?", count) }
  }

  /// Removes old notes, and tells those who look at them.
  func clean(olderThan time: Int) async throws {
    try await database.write(telling: "notes") { try $0.execute("DELETE FROM notes WHERE at < ?", time) }
  }
}

final class NoteBoard: ViewModel {
  @Observed var texts: [String] = []
  lazy var failure = Computed(self) { try $0.reading?.failure.get() == nil ? "" : "The notes cannot be read now." }
  private let notes: Notes
  private let context: SessionContext
  private var reading: TopicFollowing?

  init(_ notes: Notes, _ context: SessionContext) {
    (self.notes, self.context) = (notes, context)
    reading = context.follow("notes", by: self, NoteBoard.read)
  }

  nonisolated(nonsending) func read() async throws { texts = try await notes.newest(20) }

  func add(_ text: String, _ database: DatabaseTransaction) throws {
    let id = try database.query("SELECT coalesce(max(id), 0) + 1 FROM notes", as: Int.self)[0]
    try database.execute("INSERT INTO notes VALUES (?, ?, ?)", id, text, id)
    context.tell("notes")
  }

  static let surface = Surface<NoteBoard>(
    "notes", .value("texts", \.$texts), .value("failure", \.failure), .action("add", NoteBoard.add).repeatable())
}

struct Shop: EuripusApp {
  @Option(help: "The notes that are kept.") var kept = 1_000
  @Service var notes: Notes

  static var migrations: [Migration] { Notes.migrations }

  func start(_ server: EuripusServer) async throws {
    guard let database = server.database else { throw NoStore() }
    notes = Notes(database: database)
    server.background("cleaning", onlyOnOne: true) { [notes, kept] in
      while true {
        try await notes.clean(olderThan: kept)
        try await Task.sleep(for: .seconds(3_600))
      }
    }
  }

  var models: Models { hosting { NoteBoard(notes, $0) } }
}

struct NoStore: Error, CustomStringConvertible {
  var description: String { "the notes have no place; expected '--store FILE'" }
}

/// The Swift of the guide "Services and background work", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on services` {
  @Test func `has a board that follows what others add and what the service removes`() async throws {
    let database = try TestDatabase(Notes.migrations)
    let notes = Notes(database: database.app)
    let (anna, bob) = try (
      ModelDriver(database: database) { NoteBoard(notes, $0) }, ModelDriver(database: database) { NoteBoard(notes, $0) }
    )
    try anna.perform("add", "We need milk")
    await bob.wait { $0["texts"] == ["We need milk"] }
    try await notes.clean(olderThan: 100)
    await bob.wait { $0["texts"] == [] }
  }
}
