// SPDX-License-Identifier: MIT

/// An enum of texts is shown as its raw values, and takes no others:
/// `enum Order: String, CaseIterable, JSONRepresentable { case name, date }`.
extension JSONRepresentable where Self: RawRepresentable & CaseIterable, RawValue == String {
  public static var jsonTypeName: String {
    "one of " + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }

  public static var jsonSchema: JSONSchema { .string(oneOf: allCases.map(\.rawValue)).titled("\(Self.self)") }

  public init(json: JSON) throws(JSONMismatch) {
    guard case .string(let text) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    guard let value = Self(rawValue: text) else {
      throw JSONMismatch(expected: Self.jsonTypeName, found: "another string")
    }
    self = value
  }

  public func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}
