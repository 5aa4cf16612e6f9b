// SPDX-License-Identifier: MIT

/// Reads one JSON text, strictly (PROTOCOL §7).
///
/// A text is valid if and only if it is JSON (RFC 8259) in well-formed UTF-8 without a byte order mark, and is
/// within the limits. In addition, no object may have two members with one name, every number must be finite as
/// a Double, and no escape may be a lone surrogate.
public struct JSONReader {
  /// The value of all of `bytes`. O(bytes).
  public static func read(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSON {
    var scanner = JSONScanner(bytes: bytes, limits: limits)
    return try scanner.text()
  }

  /// The value of all of `text`. O(text).
  public static func read(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSON {
    try read(Array(text.utf8), limits: limits)
  }
}
