// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// The database of an app, for code that belongs to no session.
@Suite(.timeLimit(.minutes(30))) struct `The database of an app's services` {
  struct Broken: Error {}

  let hall: Hall
  let database: AppDatabase

  init() throws {
    hall = try Hall()
    database = try #require(hall.server.server.database)
  }

  private func free() async throws -> Int {
    try await database.read { try $0.query("SELECT count(*) FROM seats WHERE owner IS NULL", as: Int.self)[0] }
  }

  private static let book: SQLStatement = "UPDATE seats SET owner = 'somebody' WHERE id = ?"

  @Test func `is written whole, or not at all`() async throws {
    let count = try await database.write { try $0.execute(Self.book, 7) + $0.execute(Self.book, 8) }
    #expect(count == 2)
    #expect(try await free() == 98)
    await #expect(throws: Broken.self) {
      try await database.write { database in
        try database.execute(Self.book, 9)
        throw Broken()
      }
    }
    #expect(try await free() == 98)
  }

  @Test func `is only read where that was said`() async throws {
    let failure = await #expect(throws: DatabaseFailure.self) {
      try await database.read { _ = try $0.execute(Self.book, 7) }
    }
    #expect(failure?.description.contains("readonly") == true, "\(failure.map(\.description) ?? "")")
    #expect(try await free() == 100)
  }

  @Test func `is read while an action writes it, as it was before`() async throws {
    let client = try hall.server.client()
    let url = try await client.open("seats")
    try client.send("POST", "\(url)/actions/bookSlowly", "7")
    hall.hold.isIn.wait()
    #expect(try await free() == 100)
    hall.hold.mayGo.signal()
    #expect(try await client.receive().status == 200)
    #expect(try await free() == 99)
  }

  @Test func `is the app's own, and not the server's`() async throws {
    await #expect(throws: DatabaseFailure.self) {
      try await database.write { try $0.execute("DELETE FROM euripus_sessions") }
    }
    await #expect(throws: DatabaseFailure.self) {
      try await database.read { _ = try $0.query("SELECT credential FROM euripus_clients", as: [UInt8].self) }
    }
  }
}

/// Work that a server does beside its sessions.
@Suite(.timeLimit(.minutes(30))) struct `Work in the background` {
  struct Broken: Error {}

  @Test func `begins anew after an error, which the log has`() async throws {
    let server = try TestServer([.hosting { Counter() }])
    let (runs, run) = AsyncStream.makeStream(of: Void.self)
    server.server.background("counting") {
      run.yield()
      throw Broken()
    }
    var iterator = runs.makeAsyncIterator()
    for _ in 0..<2 { await iterator.next() }
    #expect(
      server.log.contains { $0.contains("begins anew") && $0.contains("work=counting") && $0.contains("Broken()") },
      "\(server.log)")
  }

  @Test func `is cancelled when the server stops, which waits for its end`() async throws {
    let server = try TestServer([.hosting { Counter() }])
    let (endings, ending) = AsyncStream.makeStream(of: String.self)
    let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)
    server.server.background("waiting", onlyOnOne: true) {
      beginning.yield()
      do { try await Task.sleep(for: .seconds(3_600)) } catch { ending.yield("cancelled") }
    }
    var begun = beginnings.makeAsyncIterator()
    await begun.next()
    // The work needs a thread of Swift's tasks for its end, and other tests may have them all for a while. So this takes none,
    // and waits for as long as that is.
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        server.server.stop(within: .seconds(1_500))
        done.resume()
      }
    }
    ending.finish()
    var iterator = endings.makeAsyncIterator()
    #expect(await iterator.next() == "cancelled")
  }
}
