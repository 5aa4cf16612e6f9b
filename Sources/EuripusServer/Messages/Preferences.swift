// SPDX-License-Identifier: MIT
import HTTPListening

/// The `Prefer` field, as far as this server knows it. Unknown preferences are ignored (RFC 7240).
struct Preferences: Equatable {
  /// The seconds that the client is willing to wait, at most `longestWait`; `nil` if it does not want to wait.
  var wait: Int?
  /// Whether the client does without what a change has changed (`return=minimal`).
  let isMinimal: Bool
  /// Whether the client wants an error if a command has not succeeded (`handling=strict`).
  var isStrict: Bool

  /// The longest wait in seconds. Many proxies cut a request off at 60 s.
  static let longestWait = 55

  init(_ field: String?) {
    wait = field.flatMap { Self.value(of: "wait", in: $0) }.flatMap(Self.seconds)
    isMinimal = field.flatMap { Self.value(of: "return", in: $0) } == "minimal"
    isStrict = field.flatMap { Self.value(of: "handling", in: $0) } == "strict"
  }

  init(wait: Int?) { (self.wait, isMinimal, isStrict) = (wait, false, false) }

  /// The field that names what was granted; none if that is nothing.
  var applied: [HTTPField] {
    let granted = [
      wait.map { "wait=\($0)" }, isMinimal ? "return=minimal" : nil, isStrict ? "handling=strict" : nil,
    ].compactMap(\.self)
    return granted.isEmpty ? [] : [HTTPField("Preference-Applied", granted.joined(separator: ", "))]
  }

  /// The value of the first preference with a name.
  private static func value(of name: String, in field: String) -> Substring? {
    for preference in field.split(separator: ",") {
      // Parameters after a ";" belong to the preference, and those that are known here have none.
      let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0].trimmed.lowercased() == name { return unquoted(parts[1].trimmed) }
    }
    return nil
  }

  /// The seconds in a text, at most `longestWait`; `nil` for 0, and for a text that is not a number.
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
