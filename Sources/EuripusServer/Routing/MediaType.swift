// SPDX-License-Identifier: MIT

/// Media types (RFC 9110 §8.3.1): those that requests have, and those of static files.
enum MediaType {
  /// Whether a `Content-Type` is `application/json`, with or without parameters.
  static func isJSON(_ field: String) -> Bool {
    // Most clients write it so.
    if field == "application/json" { return true }
    return name(field) == "application/json"
  }

  /// Whether a `Content-Type` is one that a form of a page of any site can have (Fetch, "CORS-safelisted request-header").
  static func isOfForms(_ field: String) -> Bool {
    ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"].contains(name(field))
  }

  /// Whether a browser shows it as a page, in which there may be scripts.
  static func isOfPages(_ field: String) -> Bool {
    let name = name(field)
    return name == "text/html" || name.hasSuffix("/xml") || name.hasSuffix("+xml")
  }

  private static func name(_ field: String) -> String { field.prefix { $0 != ";" }.trimmed.lowercased() }
}
