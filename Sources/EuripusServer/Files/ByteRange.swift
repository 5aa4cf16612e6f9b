// SPDX-License-Identifier: MIT

/// The part of a file that a `Range` field asks for (RFC 9110 §14).
enum ByteRange: Equatable {
  /// The whole file. It stands for no range, for several, for one of another unit, and for one that cannot be
  /// read.
  case whole
  case part(Range<Int>)
  /// The range has none of the file's bytes.
  case unsatisfiable

  /// - Parameter count: the length of the file in bytes.
  init(_ field: String, of count: Int) {
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else {
      self = .whole
      return
    }
    let ranges = parts[1].split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    self = ranges.count == 1 ? Self.range(ranges[0], of: count) : .whole
  }

  private static func range(_ text: Substring, of count: Int) -> Self {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return .whole }
    let (first, last) = (number(ends[0]), number(ends[1]))
    switch (first, last) {
    case (let first?, let last?) where first <= last: return part(first, through: last, of: count)
    case (let first?, nil) where ends[1].isEmpty: return part(first, through: .max, of: count)
    case (nil, let suffix?) where ends[0].isEmpty:
      if suffix == 0 { return .unsatisfiable }
      // No `Content-Range` can name a part of an empty file.
      return count == 0 ? .whole : .part(max(0, count - suffix)..<count)
    default: return .whole
    }
  }

  private static func part(_ first: Int, through last: Int, of count: Int) -> Self {
    first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
  }

  /// A number of digits. One that is too large becomes the largest `Int`.
  private static func number(_ digits: Substring) -> Int? {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(digits) ?? .max
  }
}
