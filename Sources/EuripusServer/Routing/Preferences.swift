// SPDX-License-Identifier: MIT

/// The `Prefer` field (RFC 7240), as far as this server knows it; preferences that it does not understand are ignored.
struct Preferences: Equatable {
  /// Seconds that the client is willing to wait, at most `longestWait`; `nil` if it does not want to.
  let wait: Int?

  /// Below the 60 s at which many proxies cut.
  static let longestWait = 55

  init(_ field: String?) { wait = field.flatMap(Self.wait) }

  private static func wait(_ field: String) -> Int? {
    for preference in field.split(separator: ",") {
      // Parameters after a ";" belong to the preference and mean nothing for this one.
      let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].trimmed.lowercased() == "wait" else { continue }
      return seconds(unquoted(parts[1].trimmed))
    }
    return nil
  }

  /// The seconds of a text, at most `longestWait`; `nil` for a text that is no number, or 0.
  private static func seconds(_ digits: Substring) -> Int? {
    var seconds = 0
    for digit in digits.utf8 {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      seconds = min(seconds * 10 + Int(digit - UInt8(ascii: "0")), longestWait)
    }
    return seconds > 0 ? seconds : nil
  }

  private static func unquoted(_ text: Substring) -> Substring {
    text.count > 1 && text.first == "\"" && text.last == "\"" ? text.dropFirst().dropLast() : text
  }
}
