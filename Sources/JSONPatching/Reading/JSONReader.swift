// SPDX-License-Identifier: MIT

/// Reads one JSON text, strictly (PROTOCOL §7).
///
/// A text is valid if and only if it is RFC 8259 JSON in well-formed UTF-8 without byte order mark, and keeps within the
/// limits, and if all of these hold: no object has two members of one name, every number is finite as a Double, and no
/// escape is a lone surrogate.
public struct JSONReader {
  /// The value of the whole of `bytes`. O(bytes).
  public static func read(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSON {
    var scanner = JSONScanner(bytes: bytes, limits: limits)
    return try scanner.text()
  }

  /// The value of the whole of `text`.
  public static func read(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSON {
    try read(Array(text.utf8), limits: limits)
  }
}
