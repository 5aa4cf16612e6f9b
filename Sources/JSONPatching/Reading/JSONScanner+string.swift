// SPDX-License-Identifier: MIT

/// Strings (RFC 8259 §7).
extension JSONScanner {
  mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    skipPlain()
    if byte == UInt8(ascii: "\"") {
      defer { position += 1 }
      return try text(start..<position)
    }
    return try escapedString(from: start)
  }

  /// The rest of a string that has an escape or an error after its first run of plain bytes.
  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var decoded = try text(start..<position)
    while byte == UInt8(ascii: "\\") {
      decoded.unicodeScalars.append(try escape())
      let start = position
      skipPlain()
      decoded += try text(start..<position)
    }
    guard byte == UInt8(ascii: "\"") else {
      throw failure(position < bytes.count ? "an escape for this character" : "'\"'", at: position)
    }
    position += 1
    return decoded
  }

  /// Goes on to the next `"`, `\` or control character. The bytes before it stand for themselves.
  private mutating func skipPlain() {
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
      position += 1
    }
  }

  private func text(_ range: Range<Int>) throws(JSONError) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes.span.extracting(range)))
    } catch {
      throw failure("well-formed UTF-8", at: range.lowerBound + error.byteOffsets.lowerBound)
    }
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = position
    position += 1
    let kind = byte
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar(from: start)
    default: throw failure("one of \" \\ / b f n r t u", at: position - 1)
    }
  }

  /// The code point of one `\uXXXX`, or of the two of a surrogate pair. `start` is the place of its backslash.
  private mutating func scalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try hexadecimalUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let lone = JSONError(offset: start, expected: "a surrogate pair", found: "a lone surrogate")
    guard UTF16.isLeadSurrogate(unit), byte == UInt8(ascii: "\\") else { throw lone }
    position += 1
    guard byte == UInt8(ascii: "u") else { throw lone }
    position += 1
    let second = try hexadecimalUnit()
    guard UTF16.isTrailSurrogate(second) else { throw lone }
    return UTF16.decode(UTF16.EncodedScalar([unit, second]))
  }

  private mutating func hexadecimalUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw failure("a hexadecimal digit", at: position)
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
