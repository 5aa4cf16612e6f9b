// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `Making a row` {
  typealias Book = Shelf.Book

  enum Change: CaseIterable { case append, replace, removeLater, removeItself, removeAll }

  /// A list whose rows change while its row "a" is made.
  final class Rows: ViewModel {
    let rows = KeyedList<Book>()
    private let change: Change

    init(_ change: Change, isFilled: Bool) {
      self.change = change
      if isFilled { fill() }
    }

    func fill() {
      rows.update(["z", "a", "c"]) { [unowned rows, change] key in
        guard key == "a" else { return Book(key) }
        switch change {
        case .append: rows.append(Book("b"), key: "b")
        case .replace: rows.put(Book("another c"), key: "c")
        case .removeLater: rows.remove("c")
        case .removeItself: rows.remove("a")
        case .removeAll: rows.removeAll()
        }
        return Book(key)
      }
    }

    static let surface = Surface<Rows>("rows", .list("rows", \.rows), .action("fill", Rows.fill))
  }

  @Test(arguments: Change.allCases, [false, true])
  func `may change which rows there are: each revision has a row for each key, and no other`(
    change: Change, isFilled: Bool
  ) throws {
    let expected: [Change: JSON] = [
      .append: ["z", "a", "c", "b"], .replace: ["z", "a", "c"], .removeLater: ["z", "a"], .removeItself: ["z", "c"],
      .removeAll: [],
    ]
    let model = try hosted { Rows(change, isFilled: isFilled) }
    var past = try model.state
    if !isFilled { try model.perform("fill") }
    for revision: UInt64 in 2...4 {
      _ = model.stamp(revision)
      let present = try model.state
      let patch = try model.patch(since: revision - 1)
      #expect(try past.applying([PatchOperation](json: patch)) == present, "revision \(revision)")
      #expect(model.stateLength == model.stateText.count)
      past = present
    }
    #expect(past["rows"]?["order"] == expected[change])
    guard case .object(let items) = past["rows"]?["items"] else { throw SurfaceError.noSuchRow("rows/items") }
    #expect(.array(items.map { .string($0.name) }) == expected[change])
  }

  /// A list whose row sets a value while it is made. The action that shows the row has set the value before,
  /// and may have taken it back.
  final class Counted: ViewModel {
    @Observed var count = "old"
    let rows = KeyedList<Book>()

    func show(_ isTakenBack: Bool) {
      count = "something in between"
      if isTakenBack { count = "old" }
      rows.update(["a"]) { [unowned self] key in
        count = isTakenBack ? "new" : "old"
        return Book(key)
      }
    }

    static let surface = Surface<Counted>(
      "counted", .value("count", \.$count), .list("rows", \.rows), .action("show", Counted.show))
  }

  @Test(arguments: [true, false])
  func `may write a value that the action has taken back, or take one back: the revision has it`(
    isTakenBack: Bool
  ) throws {
    let model = try hosted { Counted() }
    let past = try model.state
    try model.perform("show", .bool(isTakenBack))
    #expect(model.stamp(2))
    let present = try model.state
    #expect(present["count"] == (isTakenBack ? "new" : "old"))
    #expect(present["rows"]?["order"] == ["a"])
    let patch = try model.patch(since: 1)
    #expect(try past.applying([PatchOperation](json: patch)) == present)
    #expect(model.stateLength == model.stateText.count)
    #expect(!model.stamp(3))
  }

  /// Rows that are made when they are shown, or when an action looks at all.
  final class Late: ViewModel {
    final class Row: ViewModel {
      @Observed var title = ""
      init(_ title: String) { self.title = title }
      static let surface = Surface<Row>("row", .value("title", \.$title))
    }

    struct Failure: Error {}

    let rows = KeyedList<Row>(window: 1)
    init() { rows.update(["a", "b"]) { Row($0) } }

    func fail() throws {
      for row in rows.rows { row.title += ", changed" }
      throw Failure()
    }

    static let surface = Surface<Late>("late", .list("rows", \.rows, hasWindow: true), .action("fail", Late.fail))
  }

  private static let window: JSON = ["first": 0, "count": 2]

  @Test(arguments: [ViewModels.Change.perform("fail"), .set("rows/window", window)])
  func `is done again, with all that it wrote, where it was undone`(_ change: ViewModels.Change) throws {
    let model = try hosted { Late() }
    // The second row is too long.
    model.stateLimit = model.stateLength
    #expect(throws: (any Error).self) { try model.apply(change) }
    model.stateLimit = .max
    try model.set("rows/window", Self.window)
    _ = model.stamp(2)
    #expect(try model.state["rows"]?["items"] == ["a": ["title": "a"], "b": ["title": "b"]])
  }
}
