// SPDX-License-Identifier: MIT
import JSONPatching

/// The preferences that a page tells of its client: `{"languages":["de-AT","en"],"timeZone":"Europe/Vienna"}`.
struct ClientPreferences: Sendable {
  private(set) var languages: [String]?
  private(set) var timeZone: String?

  /// - Parameter pointer: the place of `json` in the body.
  init(_ json: JSON, at pointer: String = "") throws(Problem) {
    guard case .object(let members) = json else {
      throw Problem(.invalidAction, "expected an object with 'languages' and 'timeZone'", pointer: pointer)
    }
    for member in members {
      let place = "\(pointer)\(JSONPointer([member.name]))"
      switch (member.name, member.value) {
      case ("languages", .array(let values)):
        let tags = values.compactMap { value in if case .string(let tag) = value { tag } else { nil } }
        guard tags.count == values.count, tags.count <= AcceptedLanguages.most, tags.allSatisfy(AcceptedLanguages.isTag)
        else {
          throw Problem(
            .invalidAction, "expected at most \(AcceptedLanguages.most) language tags, such as \"de-AT\"",
            pointer: place)
        }
        languages = tags
      case ("timeZone", .string(let name)) where Self.isTimeZone(name): timeZone = name
      case ("languages", _): throw Problem(.invalidAction, "expected an array of language tags", pointer: place)
      case ("timeZone", _):
        throw Problem(.invalidAction, "expected the name of a time zone, such as \"Europe/Vienna\"", pointer: place)
      default:
        throw Problem(.invalidAction, "expected 'languages' or 'timeZone', got '\(member.name)'", pointer: place)
      }
    }
  }

  /// Whether a text has the form of a name of the IANA time zone database.
  private static func isTimeZone(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "/_+-".utf8.contains(byte)
        }
      }
  }
}
