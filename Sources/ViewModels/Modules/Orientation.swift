// SPDX-License-Identifier: MIT
public import JSONPatching

/// The orientation of a view's device, under its number on the wire (S2-7).
public enum Orientation: Int, Sendable, JSONRepresentable {
  /// Higher than wide.
  case portrait = 1
  /// Turned by a quarter to one side.
  case landscape = 3
  /// Turned by a quarter to the other side.
  case landscapeReversed = 4

  /// Whether it is wider than high.
  public var isLandscape: Bool { self != .portrait }

  public static let jsonTypeName = "1 (portrait), 3 or 4 (landscape)"
  public static let jsonSchema = JSONSchema.integer(oneOf: [1, 3, 4]).titled("Orientation").described(jsonTypeName)

  public init(json: JSON) throws(JSONMismatch) {
    guard let number = try? Int(json: json) else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    guard let orientation = Self(rawValue: number) else {
      throw JSONMismatch(expected: Self.jsonTypeName, found: "\(number)")
    }
    self = orientation
  }

  public func write(to writer: inout JSONWriter) { writer.integer(rawValue) }
}
