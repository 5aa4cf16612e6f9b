// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

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
    func name(_ rows: Int...) async throws -> SessionError? {
      for row in rows {
        _ = try opened.session.now { session in
          try session.assign(["list", "items", "\(row)", "title"], .string("named"), since: nil, ifMatch: nil)
        }
      }
      return await opened.session.stored()
    }
    #expect(try await name(1) == nil)
    let kept = memory.shelf.withLock { $0.rows }
    #expect(try await name(2) == nil)
    memory.shelf.withLock { $0.rows = kept }
    #expect(try await name(3, 4) == nil)
    #expect(first.reports.withLock { $0 } == [.storeWasBehind(session: opened.session.id)])
    // From here on its changed rows are enough again.
    #expect(try await name(5) == nil)
    let state = try await Self.host(on: memory).state(opened.session.id, as: opened.newKey, in: "rows")
    #expect(
      (0..<7).map { state?["list"]?["items"]?["\($0)"]?["title"] } == [
        "", "named", "named", "named", "named", "named", "",
      ])
    #expect(state == (try opened.session.now { try $0.snapshot() }.value["state"]))
  }
}

extension JSON {
  /// The state of a row's command.
  fileprivate func double(_ row: Int) -> JSON? { self["list"]?["items"]?["\(row)"]?["double"] }
}
