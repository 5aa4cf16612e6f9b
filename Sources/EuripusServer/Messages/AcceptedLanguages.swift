// SPDX-License-Identifier: MIT

/// The languages of an `Accept-Language` field (RFC 9110 §12.5.4).
enum AcceptedLanguages {
  /// The most languages that are taken, more than a person has.
  static let most = 10
  static let longest = 35

  /// The tags, with the most wanted first. Tags of equal weight keep their order. Texts that are not tags, `*`,
  /// and tags with a weight of 0 are left out.
  static func list(_ field: String?) -> [String] {
    let members = (field ?? "").split(separator: ",").compactMap { member -> (tag: String, weight: Int)? in
      guard let weighted = WeightedMember(member), weighted.weight > 0 else { return nil }
      let tag = String(member.prefix { $0 != ";" }.trimmed)
      return isTag(tag) ? (tag, weighted.weight) : nil
    }
    let sorted = members.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
    return sorted.prefix(most).map(\.element.tag)
  }

  /// Whether a text has the form of a language tag: parts of up to eight letters and digits, of which the first
  /// part begins with a letter (RFC 5646 §2.1).
  static func isTag(_ text: String) -> Bool {
    guard text.utf8.count <= longest, text.utf8.first.map(isLetter) == true else { return false }
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
