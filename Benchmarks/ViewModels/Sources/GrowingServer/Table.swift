// SPDX-License-Identifier: MIT
import Euripus

/// A list that is shown whole, however long. An action changes the text of one row, another one moves a row.
final class Table: ViewModel {
  let rows = KeyedList<Row>()

  init(rows count: Int) { rows.update((0..<count).map(String.init)) { Row("text of row \($0)") } }

  /// Exchanges the rows in the middle.
  func exchange() {
    let place = rows.count / 2
    rows.move(isExchanged ? "\(place)" : "\(place - 1)", to: place)
    isExchanged.toggle()
  }
  private var isExchanged = false

  static let surface = Surface<Table>("table", .list("rows", \.rows), .action("exchange", Table.exchange))
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
