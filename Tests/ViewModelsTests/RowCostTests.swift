// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Locking
import ObservableCore
import Testing

@testable import ViewModels

/// A text that counts the times that it is written as JSON.
struct CountedText: JSONRepresentable, Equatable {
  static let writes = Locked(0)
  static let jsonTypeName = "string"
  var text: String
  init(_ text: String) { self.text = text }
  init(json: JSON) throws(JSONMismatch) { text = try String(json: json) }
  func write(to writer: inout JSONWriter) {
    CountedText.writes.withLock { $0 += 1 }
    writer.string(text)
  }
}

final class Ledgers: ViewModel {
  final class Line: ViewModel {
    let text: Observable<CountedText>
    init(_ text: String) { self.text = Observable(CountedText(text)) }
    static let surface = Surface<Line>("line", .twoWay("text", \.text))
  }
  final class Book: ViewModel {
    let lines = KeyedList<Line>()
    static let surface = Surface<Book>("book", .list("lines", \.lines))
  }
  let lines = KeyedList<Line>()
  let book = Book()
  let guest = Observable<Book?>(Book(), cutOff: .never)
  init(_ count: Int) {
    for list in [lines, book.lines, guest.value?.lines].compactMap(\.self) {
      list.update((0..<count).map { "n\($0)" }) { Line("text \($0)") }
    }
  }
  static let surface = Surface<Ledgers>(
    "ledger", .list("lines", \.lines), .nested("book", \.book), .nested("guest", \.guest))
}

@Suite(.serialized) struct `A change of one row` {
  @Test(arguments: ["lines/items/n7/text", "book/lines/items/n7/text", "guest/lines/items/n7/text"])
  func `has that row written, however many there are, and wherever the list is`(path: String) throws {
    let ledgers = try ModelDriver { Ledgers(1_000) }
    _ = ledgers.state
    CountedText.writes.withLock { $0 = 0 }
    let text = String(repeating: "long ", count: 10)
    try ledgers.set(path, .string(text))
    // The patch writes it once. To compare the patch with forms that might be shorter takes two more writes at most.
    #expect(CountedText.writes.withLock { $0 } <= 3)
    #expect(ledgers.takeFrame()["patch"] == [["op": "replace", "path": .string("/" + path), "value": .string(text)]])
  }

  @Test func `a list knows how long it is`()
    throws
  {
    final class Bare: ViewModel {
      static let surface = Surface<Bare>("bare")
    }
    for keys in [[], [""], ["a"], ["", "a"], ["a", "b", "c"]] {
      let rows = KeyedList<Bare>()
      rows.update(keys) { _ in Bare() }
      let list = ListPart(rows.core, showsKinds: false)
      var writer = JSONWriter()
      list.write(to: &writer)
      #expect(list.length == writer.count, "\(keys)")
    }
  }
}
