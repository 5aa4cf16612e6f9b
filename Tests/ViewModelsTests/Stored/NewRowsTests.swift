// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// Rows that a later version of a program makes in `init`, and that a stored state does not know.
@Suite(.timeLimit(.minutes(30))) struct `A row that a later version makes in init` {
  final class Column: ViewModel {
    @Observed var title: String
    init(_ title: String) { self.title = title }
    static let surface = Surface<Column>("column", .twoWay("title", \.$title))
  }

  final class Board: ViewModel {
    let columns = KeyedList<Column>()
    struct Failure: Error {}

    init(_ keys: [String]) { for key in keys { columns.append(Column("made"), key: key) } }

    func add(_ key: String) { columns.put(Column("added"), key: key) }
    func remove(_ key: String) { columns.remove(key) }
    func replace(_ key: String) { columns.put(Column("replaced"), key: key) }
    func keep(_ keys: [String]) { columns.update(keys) { _ in Column("updated") } }
    func fail(_ key: String) throws {
      columns.remove(key)
      throw Failure()
    }

    static let surface = Surface<Board>(
      "board", .list("columns", \.columns) { _, _ in Column("made again") }, .action("add", Board.add),
      .action("remove", Board.remove), .action("replace", Board.replace), .action("keep", Board.keep),
      .action("fail", Board.fail))
  }

  private actor Place {}
  private let place = Place()
  private let watcher = RunCount()

  /// A view model whose making is over: rows that come now are no rows of `init`.
  private func living(_ model: any HostedModel) -> any HostedModel {
    model.live(in: place, runWatcher: watcher) {}
    return model
  }

  /// The order of the columns after the steps, a restart with `later`, and one more restart.
  private func restart(
    _ keys: [String], _ steps: [Change], later: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSON? {
    let first = try living(hosted { Board(keys) })
    for step in steps { _ = try? first.apply(step) }
    return try order(of: first.storedText, later, sourceLocation: sourceLocation)
  }

  /// The order of the columns that are made from a stored state, which one more restart does not change.
  private func order(of text: String, _ keys: [String], sourceLocation: SourceLocation = #_sourceLocation) throws
    -> JSON?
  {
    let board = try living(Restoring.restore(text) { Board(keys) })
    let again = try living(Restoring.restart(board) { Board(keys) })
    let order = try board.shown["columns"]?["order"]
    #expect(try again.shown["columns"]?["order"] == order, sourceLocation: sourceLocation)
    return order
  }

  @Test func `is there after a restart, behind the row that init makes before it`() throws {
    #expect(
      try restart(["todo", "done"], [.perform("add", "mine")], later: ["first", "todo", "review", "done", "last"])
        == ["first", "todo", "review", "done", "last", "mine"])
    #expect(try restart([], [], later: ["todo"]) == ["todo"])
  }

  @Test(arguments: [
    [Change.perform("remove", "todo")], [.perform("replace", "todo"), .perform("remove", "todo")],
    [.perform("keep", ["done"])], [.perform("remove", "todo"), .perform("add", "x"), .perform("remove", "x")],
  ]) func `is not there if it was removed`(steps: [Change]) throws {
    #expect(try restart(["todo", "done"], steps, later: ["todo", "done", "new"]) == ["done", "new"])
  }

  @Test func `is there if its removal was undone, or it came again`() throws {
    #expect(try restart(["todo"], [.perform("fail", "todo")], later: ["todo", "new"]) == ["todo", "new"])
    #expect(
      try restart(["todo"], [.perform("remove", "todo"), .perform("add", "todo")], later: ["todo"]) == ["todo"])
  }

  @Test func `stays away if it was removed before the state could say so`() throws {
    #expect(try order(of: #"{"columns":{"order":["done"],"items":{}}}"#, ["todo", "done"]) == ["done"])
  }

  @Test func `says in the stored state which rows have gone, and no others`() throws {
    let board = try living(hosted { Board(["a", "b"]) })
    for step: Change in [.perform("add", "c"), .perform("remove", "c"), .perform("remove", "a")] {
      try board.apply(step)
    }
    #expect(board.storedText == #"{"columns":{"order":["b"],"gone":["a"],"items":{"b":{"title":"made"}}}}"#)
  }

  @Test func `is a module of a page`() throws {
    final class Shop: ViewModel {
      let page = ModulePage()
      init(_ keys: [String]) { for key in keys { page.append(BlankModule(height: 10), key: key) } }
      static let surface = Surface<Shop>("shop", .modules("page", \.page))
    }
    let shop = try living(hosted { Shop(["a", "c"]) })
    let again = try Restoring.restart(shop) { Shop(["a", "b", "c"]) }
    #expect(try again.shown["page"]?["order"] == ["a", "b", "c"])
  }

  @Test func `is the same for random steps`() async throws {
    try await expectRestorable { Board(["a", "b", "c"]) }
  }

  @Test(arguments: [["n0", "n1"], ["new", "n0"]])
  func `is not there where a list over a table showed other rows`(_ first: [String]) throws {
    let catalogue = try living(hosted { Catalogue(first: ["n0", "n1"]) })
    try catalogue.set("rows/window", ["first": 50, "count": 3])
    let entries: [JSON] = (50..<53).map { ["key": .string("n\($0)"), "text": "text"] }
    try catalogue.perform("show", ["first": 50, "total": 100, "entries": .array(entries)])
    #expect(try Restoring.restart(catalogue) { Catalogue(first: first) }.shown["rows"] == catalogue.shown["rows"])
    // The whole list knows as well which rows have left.
    try catalogue.perform("keep", ["n51"])
    let again = try Restoring.restart(catalogue) { Catalogue(first: ["n0", "n1"]) }
    try again.set("rows/window", ["first": 0, "count": 3])
    #expect(try again.shown["rows"]?["order"] == ["n51"])
  }
}
