// SPDX-License-Identifier: MIT

/// A session's id in three words: who looks a session up by it need not follow a text to where it lies, which is in no cache
/// where there are many sessions.
struct SessionID: Hashable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64

  /// - Returns: `nil` for a text of more than 23 bytes, which no id has.
  init?(_ id: String) {
    var id = id
    let words = id.withUTF8 { bytes -> (UInt64, UInt64, UInt64)? in
      guard bytes.count < 24 else { return nil }
      // The last byte says how many there are.
      var words: (UInt64, UInt64, UInt64) = (0, 0, UInt64(bytes.count).bigEndian)
      withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: UnsafeRawBufferPointer(bytes)) }
      return words
    }
    guard let words else { return nil }
    (first, second, third) = words
  }

  /// The first word is as random as the id.
  func hash(into hasher: inout Hasher) { hasher.combine(first) }
}
