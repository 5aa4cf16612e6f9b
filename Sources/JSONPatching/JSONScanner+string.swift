// SPDX-License-Identifier: MIT

/// Strings: RFC 8259 §7.
extension JSONScanner {
  mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    let run = PlainRun(in: bytes, from: start)
    position = run.end
    if byte == UInt8(ascii: "\"") {
      if !run.isASCII { try validate(start..<position) }
      position += 1
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<run.end]), as: UTF8.self)
    }
    return try escapedString(from: start, firstRun: run)
  }

  /// The rest of a string which has an escape, or an error, after its first run of plain bytes.
  private mutating func escapedString(from start: Int, firstRun: PlainRun) throws(JSONError) -> String {
    var decoded: [UInt8] = []
    var (start, run) = (start, firstRun)
    while true {
      if !run.isASCII { try validate(start..<run.end) }
      decoded.append(contentsOf: bytes[start..<run.end])
      position = run.end
      switch byte {
      case UInt8(ascii: "\"") where position < bytes.count:
        position += 1
        return String(decoding: decoded, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &decoded)
      default: throw failure(position < bytes.count ? "an escape for this character" : "'\"'", at: position)
      }
      start = position
      run = PlainRun(in: bytes, from: start)
    }
  }

  private func validate(_ range: Range<Int>) throws(JSONError) {
    let span = bytes.span.extracting(range)
    do {
      _ = try UTF8Span(validating: span)
    } catch {
      throw failure("well-formed UTF-8", at: range.lowerBound + error.byteOffsets.lowerBound)
    }
  }

  private mutating func escape(into decoded: inout [UInt8]) throws(JSONError) {
    let start = position
    position += 1
    let kind = byte
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(kind)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"): decoded.append(contentsOf: try scalar(from: start).utf8)
    default: throw failure("one of \" \\ / b f n r t u", at: position - 1)
    }
  }

  /// The code point of `\uXXXX`, or of the two that make a surrogate pair; `start` is where its backslash stands.
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
