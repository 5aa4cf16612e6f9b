// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// A second kind of view model, for filters.
final class Pebble: ViewModel {
  private let weight = Observable(1)
  static let surface = Surface<Pebble>("pebble", .value("weight", \.weight))
}

extension SessionHost {
  func page(
    _ filter: SessionFilter = SessionFilter(), after id: String? = nil, limit: Int = SessionHost.pageOfSessions
  ) async throws -> SessionPage {
    try await list(filter, after: id, limit: limit)
  }

  /// All sessions, read page by page.
  func all(_ filter: SessionFilter = SessionFilter(), limit: Int) async throws -> [SessionSummary] {
    var (all, next): ([SessionSummary], String?) = ([], nil)
    repeat {
      let page = try await page(filter, after: next, limit: limit)
      #expect(page.sessions.count <= limit)
      all += page.sessions
      next = page.next
    } while next != nil
    return all
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A list of the sessions` {
  private let clock = ManualClock()

  private func host() -> SessionHost {
    var configuration = SessionConfiguration.unhurried
    configuration.openingRate = nil
    return SessionHost(
      [.hosting { Note() }, .hosting { Pebble() }], configuration: configuration, now: { clock.now })
  }

  @Test func `has each with its model, its size and the time since its last use`() async throws {
    let host = host()
    let opened = try host.open("note", as: nil)
    clock.advance(by: .seconds(90))
    host.expire()
    let other = try host.open("pebble", as: nil).session
    let page = try await host.page()
    #expect(page.next == nil)
    #expect(Set(page.sessions.map(\.id)) == [opened.session.id, other.id])
    let note = try #require(page.sessions.first { $0.id == opened.session.id })
    #expect((note.model, note.user, note.age, note.readers, note.isStored) == ("note", nil, 90, 0, false))
    #expect(note.bytes > 0)
    // An operator's look at a session is no use of it.
    _ = try await host.look(at: opened.session.id)
    #expect(try await host.page().sessions.first { $0.id == opened.session.id }?.age == 90)
    _ = try host.find("note", opened.session.id, as: opened.credential)
    #expect(try await host.page().sessions.first { $0.id == opened.session.id }?.age == 0)
  }

  @Test func `has the readers that wait in each`() async throws {
    let host = host()
    let session = try host.open("note", as: nil).session
    let answers = Answers()
    _ = try session.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) }
    _ = try session.now { $0.follow(answers.waiter(2), since: $0.version) }
    #expect(try await host.page().sessions.map(\.readers) == [2])
    try session.now { $0.endWait(answers.waiter(1), .unchanged) }
    #expect(try await host.page().sessions.map(\.readers) == [1])
  }

  @Test func `takes those on a model, and those that were not used for long`() async throws {
    let host = host()
    let old = try host.open("note", as: nil).session
    clock.advance(by: .seconds(30))
    host.expire()
    let pebble = try host.open("pebble", as: nil).session
    #expect(try await host.page(SessionFilter(model: "note")).sessions.map(\.id) == [old.id])
    #expect(try await host.page(SessionFilter(olderThan: 30)).sessions.map(\.id) == [old.id])
    #expect(try await host.page(SessionFilter(olderThan: 31)).sessions.isEmpty)
    #expect(try await host.page(SessionFilter(model: "pebble", olderThan: 0)).sessions.map(\.id) == [pebble.id])
    #expect(try await host.page(SessionFilter(user: "anna")).sessions.isEmpty)
  }

  @Test(arguments: [1, 2, 3, 7, 8])
  func `comes in pages, with the sessions in memory and in the store, each once and in the order of the ids`(
    limit: Int
  ) async throws {
    let stored = try StoredHost(MemorySessions()) { $0.idleTime = .seconds(60) }
    var away: Set<String> = []
    for _ in 0..<4 { away.insert(try await stored.open().session.id) }
    try await stored.rest()
    #expect(stored.host.count == 0)
    var here: Set<String> = []
    for _ in 0..<3 { here.insert(try await stored.open().session.id) }
    let all = try await stored.host.all(limit: limit)
    #expect(all.map(\.id) == (away.union(here)).sorted())
    #expect(Set(all.filter(\.isStored).map(\.id)) == away)
    for session in all where session.isStored { #expect(session.age >= 61 && session.bytes > 0) }
    // A session that has ended is not listed.
    let closed = try #require(away.first)
    _ = try await stored.host.end(closed)
    #expect(try await stored.host.all(limit: limit).count == 6)
  }

  @Test func `looks at as many stored ones as there are, if a filter takes few`() async throws {
    let stored = try StoredHost(MemorySessions(), types: [.hosting { Note() }, .hosting { Pebble() }]) {
      $0.idleTime = .seconds(60)
    }
    for _ in 0..<3 { _ = try await stored.open() }
    let wanted = try await stored.open("pebble").session.id
    try await stored.rest()
    #expect(try await stored.host.all(SessionFilter(model: "pebble"), limit: 1).map(\.id) == [wanted])
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A look into a session` {
  @Test func `has the state that its client sees, and no secret`() async throws {
    let host = SessionHost.still([
      .hosting {
        let note = Note()
        note.key.value = "a secret"
        return note
      }
    ])
    let session = try host.open("note", as: nil).session
    _ = try session.now { try $0.rename("a title") }
    let look = try #require(try await host.look(at: session.id))
    let text = String(decoding: try #require(look.snapshot).json, as: UTF8.self)
    #expect(text.contains("a title") && !text.contains("a secret"))
    #expect(text == String(decoding: try session.now { try $0.snapshot() }.json, as: UTF8.self))
    #expect(try await host.look(at: "nope") == nil)
    host.close(session)
    #expect(try await host.look(at: session.id) == nil)
  }

  @Test func `makes none again that is in the store alone, and shows the values that it is stored as`() async throws {
    let stored = try StoredHost(MemorySessions()) { $0.idleTime = .seconds(60) }
    let session = try await stored.open().session
    _ = try session.now { try $0.rename("a title") }
    #expect(await session.stored() == nil)
    try await stored.rest()
    let look = try #require(try await stored.host.look(at: session.id))
    #expect(look.snapshot == nil && look.summary.isStored && look.summary.id == session.id)
    let values = try JSONReader.read(try #require(look.values))
    #expect(values["title"] == "a title")
    #expect(stored.host.count == 0)
    #expect(try await stored.host.look(at: String(repeating: "A", count: 22)) == nil)
  }
}
