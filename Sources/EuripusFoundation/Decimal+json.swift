// SPDX-License-Identifier: MIT
public import JSONPatching

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A decimal is a text of digits, `"12.5"`. A JSON number would be rounded to a double by most readers.
///
/// Leading zeros are refused, and so is a number whose digits do not all fit. A value that is not a number is written
/// as `null`.
extension Decimal: JSONRepresentable {
  public static var jsonTypeName: String { "decimal in a string, such as \"12.5\"" }

  public static var jsonSchema: JSONSchema {
    JSONSchema(["type": "string", "format": "decimal", "pattern": "^-?(0|[1-9][0-9]*)([.][0-9]+)?$"])
      .examples("12.5", "-3")
  }

  public init(json: JSON) throws(JSONMismatch) {
    guard case .string(let text) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    guard let plain = Self.plain(text) else { throw JSONMismatch(expected: Self.jsonTypeName, found: "another string") }
    guard let value = Decimal(string: plain), value.description == plain else {
      throw JSONMismatch(expected: "decimal of fewer digits", found: "a longer one")
    }
    self = value
  }

  public func write(to writer: inout JSONWriter) {
    if isNaN { writer.null() } else { writer.string(description) }
  }

  /// The same number without zeros at its end and a sign of zero; nil for a text that is no number.
  private static func plain(_ text: String) -> String? {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }
    guard areDigits, parts.count <= 2, parts[0] == "0" || parts[0].utf8.first != UInt8(ascii: "0") else { return nil }
    var fraction = parts.count == 2 ? parts[1] : ""
    while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
    let magnitude = fraction.isEmpty ? String(parts[0]) : "\(parts[0]).\(fraction)"
    return isNegative && magnitude != "0" ? "-\(magnitude)" : magnitude
  }
}

extension Decimal: PartlyWritable {}
