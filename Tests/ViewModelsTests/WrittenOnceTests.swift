// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@Suite struct `A value that an action has changed` {
  /// A number that counts the times that it is written as JSON.
  struct Counted: JSONRepresentable, Equatable, Sendable {
    static let jsonTypeName = "integer"
    let number: Int
    let writings: Locked<Int>

    init(_ number: Int, _ writings: Locked<Int>) { (self.number, self.writings) = (number, writings) }
    init(json: JSON) throws(JSONMismatch) { self.init(try Int(json: json), Locked(0)) }

    func write(to writer: inout JSONWriter) {
      writings.withLock { $0 += 1 }
      writer.integer(number)
    }

    static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }
  }

  final class Row: ViewModel {
    @Observed var value: Counted
    init(_ writings: Locked<Int>) { value = Counted(0, writings) }
    static let surface = Surface<Row>("row", .value("value", \.$value))
  }

  /// A book with rows.
  final class Book: ViewModel {
    @Observed var value: Counted
    let rows = KeyedList<Row>()
    private let writings: Locked<Int>

    struct Failure: Error {}

    init(_ writings: Locked<Int>, rows count: Int = 1_000) {
      self.writings = writings
      value = Counted(0, writings)
      rows.update((0..<count).map { "n\($0)" }) { _ in Row(writings) }
    }

    func write(_ number: Int) {
      value = Counted(number, writings)
      rows["n0"]?.value = Counted(number, writings)
    }
    func fail(_ number: Int) throws {
      value = Counted(number, writings)
      throw Failure()
    }

    static let surface = Surface<Book>(
      "book", .value("value", \.$value), .list("rows", \.rows), .action("write", Book.write),
      .action("fail", Book.fail))
  }

  /// A book that is always there, and one that may be.
  final class Ledger: ViewModel {
    let book: Book
    @Observed(cutOff: .never) var guest: Book?
    init(_ writings: Locked<Int>) { (book, guest) = (Book(writings), Book(writings)) }
    static let surface = Surface<Ledger>("ledger", .nested("book", \.book), .nested("guest", \.$guest))
  }

  private func patch(_ number: JSON, at place: String = "") -> JSON {
    [
      ["op": "replace", "path": .string("/\(place)value"), "value": number],
      ["op": "replace", "path": .string("/\(place)rows/items/n0/value"), "value": number],
    ]
  }

  /// Among many rows, two more writes at most of each of the two values compare the patch with forms that might be
  /// shorter.
  @Test(arguments: [(1, "", 2), (1_000, "", 6), (1_000, "book/", 6), (1_000, "guest/", 6)])
  func `is written once for the limit of the state and for the frame, and no other value is`(
    rows: Int, place: String, most: Int
  ) throws {
    let writings = Locked(0)
    let model = try place.isEmpty ? hosted { Book(writings, rows: rows) } : hosted { Ledger(writings) }
    _ = model.stamp(1)
    writings.withLock { $0 = 0 }
    try model.perform("\(place)write", 12)
    #expect(model.stamp(2))
    #expect(try model.patch(since: 1) == patch(12, at: place))
    #expect((2...most).contains(writings.withLock { $0 }))
  }

  @Test func `is as it was where the action is undone`() throws {
    let model = try hosted { Book(Locked(0)) }
    try model.perform("write", 12)
    #expect(throws: ViewModelFailure.self) { try model.perform("fail", 7) }
    _ = model.stamp(2)
    #expect(try model.patch(since: 1) == patch(12))
    model.stateLimit = model.stateLength
    #expect(throws: SurfaceError.self) { try model.perform("write", 1_000) }
    try model.perform("write", 5)
    _ = model.stamp(3)
    #expect(try model.patch(since: 1) == patch(5))
  }
}
