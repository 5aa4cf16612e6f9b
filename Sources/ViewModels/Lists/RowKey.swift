// SPDX-License-Identifier: MIT

/// A row's key: the same as another if it has the same bytes, as readers of JSON compare names and pointers (RFC 6901 §4).
///
/// A `String` will not do: two that look the same are equal, however they are composed, and an order would not change that
/// does for its readers.
struct RowKey: Hashable {
  let text: String

  init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
  }

  static func == (left: RowKey, right: RowKey) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  func hash(into hasher: inout Hasher) {
    // Of a text that is contiguous there is always storage.
    text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
