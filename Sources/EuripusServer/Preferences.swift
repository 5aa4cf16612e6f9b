// SPDX-License-Identifier: MIT

/// The `Prefer` field (RFC 7240), as far as this server knows it; what it does not understand it ignores.
struct Preferences: Equatable {
  /// Seconds that the client is willing to wait, at most `longestWait`; `nil` if it does not want to.
  let wait: Int?

  /// Below the 60 s at which many proxies cut.
  static let longestWait = 55

  init(_ field: String?) {
    wait = field.flatMap(Self.wait)
  }

  private static func wait(_ field: String) -> Int? {
    for preference in field.split(separator: ",") {
      // Parameters after a ";" belong to the preference and mean nothing for this one.
      let words = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
      guard words.count == 2, words[0].trimmed.lowercased() == "wait" else { continue }
      var value = words[1].trimmed
      if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") { value = value.dropFirst().dropLast() }
      guard !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        return nil
      }
      let seconds = Int(value).map { min($0, longestWait) } ?? longestWait
      return seconds > 0 ? seconds : nil
    }
    return nil
  }
}
