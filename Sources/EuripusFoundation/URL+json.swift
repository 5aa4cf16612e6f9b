// SPDX-License-Identifier: MIT
public import JSONPatching

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A URL is its text (RFC 3986). A relative one is read as well, as a `URL` may be one: look at its `scheme` where a
/// client sends it.
///
/// Nothing is escaped for the client: a text with a space in it is refused.
extension URL: JSONRepresentable {
  public static var jsonTypeName: String { "URL such as \(example)" }

  public static var jsonSchema: JSONSchema {
    JSONSchema(["type": "string", "format": "uri-reference", "minLength": 1]).examples(
      .string(example), "pictures/1.png")
  }

  private static var example: String { "https://example.org/pictures/1.png" }

  public init(json: JSON) throws(JSONMismatch) {
    guard case .string(let text) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    guard let value = URL(string: text, encodingInvalidCharacters: false), value.relativeString == text else {
      throw JSONMismatch(expected: Self.jsonTypeName, found: "another string")
    }
    self = value
  }

  public func write(to writer: inout JSONWriter) { writer.string(absoluteString) }
}
