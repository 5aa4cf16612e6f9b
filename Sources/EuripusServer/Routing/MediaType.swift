// SPDX-License-Identifier: MIT

/// Media types (RFC 9110 §8.3.1), as far as requests need them.
enum MediaType {
  /// Whether a `Content-Type` is `application/json`, with or without parameters.
  static func isJSON(_ field: String) -> Bool {
    // Most clients write it so.
    if field == "application/json" { return true }
    let type = field.prefix { $0 != ";" }
    return type.trimmed.lowercased() == "application/json"
  }
}
