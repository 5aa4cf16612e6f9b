// SPDX-License-Identifier: MIT
import Foundation
import StoreRules
import Storing
import Testing
import ViewModels

@testable import SQLiteSessions

@Suite struct `Opening a store in a file` {
  let place: Place
  init() throws { place = try Place() }

  private func failure(_ path: String? = nil) -> StoreError? {
    do throws(StoreError) {
      let store = SQLiteStore(path: path ?? place.path)
      _ = try store.open(as: "test")
      store.close()
      return nil
    } catch {
      return error
    }
  }

  /// Makes a store with one session, and closes it.
  private func make() throws {
    var owner = try Owner(SQLiteStore(path: place.path), as: "maker")
    owner.open(record("a"))
    owner.store.close()
  }

  @Test func `makes the file for its owner alone, and leaves nothing else but the lock when it is closed`() throws {
    try make()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted() == [
        "sessions.db", "sessions.db.lock",
      ])
    for file in ["", ".lock"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: place.path + file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    #expect(failure() == nil)
  }

  @Test func `names the holder of the store, and takes it when the holder is gone`() throws {
    let first = SQLiteStore(path: place.path)
    _ = try first.open(as: "the server on port 8080 (process 4711)")
    let error = try #require(failure())
    #expect(error.kind == .held)
    #expect(
      error.description
        == "the session store \(place.path) is held by the server on port 8080 (process 4711). Stop that server, or give this "
        + "one another store")
    first.close()
    #expect(failure() == nil)
    // A killed process leaves the file of the lock, and no lock.
    try "somebody who is gone\n".write(toFile: place.path + ".lock", atomically: false, encoding: .utf8)
    #expect(failure() == nil)
  }

  @Test func `is refused by a link to the store of another server, made before the store or after it`() throws {
    let (early, late, second) = (place.directory + "/early.db", place.directory + "/late.db", place.directory + "/2.db")
    try FileManager.default.createSymbolicLink(atPath: early, withDestinationPath: "sessions.db")
    let first = SQLiteStore(path: early)
    _ = try first.open(as: "first")
    try FileManager.default.createSymbolicLink(atPath: late, withDestinationPath: early)
    for path in [place.path, early, late] { #expect(failure(path)?.kind == .held, "\(path)") }
    // Beside a hard link there is neither the lock nor the log.
    try FileManager.default.linkItem(atPath: place.path, toPath: second)
    let error = try #require(failure(second))
    #expect(error.kind == .unavailable && error.description.contains("has another name too"))
    first.close()
  }

  @Test func `refuses a file that is no store, and leaves it as it is`() throws {
    var page = Array("SQLite format 3\0".utf8) + [16, 0, 1, 1] + Array(repeating: 0, count: 80)
    page[59] = 1
    let cases: [(bytes: [UInt8], kind: StoreError.Kind, text: String)] = [
      (Array("dear diary".utf8), .damaged, "is no session store"),
      (Array(repeating: 0, count: 4_096), .damaged, "is no session store"),
      (page + Array(repeating: 0, count: 3_996), .foreign, "another program's database (application id 0"),
      (Array(page.prefix(99)), .damaged, "is no session store"),
    ]
    for (bytes, kind, text) in cases {
      try place.write(bytes)
      let error = try #require(failure())
      #expect(error.kind == kind && error.description.contains(text) && error.description.contains(place.path))
      #expect(try place.bytes == bytes)
    }
  }

  /// Turns the file into one of an earlier format: 7 does not know the steps of an app's tables, 6 has the tables' earlier names, 5 does not have the shares of the room, 4 does not have the number
  /// of the parts' bytes, 3 has no parts, 2 has no timers, and 1 has no clients.
  private func makeEarlier(_ format: Int) throws {
    let dropped = [
      7: "DROP TABLE euripus_app_steps;",
      6: ["holder", "sessions", "set_aside", "clients", "parts", "parts_set_aside", "shares"]
        .map { "ALTER TABLE euripus_\($0) RENAME TO \($0);" }.joined() + "DROP TABLE euripus_app;",
      5: """
      DROP TRIGGER session_came; DROP TRIGGER session_went; DROP TRIGGER session_changed; DROP TABLE shares;
      DROP INDEX sessions_by_network; ALTER TABLE sessions DROP COLUMN network;
      ALTER TABLE sessions DROP COLUMN of_user; ALTER TABLE sessions DROP COLUMN bytes;
      """,
      4: "ALTER TABLE sessions DROP COLUMN part_bytes; ALTER TABLE set_aside DROP COLUMN part_bytes;",
      3: """
      DROP TABLE parts; DROP TABLE parts_set_aside; ALTER TABLE sessions DROP COLUMN parts;
      ALTER TABLE set_aside DROP COLUMN parts;
      """,
      2: """
      DROP INDEX sessions_by_wake; ALTER TABLE sessions DROP COLUMN wakes_at;
      ALTER TABLE set_aside DROP COLUMN wakes_at;
      """,
      1: """
      ALTER TABLE sessions DROP COLUMN context; ALTER TABLE set_aside DROP COLUMN context; DROP TABLE clients;
      """,
    ]
    let statements = (format...7).reversed().compactMap { dropped[$0] }.joined()
    try SQLiteDatabase(path: place.path, vfs: nil, makes: false).execute(
      "\(statements) PRAGMA user_version = \(format)")
  }

  private let parts = PartsChange(put: [
    Array("/list/order".utf8): Array("[]".utf8), Array("/list/items/1".utf8): Array("{}".utf8),
  ])

  @Test func `tells the bytes of parts that a store has had without telling them`() throws {
    var owner = try Owner(SQLiteStore(path: place.path))
    owner.open(record("a").with(parts))
    let told = try owner.store.list(after: nil, limit: 9).map(\.bytes)
    owner.store.close()
    try makeEarlier(4)
    let later = try Owner(SQLiteStore(path: place.path)).store
    #expect(try later.list(after: nil, limit: 9).map(\.bytes) == told)
    later.close()
  }

  @Test func `counts a session of an earlier format from its next change on, and as a user's till then`() throws {
    try make()
    try makeEarlier(5)
    var owner = try Owner(SQLiteStore(path: place.path))
    defer { owner.store.close() }
    #expect(try owner.store.room(of: 1).bytes == 0)
    // It is kept as long as any other.
    #expect(try owner.store.expire(now: 90_000, unusedSince: 1_000, limit: 9).forgotten == 0)
    let claim = owner.newClaim()
    #expect(owner.store.claim("a", claim).record?.isOfUser == true)
    #expect(owner.commit(record("a", 2), claim) == .durable)
    let share = StoreShare(0, isOfUsers: false, bytes: StoreRoom.page)
    #expect(try owner.store.room(of: 1) == StoreRoom(limit: 1, bytes: StoreRoom.page, heaviest: [share]))
  }

  @Test func `learns the migrations of an earlier store, and looks at no table for that`() throws {
    let step = Migration(
      1, "CREATE TABLE owners (id INTEGER PRIMARY KEY)", "CREATE TABLE seats (owner INTEGER REFERENCES owners)")
    try SQLiteStore(path: place.path).migrate(as: "test", [step])
    try makeEarlier(7)
    // A row whose foreign key names none, as another program may write it.
    try SQLiteDatabase(path: place.path, vfs: nil, makes: false).execute("INSERT INTO seats VALUES (7)")
    try SQLiteStore(path: place.path).migrate(as: "test", [step])
    let error = try #require(throws: StoreError.self) {
      try SQLiteStore(path: place.path).migrate(as: "test", [Migration(1, "CREATE TABLE seats (owner INTEGER)")])
    }
    #expect(error.description.contains("migration 1 of the app's tables is not the one that was done"), "\(error)")
  }

  @Test(arguments: 1...6) func `brings a store of an earlier format to the present one, with all that is in it`(
    format: Int
  ) throws {
    try make()
    try makeEarlier(format)
    // Inspecting the store leaves it as it is. The error tells the operator what to do.
    let error = try #require(throws: StoreError.self) { try SQLiteStore(path: place.path).inspect() }
    #expect(error.description.contains("has format \(format)") && error.description.contains("Start the server once"))
    var owner = try Owner(SQLiteStore(path: place.path))
    #expect(try owner.store.due(by: .max, after: nil, limit: 9) == [])
    let claim = owner.newClaim()
    var earlier = record("a")
    // Formats before 6 do not say whose a session is.
    if format < 6 { earlier.isOfUser = true }
    #expect(owner.store.claim("a", claim) == .held(earlier, claim))
    var changed = record("a", 2, wakesAt: 5).with(parts)
    changed.context = Array("{}".utf8)
    #expect(owner.commit(changed, claim) == .durable)
    #expect(owner.store.claim("a", claim) == .held(changed, claim))
    #expect(try owner.store.due(by: 5, after: nil, limit: 9) == [DueSession(id: "a", time: 5)])
    let client = ClientRecord(
      owner: Credential(hashing: "a"), credential: Credential(hashing: "b"), user: User(id: "1"), changed: 1)
    try owner.store.put(client)
    #expect(try owner.store.client(of: Credential(hashing: "b")) == client)
    owner.store.close()
    #expect(failure() == nil)
  }

  @Test func `refuses a store of a later version, and leaves it as it is`() throws {
    try make()
    var bytes = try place.bytes
    bytes[63] = UInt8(StoreFile.format + 1)
    try place.write(bytes)
    let error = try #require(failure())
    #expect(error.kind == .newer)
    #expect(error.description.contains("has format 9, of a later version of this program, which knows formats up to 8"))
    #expect(try place.bytes == bytes)
    bytes[63] = 0
    try place.write(bytes)
    #expect(failure()?.kind == .damaged)
  }

  @Test func `tells the file that it cannot open, and why`() throws {
    let missing = place.directory + "/nowhere/sessions.db"
    let error = try #require(failure(missing))
    #expect(error.kind == .unavailable)
    #expect(error.description.contains(missing) && error.description.contains("No such file or directory"))
    let directory = place.directory + "/directory"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    #expect(failure(directory)?.kind == .unavailable)
  }

  @Test func `lets an operator look at a server's sessions, and change nothing`() throws {
    let (server, operators) = (SQLiteStore(path: place.path), SQLiteStore(path: place.path))
    #expect(throws: StoreError.self) { try operators.inspect() }
    #expect(!FileManager.default.fileExists(atPath: place.path))
    var owner = try Owner(server)
    let claim = owner.open(record("a"))
    try operators.inspect()
    #expect(try operators.list(after: nil, limit: 10).map(\.id) == ["a"])
    owner.open(record("b"))
    #expect(try operators.count() == StoreCount(living: 2))
    #expect(try operators.check() == [])
    let change = StoreChange("a", claim, .record(record("a", 9)), number: 9)
    #expect(operators.commit([change]).first?.kind == .unavailable)
    #expect(operators.claim("a", SessionClaim(boot: 9, number: 9)).record == nil)
    #expect(throws: StoreError.self) { try operators.expire(now: 9_999, unusedSince: 9_999, limit: 10) }
    #expect(throws: StoreError.self) { try operators.compact() }
    #expect(owner.commit(record("a", 2), claim) == .durable)
    operators.close()
    server.close()
  }

  @Test func `commits nothing to a file that was taken away`() throws {
    for file in ["", "-wal"] {
      let place = try Place()
      var owner = try Owner(SQLiteStore(path: place.path))
      let claim = owner.open(record("a"))
      try FileManager.default.moveItem(atPath: place.path + file, toPath: place.path + ".away")
      for _ in 0..<2 {
        let outcome = owner.commit(record("a", 2), claim)
        #expect(outcome?.kind == .unavailable, "\(file)")
        guard case .refused(let error) = outcome else { continue }
        #expect(error.description.contains("was moved, replaced or removed"))
      }
      try FileManager.default.moveItem(atPath: place.path + ".away", toPath: place.path + file)
      #expect(owner.commit(record("a", 3), claim) == .durable)
      owner.store.close()
    }
  }

  @Test func `gives back the room of forgotten sessions, when it is told to`() throws {
    let store = SQLiteStore(path: place.path)
    var owner = try Owner(store)
    let claim = owner.newClaim()
    let ids = (0..<200).map { "s\($0)" }
    #expect(
      store.commit(ids.map { owner.change($0, claim, isNew: true, .record(record($0, bytes: 5_000))) })
        == Array(repeating: .durable, count: 200))
    #expect(store.commit(ids.dropFirst().map { owner.change($0, claim, .removed) }).allSatisfy { $0 == .durable })
    try store.compact()
    #expect(try place.bytes.count < 100_000)
    #expect(try store.check() == [])
    #expect(owner.claim("s0").record == record("s0", bytes: 5_000))
    store.close()
  }
}
