// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// Rows that a later version of a program makes in `init`, and that a stored state does not know.
@Suite(.timeLimit(.minutes(5))) struct `What a later version makes in init` {
  final class Column: ViewModel {
    let title: Observable<String>
    init(_ title: String) { self.title = Observable(title) }
    static let surface = Surface<Column>("column", .twoWay("title", \.title))
  }

  final class Board: ViewModel {
    let columns = KeyedList<Column>()
    let (add, remove, replace, keep) = (
      Observer<String>(), Observer<String>(), Observer<String>(), Observer<[String]>()
    )
    let fail = Observer<String>()
    struct Failure: Error {}

    init(_ keys: [String]) {
      for key in keys { columns.append(Column("made"), key: key) }
      add.handle(self) { board, key in board.columns.put(Column("added"), key: key) }
      remove.handle(self) { board, key in board.columns.remove(key) }
      replace.handle(self) { board, key in board.columns.put(Column("replaced"), key: key) }
      keep.handle(self) { board, keys in board.columns.update(keys) { _ in Column("updated") } }
      fail.handle(self) { board, key in
        board.columns.remove(key)
        throw Failure()
      }
    }

    static let surface = Surface<Board>(
      "board", .list("columns", \.columns) { _, _ in Column("made again") }, .action("add", \.add),
      .action("remove", \.remove), .action("replace", \.replace), .action("keep", \.keep), .action("fail", \.fail))
  }

  private static func order(_ model: LivingModel) async -> JSON? { await model.state["columns"]?["order"] }

  /// The order of the columns after the steps, a restart with `later`, and one more restart.
  private func restart(
    _ keys: [String], _ steps: [Change], later: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> JSON? {
    let first = try await LivingModel(.hosting { Board(keys) })
    for step in steps { _ = await first.take(step) }
    let second = try await LivingModel(.hosting { Board(later) }, stored: first.stored)
    let third = try await LivingModel(.hosting { Board(later) }, stored: second.stored)
    let orders = await (Self.order(second), Self.order(third))
    #expect(orders.0 == orders.1, sourceLocation: sourceLocation)
    return orders.0
  }

  @Test func `is there after a restart, behind the row that init makes before it`() async throws {
    #expect(
      try await restart(
        ["todo", "done"], [.perform(["add"], "mine")], later: ["first", "todo", "review", "done", "last"])
        == ["first", "todo", "review", "done", "last", "mine"])
    #expect(try await restart([], [], later: ["todo"]) == ["todo"])
  }

  @Test(arguments: [
    [Change.perform(["remove"], "todo")], [.perform(["replace"], "todo"), .perform(["remove"], "todo")],
    [.perform(["keep"], ["done"])], [.perform(["remove"], "todo"), .perform(["add"], "x"), .perform(["remove"], "x")],
  ]) func `is not there if it was removed`(steps: [Change]) async throws {
    #expect(try await restart(["todo", "done"], steps, later: ["todo", "done", "new"]) == ["done", "new"])
  }

  @Test func `is there if its removal was undone, or it came again`() async throws {
    #expect(try await restart(["todo"], [.perform(["fail"], "todo")], later: ["todo", "new"]) == ["todo", "new"])
    #expect(
      try await restart(["todo"], [.perform(["remove"], "todo"), .perform(["add"], "todo")], later: ["todo"]) == [
        "todo"
      ])
  }

  @Test func `stays away if it was removed before the state could say so`() async throws {
    let board = try await LivingModel(
      .hosting { Board(["todo", "done"]) }, stored: ["columns": ["order": ["done"], "items": [:]]])
    #expect(await Self.order(board) == ["done"])
    let again = try await LivingModel(.hosting { Board(["todo", "done"]) }, stored: board.stored)
    #expect(await Self.order(again) == ["done"])
  }

  @Test func `says in what is stored which rows have gone, and no others`() async throws {
    let board = try await LivingModel(.hosting { Board(["a", "b"]) })
    for step: Change in [.perform(["add"], "c"), .perform(["remove"], "c"), .perform(["remove"], "a")] {
      #expect(await board.take(step) == nil)
    }
    #expect(
      await String(decoding: board.storedText, as: UTF8.self)
        == #"{"columns":{"order":["b"],"gone":["a"],"items":{"b":{"title":"made"}}}}"#)
  }

  @Test func `is a module of a page`() async throws {
    final class Shop: ViewModel {
      let page = ModulePage()
      init(_ keys: [String]) { for key in keys { page.append(BlankModule(height: 10), key: key) } }
      static let surface = Surface<Shop>("shop", .modules("page", \.page))
    }
    let first = try await LivingModel(.hosting { Shop(["a", "c"]) })
    let second = try await LivingModel(.hosting { Shop(["a", "b", "c"]) }, stored: first.stored)
    #expect(await second.state["page"]?["order"] == ["a", "b", "c"])
  }

  @Test func `is the same for random steps`() async throws {
    try await expectRestorable { Board(["a", "b", "c"]) }
  }
}
