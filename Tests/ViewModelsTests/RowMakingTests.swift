// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `Making a row` {
  typealias Book = Shelf.Book
  typealias History = `The patch from any revision`

  enum Change: CaseIterable { case append, replace, removeLater, removeItself, removeAll }

  /// A list whose rows change while its row "a" is made.
  final class Rows: ViewModel {
    let rows = KeyedList<Book>()
    let fill = Observer<Void>()

    init(_ change: Change, isFilled: Bool) {
      fill.handle(self) { model, _ in model.fillRows(change) }
      if isFilled { fillRows(change) }
    }

    func fillRows(_ change: Change) {
      rows.update(["z", "a", "c"]) { [unowned rows] key in
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

    static let surface = Surface<Rows>("rows", .list("rows", \.rows), .action("fill", \.fill))
  }

  @Test(arguments: Change.allCases, [false, true])
  func `may change which rows there are: each revision has a row for each key, and no other`(
    change: Change, isFilled: Bool
  ) throws {
    let expected: [Change: JSON] = [
      .append: ["z", "a", "c", "b"], .replace: ["z", "a", "c"], .removeLater: ["z", "a"], .removeItself: ["z", "c"],
      .removeAll: [],
    ]
    let model = try HostedModelType.hosting { Rows(change, isFilled: isFilled) }.make(for: "a session")
    var past = try History.state(model)
    if !isFilled { try model.perform(["fill"], nil) }
    for revision: UInt64 in 2...4 {
      _ = model.stamp(revision)
      let present = try History.state(model)
      let patch = try History.patch(model, since: revision - 1)
      #expect(try past.applying([PatchOperation](json: patch)) == present, "revision \(revision)")
      #expect(model.stateLength == History.length(model))
      past = present
    }
    #expect(past["rows"]?["order"] == expected[change])
    guard case .object(let items) = past["rows"]?["items"] else { throw SurfaceError.noSuchRow("rows/items") }
    #expect(.array(items.map { .string($0.name) }) == expected[change])
  }

  /// A list whose row sets a value while it is made. The action that shows the row has set the value before,
  /// and may have taken it back.
  final class Counted: ViewModel {
    let count = Observable("old")
    let rows = KeyedList<Book>()
    let show = Observer<Bool>()

    init() {
      show.handle(self) { model, isTakenBack in
        model.count.value = "something in between"
        if isTakenBack { model.count.value = "old" }
        model.rows.update(["a"]) { [unowned model] key in
          model.count.value = isTakenBack ? "new" : "old"
          return Book(key)
        }
      }
    }

    static let surface = Surface<Counted>(
      "counted", .value("count", \.count), .list("rows", \.rows), .action("show", \.show))
  }

  @Test(arguments: [true, false])
  func `may write what the action has taken back, or take back what it wrote: the revision has it`(
    isTakenBack: Bool
  ) throws {
    let model = try HostedModelType.hosting { Counted() }.make(for: "a session")
    let past = try History.state(model)
    try model.perform(["show"], .bool(isTakenBack))
    #expect(model.stamp(2))
    let present = try History.state(model)
    #expect(present["count"] == (isTakenBack ? "new" : "old"))
    #expect(present["rows"]?["order"] == ["a"])
    let patch = try History.patch(model, since: 1)
    #expect(try past.applying([PatchOperation](json: patch)) == present)
    #expect(model.stateLength == History.length(model))
    #expect(!model.stamp(3))
  }
}
