// SPDX-License-Identifier: MIT

/// The `Prefer` field (RFC 7240), as far as this server knows it; what it does not understand it ignores.
struct Preferences: Equatable {
  /// Seconds that the client is willing to wait, at most `longestWait`; `nil` if it does not want to.
  let wait: Int?

  /// Below the 60 s at which many proxies cut.
  static let longestWait = 55

  init(_ field: String?) {
    guard var field else {
      wait = nil
      return
    }
    wait = field.withUTF8 { Self.wait($0) }
  }

  private static func wait(_ field: UnsafeBufferPointer<UInt8>) -> Int? {
    var start = 0
    while start < field.count {
      var end = start
      while end < field.count, field[end] != UInt8(ascii: ",") { end += 1 }
      let preference = field[start..<end]
      start = end + 1
      // Parameters after a ";" belong to the preference and mean nothing for this one.
      let word = preference.prefix { $0 != UInt8(ascii: ";") }
      guard let sign = word.firstIndex(of: UInt8(ascii: "=")), isWait(trimmed(word[..<sign])) else { continue }
      let value = word[(sign + 1)...]
      if value.isEmpty { continue }
      return seconds(unquoted(trimmed(value)))
    }
    return nil
  }

  /// At most `longestWait`; `nil` for what is no number, or 0.
  private static func seconds(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var seconds = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      seconds = min(seconds * 10 + Int(digit - UInt8(ascii: "0")), longestWait)
    }
    return seconds > 0 ? seconds : nil
  }

  private static func isWait(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let wait: StaticString = "wait"
    return name.count == wait.utf8CodeUnitCount
      && wait.withUTF8Buffer { wait in zip(name, wait).allSatisfy { $0 | 0x20 == $1 } }
  }

  /// Without the white space that may stand around an element of a field (RFC 9110 §5.6.3).
  private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var bytes = bytes.drop(while: isSpace)
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return bytes
  }

  private static func unquoted(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
    let mark = UInt8(ascii: "\"")
    return bytes.count > 1 && bytes.first == mark && bytes.last == mark ? bytes.dropFirst().dropLast() : bytes
  }
}
