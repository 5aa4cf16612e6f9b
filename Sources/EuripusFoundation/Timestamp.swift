// SPDX-License-Identifier: MIT

/// The days of the Gregorian calendar and the text of a time in UTC (RFC 3339).
enum Timestamp {
  private static let dayMilliseconds = 86_400_000
  private static let epochDay = day(1970, 1, 1)

  /// - Parameter milliseconds: since 1970.
  /// - Returns: nil outside of the years 0 to 9999.
  static func text(of milliseconds: Int) -> String? {
    let time = ((milliseconds % dayMilliseconds) + dayMilliseconds) % dayMilliseconds
    let (year, month, day) = date(of: (milliseconds - time) / dayMilliseconds + epochDay)
    guard (0...9999).contains(year) else { return nil }
    let fraction = time % 1000 == 0 ? "" : "." + digits(time % 1000, 3)
    let seconds = time / 1000
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(seconds / 3600, 2)):"
      + "\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))\(fraction)Z"
  }

  /// The time in milliseconds since 1970.
  static func milliseconds(year: Int, month: Int, day: Int, timeOfDay: Int) -> Int {
    (self.day(year, month, day) - epochDay) * dayMilliseconds + timeOfDay
  }

  static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The number of a day, counted from a 1 March. A year begins with March here, so that a leap day is its last.
  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let (year, month) = month > 2 ? (year + 400, month - 3) : (year + 399, month + 9)
    return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1
  }

  private static func date(of day: Int) -> (year: Int, month: Int, day: Int) {
    // An era of 400 years has 146,097 days. The first begins 400 years before the year 0.
    let era = day / 146_097 - (day < 0 ? 1 : 0)
    let ofEra = day - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
    let march = (ofYear * 5 + 2) / 153
    let dayOfMonth = ofYear - (march * 153 + 2) / 5 + 1
    let year = yearOfEra + era * 400 - 400
    return march < 10 ? (year, march + 3, dayOfMonth) : (year + 1, march - 9, dayOfMonth)
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
