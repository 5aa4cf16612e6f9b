// SPDX-License-Identifier: MIT

/// Reads a time, or a day, as RFC 3339 §5.6 has it, and no other text.
struct TimestampReader {
  private var rest: ArraySlice<UInt8>

  /// The time in milliseconds since 1970, with finer parts cut off; nil for another text. A leap second is read as the
  /// beginning of the next second.
  static func milliseconds(of text: String) -> Int? {
    var reader = TimestampReader(rest: Array(text.utf8)[...])
    // An offset may lead out of the years 0 to 9999, which alone have a text.
    guard let time = reader.time(), reader.rest.isEmpty, Timestamp.text(of: time) != nil else { return nil }
    return time
  }

  private mutating func time() -> Int? {
    guard let year = number(4), take("-"), let month = number(2, in: 1...12), take("-"),
      let day = number(2, in: 1...Timestamp.dayCount(year: year, month: month))
    else { return nil }
    // A day, as a page's input gives it, begins in UTC.
    if rest.isEmpty { return Timestamp.milliseconds(year: year, month: month, day: day, timeOfDay: 0) }
    guard take("Tt"),
      let hour = number(2, in: 0...23), take(":"), let minute = number(2, in: 0...59), take(":"),
      let second = number(2, in: 0...60), let fraction = milliseconds(), let offset = offsetMinutes()
    else { return nil }
    let minutes = hour * 60 + minute
    // A leap second ends a day of UTC.
    if second == 60, (minutes - offset + 1) % 1440 != 0 { return nil }
    let timeOfDay = (minutes - offset) * 60_000 + second * 1000 + (second == 60 ? 0 : fraction)
    return Timestamp.milliseconds(year: year, month: month, day: day, timeOfDay: timeOfDay)
  }

  /// The fraction of a second, if there is one.
  private mutating func milliseconds() -> Int? {
    guard take(".") else { return 0 }
    let digits = rest.prefix { isDigit($0) }
    rest = rest.dropFirst(digits.count)
    if digits.isEmpty { return nil }
    return zip(digits, [100, 10, 1]).reduce(0) { $0 + Int($1.0 - UInt8(ascii: "0")) * $1.1 }
  }

  private mutating func offsetMinutes() -> Int? {
    if take("Zz") { return 0 }
    let isNegative = rest.first == UInt8(ascii: "-")
    guard take("+-"), let hours = number(2, in: 0...23), take(":"), let minutes = number(2, in: 0...59) else {
      return nil
    }
    return (hours * 60 + minutes) * (isNegative ? -1 : 1)
  }

  private mutating func number(_ count: Int, in range: ClosedRange<Int> = 0...9999) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
    rest = rest.dropFirst(count)
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(number) ? number : nil
  }

  /// Whether the next character is one of these.
  private mutating func take(_ characters: String) -> Bool {
    guard let next = rest.first, characters.utf8.contains(next) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
