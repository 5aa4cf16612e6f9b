// SPDX-License-Identifier: MIT
import Glibc

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

  static func == (left: RowKey, right: RowKey) -> Bool {
    left.withBytes { left in
      right.withBytes { right in
        guard left.count == right.count else { return false }
        guard let left = left.baseAddress, let other = right.baseAddress else { return true }
        return memcmp(left, other, right.count) == 0
      }
    }
  }

  func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }

  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let result = text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
    guard let result else { fatalError("a text that was made contiguous is not") }
    return result
  }
}
