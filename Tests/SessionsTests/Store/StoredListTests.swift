// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// Rows with a command that doubles a number.
private final class Rows: ViewModel {
  final class Row: ViewModel {
    let title = Observable("")
    private(set) lazy var double = Command<Int, Int>(self) { _, number, _ in number * 2 }
    static let surface = Surface<Row>("row", .twoWay("title", \.title), .command("double", \.double))
  }

  static let count = 100
  let list = KeyedList<Row>()
  init() { for key in 0..<Self.count { list.append(Row(), key: "\(key)") } }
  static let surface = Surface<Rows>("rows", .list("list", \.list) { _, _ in Row() })
}

@Suite(.timeLimit(.minutes(30))) struct `A session with a long list` {
  private static func host(on memory: MemorySessions) throws -> StoredHost {
    try StoredHost(MemorySessions(sharing: memory), types: [.hosting { Rows() }])
  }

  @Test func `comes back with its rows, which a store has one by one`() async throws {
    let memory = MemorySessions()
    let first = try Self.host(on: memory)
    let opened = try await first.open("rows")
    _ = try opened.session.now { session in
      try session.assign(["list", "items", "7", "title"], "seven", since: nil, ifMatch: nil)
    }
    let (answers, answer) = AsyncStream.makeStream(of: PollAnswer.self)
    try opened.session.now { session in
      let path = ["list", "items", "8", "double"]
      let started = try session.perform(path, 21, since: nil, ifMatch: nil)
      // A command that is over at once sends no further frame.
      if try session.snapshot().value["state"]?.double(8)?["result"] == 42 {
        _ = answer.yield(.changed(started))
        return
      }
      #expect(session.poll(.poll(since: started.version)) { answer.yield($0) } == nil)
    }
    var told = answers.makeAsyncIterator()
    #expect(text(await told.next()).hasPrefix("changed"))
    #expect(await opened.session.stored() == nil)

    guard case .living(let record)? = memory.read(opened.session.id) else { throw SessionError.expired }
    #expect(record.parts.put.count == Rows.count + 1 + 1)
    #expect(record.state.count < 200)
    let rows = try record.stateJSON()["list"]?["items"]
    #expect(rows?["7"] == ["title": "seven"])

    let state = try await Self.host(on: memory).state(opened.session.id, as: opened.newKey, in: "rows")
    #expect(state?["list"]?["items"]?["7"]?["title"] == "seven")
    #expect(state?.double(8)?["result"] == 42)
    #expect(state?["list"]?["order"] == .array((0..<Rows.count).map { .string("\($0)") }))
  }

  @Test func `is stored whole again when its store has lost changes, and its answers wait for that`() async throws {
    let memory = MemorySessions()
    let first = try Self.host(on: memory)
    let opened = try await first.open("rows")
    #expect(try await Self.name(1, in: opened.session) == nil)
    let kept = memory.shelf.withLock { $0.rows }
    #expect(try await Self.name(2, in: opened.session) == nil)
    memory.shelf.withLock { $0.rows = kept }
    #expect(try await Self.name(3, 4, in: opened.session) == nil)
    #expect(first.reports.withLock { $0 } == [.storeWasBehind(session: opened.session.id)])
    // From here on its changed rows are enough again.
    #expect(try await Self.name(5, in: opened.session) == nil)
    try await Self.expectStored(opened, named: 1...5, in: memory)
  }

  @Test func `is put into its store once more that has lost it, with all that its client was told`() async throws {
    let store = LosingStore()
    let first = try StoredHost(store, types: [.hosting { Rows() }])
    let opened = try await first.open("rows")
    #expect(try await Self.name(1, in: opened.session) == nil)
    store.lose(opened.session.id)
    #expect(try await Self.name(2, 3, in: opened.session) == nil)
    #expect(first.reports.withLock { $0 } == [.storeWasBehind(session: opened.session.id)])
    #expect(try await Self.name(4, in: opened.session) == nil)
    try await Self.expectStored(opened, named: 1...4, in: store.memory)
  }

  /// Names some rows, and waits until that is stored. Returns the error if it is not.
  private static func name(_ rows: Int..., in session: Session) async throws -> SessionError? {
    for row in rows {
      _ = try session.now { session in
        try session.assign(["list", "items", "\(row)", "title"], .string("named"), since: nil, ifMatch: nil)
      }
    }
    return await session.stored()
  }

  /// Expects that a store has the session as its client sees it, with names in these rows alone.
  private static func expectStored(
    _ opened: SessionHost.Opened, named rows: ClosedRange<Int>, in memory: MemorySessions
  ) async throws {
    // The first server loses the session to the second one.
    let shown = try opened.session.now { try $0.snapshot() }.value["state"]
    let state = try await host(on: memory).state(opened.session.id, as: opened.newKey, in: "rows")
    let expected: [JSON?] = (0..<7).map { rows.contains($0) ? "named" : "" }
    #expect((0..<7).map { state?["list"]?["items"]?["\($0)"]?["title"] } == expected)
    #expect(state == shown)
  }
}

extension JSON {
  /// The state of a row's command.
  fileprivate func double(_ row: Int) -> JSON? { self["list"]?["items"]?["\(row)"]?["double"] }
}
