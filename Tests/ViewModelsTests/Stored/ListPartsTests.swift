// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing

@testable import ViewModels

@Suite struct `The stored parts of a list` {
  private final class Row: ViewModel {
    @Observed var text: String
    init(_ text: String) { self.text = text }
    static let surface = Surface<Row>("row", .twoWay("text", \.$text))
  }

  /// A list of three rows that are not made, which counts the looks at its rows.
  private final class Rows {
    private(set) var looks = 0
    private(set) lazy var core = KeyedListCore(window: nil, name: "rows", file: #fileID, line: #line) {
      [unowned self] entry, makes in
      looks += 1
      let entry = entry as? RowEntry<Row>
      return makes ? entry?.row : entry?.made
    }

    init() {
      let making = RowMaking(for: core) { Row("row \($0)") }
      core.replaceAll(
        by: ["a", "b", "c"].map { RowEntry<Row>(ExactText($0), isLate: false, endsCommands: false, making) })
    }

    func make(_ index: Int) { _ = core.model(of: core.entries[index]) }

    /// Takes the changes of the parts.
    ///
    /// - Returns: the names of those that came or changed, and the number of looks at rows.
    func change(of parts: ListParts, hasOrder: Bool = false) -> (names: [String], looks: Int) {
      let before = looks
      var change = PartsChange()
      parts.update(ListStoring(hasKinds: false, hasOrder: hasOrder, canRemake: true), &change) { _ in nil }
      return (change.put.keys.map { String(decoding: $0, as: UTF8.self) }.sorted(), looks - before)
    }
  }

  @Test func `are looked at when an unmade row is made, and not with each change`() {
    let rows = Rows()
    let parts = ListParts(rows.core, at: [])
    #expect(rows.change(of: parts) == ([], 3))
    #expect(rows.change(of: parts) == ([], 0))
    rows.make(1)
    #expect(rows.change(of: parts).names == ["/items/b"])
    #expect(rows.change(of: parts) == ([], 0))
    parts.end()
  }

  @Test func `at two places are each told of a row that is made, also when one place has gone`() {
    let rows = Rows()
    let (first, second) = (ListParts(rows.core, at: Array("/x".utf8)), ListParts(rows.core, at: Array("/y".utf8)))
    _ = (rows.change(of: first), rows.change(of: second))
    rows.make(0)
    #expect(rows.change(of: first).names == ["/x/items/a"] && rows.change(of: second).names == ["/y/items/a"])
    first.end()
    rows.make(2)
    #expect(rows.change(of: second).names == ["/y/items/c"])
    second.end()
    #expect(rows.core.madeWatchers.isEmpty)
  }

  @Test func `have the place of the rows in a longer list, which changes alone where that list grows`() {
    let rows = Rows()
    let parts = ListParts(rows.core, at: [])
    rows.core.replaceAll(by: rows.core.entries, as: .init(first: 500, total: 1_000))
    #expect(rows.change(of: parts, hasOrder: true).names == ["/excerpt", "/order"])
    #expect(parts.stored[Array("/excerpt".utf8)] == Array(#"{"first":500,"total":1000}"#.utf8))
    rows.core.replaceAll(by: rows.core.entries, as: .init(first: 500, total: 1_001))
    #expect(rows.change(of: parts, hasOrder: true).names == ["/excerpt"])
    parts.end()
  }

  @Test func `let go of a row that was never made and has left`() {
    let rows = Rows()
    let parts = ListParts(rows.core, at: [])
    _ = rows.change(of: parts)
    weak let gone = rows.core.entries[0]
    rows.core.replaceAll(by: Array(rows.core.entries.dropFirst()))
    _ = rows.change(of: parts)
    #expect(gone == nil && rows.core.entries.count == 2)
    parts.end()
  }
}
