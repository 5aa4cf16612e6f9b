// SPDX-License-Identifier: MIT

/// A member of a field that lists the forms that a client takes, such as `text/html;q=0.5` (RFC 9110 §12.4.2).
struct WeightedMember {
  /// The name in lower case, without parameters.
  let name: String
  /// The weight, in thousandths.
  let weight: Int

  /// - Returns: `nil` for a weight that cannot be read.
  init?(_ member: Substring) {
    let parts = member.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
    var weight = 1_000
    for parameter in parts.dropFirst() where parameter.lowercased().hasPrefix("q=") {
      guard let value = Self.thousandths(parameter.dropFirst(2)) else { return nil }
      weight = value
    }
    (name, self.weight) = (parts[0].lowercased(), weight)
  }

  /// Reads a weight from 0 to 1 with at most three digits after the point.
  private static func thousandths(_ text: Substring) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, whole == "0" || whole == "1" else { return nil }
    let digits = parts.count == 2 ? parts[1] : ""
    guard digits.utf8.count <= 3, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else {
      return nil
    }
    let value = (Int(whole) ?? 0) * 1_000 + (Int(digits + String(repeating: "0", count: 3 - digits.utf8.count)) ?? 0)
    return value <= 1_000 ? value : nil
  }
}
