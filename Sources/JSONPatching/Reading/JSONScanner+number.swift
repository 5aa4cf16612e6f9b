// SPDX-License-Identifier: MIT

/// Numbers (RFC 8259 §6).
extension JSONScanner {
  mutating func number() throws(JSONError) -> JSON {
    let start = position
    var decimal = Decimal()
    if byte == UInt8(ascii: "-") {
      decimal.isNegative = true
      position += 1
    }
    let first = position
    try digits { decimal.append($0, isFraction: false) }
    guard bytes[first] != UInt8(ascii: "0") || position == first + 1 else {
      throw failure("no digit after a leading zero", at: first + 1)
    }
    var isInteger = true
    if byte == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try digits { decimal.append($0, isFraction: true) }
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      try exponent(into: &decimal)
    }
    if isInteger, let integer = decimal.integer { return .integer(integer) }
    if let double = decimal.exactDouble { return .number(double) }
    return .number(try roundedDouble(start..<position))
  }

  private mutating func exponent(into decimal: inout Decimal) throws(JSONError) {
    position += 1
    let sign = byte
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
    var exponent = 0
    // The bound is too high for the digits of any text to balance it.
    try digits { exponent = min(exponent * 10 + Int($0), 1 << 50) }
    decimal.exponent += sign == UInt8(ascii: "-") ? -exponent : exponent
  }

  /// Reads one digit or more, and calls `body` with the value of each.
  private mutating func digits(_ body: (UInt8) -> Void) throws(JSONError) {
    let start = position
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      if digit > 9 { break }
      body(digit)
      position += 1
    }
    guard position > start else { throw failure("a digit", at: position) }
  }

  /// The correctly rounded value of the number in `range`, by the standard library.
  private func roundedDouble(_ range: Range<Int>) throws(JSONError) -> Double {
    let text = String(decoding: bytes[range], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw JSONError(offset: range.lowerBound, expected: "a number that is finite as a Double", found: "a larger one")
    }
    return value
  }
}

/// The sum of a number's digits, as long as that is exact.
private struct Decimal {
  var isNegative = false
  /// The power of ten by which `digits` is multiplied.
  var exponent = 0
  private var digits: UInt64 = 0
  /// Set when a digit did not fit, never cleared. `digits` means nothing then.
  private var isTooLong = false

  mutating func append(_ digit: UInt8, isFraction: Bool) {
    let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
    if overflow || carry { isTooLong = true }
    digits = sum
    if isFraction { exponent -= 1 }
  }

  /// The value as an integer. Nil beyond Int64, and for `-0`, which is a Double.
  var integer: Int64? {
    if isTooLong { return nil }
    if !isNegative { return Int64(exactly: digits) }
    if digits == 0 || digits > Int64.min.magnitude { return nil }
    return Int64(truncatingIfNeeded: 0 &- digits)
  }

  /// The nearest Double, if one multiplication or division of exact Doubles gives it (W. D. Clinger, 1990).
  var exactDouble: Double? {
    guard !isTooLong, digits <= 1 << 53, exponent.magnitude < Self.exactPowers.count else { return nil }
    let magnitude = Double(digits)
    let power = Self.exactPowers[Int(exponent.magnitude)]
    let value = exponent < 0 ? magnitude / power : magnitude * power
    return isNegative ? -value : value
  }

  /// Every power of ten that a Double holds exactly.
  private static let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}
