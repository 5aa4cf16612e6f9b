// SPDX-License-Identifier: MIT

/// Media types of requests and of static files (RFC 9110 §8.3.1).
enum MediaType {
  /// Whether a `Content-Type` is `application/json`, with or without parameters.
  static func isJSON(_ field: String) -> Bool {
    name(field) == json
  }

  /// Whether any site's form can send this `Content-Type` (Fetch, "CORS-safelisted request-header").
  static func isOfForms(_ field: String) -> Bool {
    ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"].contains(name(field))
  }

  /// Whether a `Content-Type` is that of names and values, which forms have, and curl's `-d`.
  static func isForm(_ field: String) -> Bool { name(field) == "application/x-www-form-urlencoded" }

  /// Whether a browser shows this type as a page that may contain scripts.
  static func isOfPages(_ field: String) -> Bool {
    let name = name(field)
    return name == "text/html" || name.hasSuffix("/xml") || name.hasSuffix("+xml")
  }

  /// Whether it is that of a form with files.
  static func isMultipart(_ field: String) -> Bool { name(field) == "multipart/form-data" }

  /// The media type without parameters, in lower case.
  static func name(of field: String) -> String { name(field) }

  private static let json = "application/json"

  private static func name(_ field: String) -> String {
    // Most clients write it like this.
    if field == json { return json }
    return Substring(field.utf8.prefix { $0 != UInt8(ascii: ";") }).trimmed.lowercased()
  }
}
