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
    var (wait, result, handling): (Substring?, Substring?, Substring?) = (nil, nil, nil)
    for preference in field?.utf8.split(separator: UInt8(ascii: ",")) ?? [] {
      // Parameters after a ";" belong to the preference, and those that are known here have none.
      let parts = preference.prefix { $0 != UInt8(ascii: ";") }.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = Self.unquoted(Substring(parts[1]).trimmed)
      // The first preference with a name counts.
      switch Substring(parts[0]).trimmed.lowercased() {
      case "wait": wait = wait ?? value
      case "return": result = result ?? value
      case "handling": handling = handling ?? value
      default: break
      }
    }
    self.wait = wait.flatMap(Self.seconds)
    (isMinimal, isStrict) = (result == "minimal", handling == "strict")
  }

  init(wait: Int?) { (self.wait, isMinimal, isStrict) = (wait, false, false) }

  /// The field that names what was granted; none if that is nothing.
  var applied: [HTTPField] {
    if wait == nil, !isMinimal, !isStrict { return [] }
    let granted = [
      wait.map { "wait=\($0)" }, isMinimal ? "return=minimal" : nil, isStrict ? "handling=strict" : nil,
    ].compactMap(\.self)
    return [HTTPField("Preference-Applied", granted.joined(separator: ", "))]
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
    let (bytes, quote) = (text.utf8, UInt8(ascii: "\""))
    guard bytes.count > 1, bytes.first == quote, bytes.last == quote else { return text }
    return Substring(bytes.dropFirst().dropLast())
  }
}
