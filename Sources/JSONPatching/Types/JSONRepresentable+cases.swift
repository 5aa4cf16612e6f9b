// SPDX-License-Identifier: MIT

/// An enum of texts is written as its raw values, and takes no other texts: `enum Order: String, CaseIterable,
/// JSONRepresentable { case name, date }`.
extension JSONRepresentable where Self: RawRepresentable & CaseIterable, RawValue == String {
  public static var jsonTypeName: String { EnumOfTexts<Self>.typeName }
  public static var jsonSchema: JSONSchema { EnumOfTexts<Self>.schema }
  public init(json: JSON) throws(JSONMismatch) { self = try EnumOfTexts<Self>.value(of: json) }
  public func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

/// The JSON of an enum whose raw values are texts.
enum EnumOfTexts<Value: RawRepresentable & CaseIterable> where Value.RawValue == String {
  static var typeName: String { "one of " + Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ") }

  static var schema: JSONSchema { .string(oneOf: Value.allCases.map(\.rawValue)).titled("\(Value.self)") }

  static func value(of json: JSON) throws(JSONMismatch) -> Value {
    guard case .string(let text) = json else { throw JSONMismatch(expected: typeName, found: json) }
    guard let value = Value(rawValue: text) else { throw JSONMismatch(expected: typeName, found: "another string") }
    return value
  }
}
