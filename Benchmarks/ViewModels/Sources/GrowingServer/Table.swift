// SPDX-License-Identifier: MIT
import Euripus

/// A list that is shown whole, however long; an action changes the text of one row.
final class Table: ViewModel {
  let rows = KeyedList<Row>()

  init(rows count: Int) { rows.update((0..<count).map(String.init)) { Row("text of row \($0)") } }

  static let surface = Surface<Table>("table", .list("rows", \.rows))
}

/// A row of the list.
final class Row: ViewModel {
  let text: Observable<String>
  let change = Observer<String>()

  init(_ text: String) {
    self.text = Observable(text)
    change.handle(self) { row, text in row.text.value = text }
  }

  static let surface = Surface<Row>("row", .value("text", \.text), .action("change", \.change))
}
