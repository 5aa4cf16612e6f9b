// SPDX-License-Identifier: MIT

/// Reads one JSON text, strictly (PROTOCOL §7).
///
/// A text is valid if and only if it is RFC 8259 JSON in well-formed UTF-8 without byte order mark, no object has two
/// members of one name, every number is finite as a Double, no escape is a lone surrogate, and it keeps within the limits.
public struct JSONReader {
  /// How large a text's value may be; the length of the text is for the caller to bound.
  public struct Limits: Sendable {
    /// The deepest nesting of arrays and objects. Reading recurses as deep: keep it within what a thread's stack holds.
    public var depth: Int
    /// The number of values, arrays and objects themselves included; names are not counted.
    public var nodes: Int

    public init(depth: Int = 32, nodes: Int = 4_096) {
      self.depth = depth
      self.nodes = nodes
    }
  }

  /// The value of the whole of `bytes`. O(bytes).
  public static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> JSON {
    try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in try read(bytes, limits: limits) }
  }

  /// The same of bytes wherever they are.
  public static func read(_ bytes: UnsafeBufferPointer<UInt8>, limits: Limits = Limits()) throws(JSONError) -> JSON {
    var scanner = JSONScanner(bytes: bytes, limits: limits)
    return try scanner.text()
  }
}
