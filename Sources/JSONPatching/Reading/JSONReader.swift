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

/// The limits of the value in a text. The caller has to limit the length of the text.
public struct JSONLimits: Sendable {
  /// The deepest nesting of arrays and objects. Reading recurses to this depth, so it must fit the stack of a
  /// thread.
  public var depth: Int
  /// The most values, with arrays and objects among them. Names are not counted.
  public var nodes: Int

  public init(depth: Int = 32, nodes: Int = 4_096) {
    self.depth = depth
    self.nodes = nodes
  }
}
