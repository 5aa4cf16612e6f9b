// SPDX-License-Identifier: MIT

/// Integers of all sizes. JSON numbers here are 64-bit integers or doubles, so an integer beyond `Int64` is a
/// text of its digits.
extension JSONRepresentable where Self: FixedWidthInteger & Encodable & Decodable {
  public static var jsonTypeName: String {
    "integer from \(Int64(clamping: Self.min)) to \(Int64(clamping: Self.max))"
  }

  public static var jsonSchema: JSONSchema {
    let schema = JSONSchema.integer(in: Int(clamping: Self.min)...Int(clamping: Self.max))
    if Int64(exactly: Self.max) != nil { return schema }
    let digits = JSONSchema(["type": "string", "pattern": "^[0-9]{19,20}$"])
    return .any(of: [schema, digits.described("Beyond 64 bits with a sign.")])
  }

  public init(json: JSON) throws(JSONMismatch) {
    if case .string(let digits) = json, let value = Self(digits, radix: 10), Int64(exactly: value) == nil {
      self = value
      return
    }
    let integer: Int
    do throws(JSONMismatch) { integer = try Int(json: json) } catch {
      throw JSONMismatch(expected: Self.jsonTypeName, found: error.found)
    }
    guard let value = Self(exactly: integer) else {
      throw JSONMismatch(expected: Self.jsonTypeName, found: "another integer")
    }
    self = value
  }

  public func write(to writer: inout JSONWriter) {
    if let integer = Int64(exactly: self) { writer.integer(integer) } else { writer.string("\(self)") }
  }
}

extension Int8: JSONRepresentable {}
extension Int16: JSONRepresentable {}
extension Int32: JSONRepresentable {}
extension Int64: JSONRepresentable {}
extension UInt: JSONRepresentable {}
extension UInt8: JSONRepresentable {}
extension UInt16: JSONRepresentable {}
extension UInt32: JSONRepresentable {}
extension UInt64: JSONRepresentable {}

extension Float: JSONRepresentable {
  public static var jsonTypeName: String { Double.jsonTypeName }
  public static var jsonSchema: JSONSchema { .number }

  /// Rounds a number to the nearest Float. A number beyond all Floats is refused.
  public init(json: JSON) throws(JSONMismatch) {
    let value = Float(try Double(json: json))
    guard value.isFinite else { throw JSONMismatch(expected: "number of 32 bits", found: "a larger one") }
    self = value
  }

  /// The shortest text that reads back as an equal Float.
  public func write(to writer: inout JSONWriter) { writer.number(Double("\(self)") ?? .nan) }
}
