// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A row's place in a list: its key, and its view model, which may not have been made yet. The same row under
/// another key is another entry, and so is another row under the same key.
class ListEntry {
  let key: ExactText
  // Half a word, as a list may have many rows.
  private var place: Int32 = 0
  /// Whether it came after the list's view model was made, so that a newly made view model does not have it.
  let isLate: Bool
  /// Whether its row may have commands that end when the row leaves.
  let endsCommands: Bool

  init(_ key: ExactText, isLate: Bool, endsCommands: Bool = false) {
    self.isLate = isLate
    self.endsCommands = endsCommands
    self.key = key
  }

  /// The position in its list, in the generation of the list's index.
  final var position: Int {
    get { Int(place) }
    set { place = Int32(newValue) }
  }

  /// `/key`, as it stands in a pointer in JSON (RFC 6901 §3 and §5).
  final var segment: [UInt8] {
    // Most keys have no byte that a pointer or JSON escapes.
    let isPlain = key.text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain ? [UInt8(ascii: "/")] + key.text.utf8 : JSONPointer([key.text]).json
  }

  /// The bytes of the key in JSON, with its quotes.
  final var length: Int {
    var writer = JSONWriter(capacity: key.text.utf8.count + 2)
    writer.string(key.text)
    return writer.count
  }
}

/// An entry that knows the type of its row.
final class RowEntry<Row>: ListEntry {
  private(set) var made: Row?
  /// The maker of the row. It is released when the row is made for good, as it may keep the list itself alive.
  private var making: RowMaking<Row>?

  init(_ key: ExactText, isLate: Bool, endsCommands: Bool, _ row: Row) {
    made = row
    super.init(key, isLate: isLate, endsCommands: endsCommands)
    if endsCommands { RowCommands.rowDidJoin(row) }
  }

  init(_ key: ExactText, isLate: Bool, endsCommands: Bool, _ making: RowMaking<Row>) {
    self.making = making
    super.init(key, isLate: isLate, endsCommands: endsCommands)
  }

  /// The row. It is made if it was not.
  var row: Row {
    if let made { return made }
    guard let making else { stopProgram(bug: "a row that was not made has lost its maker") }
    // The values that the maker reads are no inputs of a formula that asks for the row.
    let row = untracked { making.make(key.text) }
    made = row
    self.making = nil
    // With the transaction all is undone that the making wrote, such as the row's own values.
    onUndo { [weak self] in self?.forgetRow(making) }
    making.list?.rowWasMade(self)
    if endsCommands { RowCommands.rowDidJoin(row) }
    return row
  }

  /// Lets go of the row, which is made anew when it is needed again.
  private func forgetRow(_ making: RowMaking<Row>) {
    let gone = made
    (made, self.making) = (nil, making)
    if endsCommands, let gone { RowCommands.rowDidLeave(gone) }
  }

  deinit {
    if endsCommands, let made { RowCommands.rowDidLeave(made) }
  }
}

/// The maker of rows that are not made yet: one object for all of them.
final class RowMaking<Row> {
  let make: (String) -> Row
  // Weak, as the list keeps its entries, and each of them keeps this.
  private(set) weak var list: KeyedListCore?

  init(for list: KeyedListCore, _ make: @escaping (String) -> Row) { (self.list, self.make) = (list, make) }
}
