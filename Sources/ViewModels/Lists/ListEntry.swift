// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// One row's place in a list: its key, and its view model, which may not have been made yet. The same row under another
/// key, and another row under the same key, is another entry.
class ListEntry {
  let key: ExactText
  /// `/key`, as it stands in a pointer in JSON (RFC 6901 §3 and §5). Few of many rows change.
  private(set) lazy var segment: [UInt8] = JSONPointer([key.text]).json
  /// The bytes of the key as it stands in JSON, with its quotes. Few of many rows are shown.
  private(set) lazy var length: Int = {
    var writer = JSONWriter(capacity: key.text.utf8.count + 2)
    writer.string(key.text)
    return writer.count
  }()
  /// Whether it came after the list's view model was made, so that another one does not have it from the first.
  let isLate: Bool
  /// Where it is in its list, as of the generation that the list's index is of.
  var position = 0

  init(_ key: ExactText, isLate: Bool) {
    self.isLate = isLate
    self.key = key
  }

  /// The row.
  var model: any ViewModel { fatalError("\(Self.self) does not know its row") }
  /// The row, if it was made.
  var madeModel: (any ViewModel)? { fatalError("\(Self.self) does not know its row") }
}

/// An entry that knows the type of its row.
final class RowEntry<Row>: ListEntry {
  private let erase: (Row) -> any ViewModel
  private var made: Row?
  /// Let go of when the row is made: it may keep alive the list itself.
  private var make: ((String) -> Row)?

  init(
    _ key: ExactText, isLate: Bool, erase: @escaping (Row) -> any ViewModel, make: @escaping (String) -> Row
  ) {
    self.erase = erase
    self.make = make
    super.init(key, isLate: isLate)
  }

  /// Makes the row, if it was not made before.
  var row: Row {
    if let made { return made }
    guard let make else { fatalError("a row that was not made has lost its maker") }
    // A value that is read in making it is no input of a formula that asks for it.
    let row = untracked { make(key.text) }
    made = row
    self.make = nil
    return row
  }

  override var model: any ViewModel { erase(row) }
  override var madeModel: (any ViewModel)? { made.map(erase) }
}
