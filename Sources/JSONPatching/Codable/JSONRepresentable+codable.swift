// SPDX-License-Identifier: MIT

/// A type that is `Codable` only has to name the protocol:
///
/// ```swift
/// struct Card: Codable, Equatable, JSONRepresentable {
///   var title: String
///   var votes = 0
///   var due: Date?
/// }
/// ```
///
/// A member whose type is ``JSONRepresentable`` has the same JSON as alone. An optional member may be absent or
/// `null`, and is written as absent if it is nil. Unknown members are ignored. A class works too, and so does a
/// type with its own `init(from:)`. That may throw its own ``JSONMismatch``. If it takes less than its members
/// do, the type has to give its own ``jsonSchema``.
extension JSONRepresentable where Self: Encodable & Decodable {
  public static var jsonTypeName: String { CodableCases.words(for: Self.self) }

  /// The members and their types, as far as decoding shows them. Otherwise it allows any value, and has the
  /// type's name as its description.
  public static var jsonSchema: JSONSchema { CodableSchema.schema(of: Self.self) }

  public init(json: JSON) throws(JSONMismatch) { self = try JSONDecoding.plain(Self.self, from: json, at: []) }

  /// Writes the value by its `encode(to:)`. If that throws, the program ends.
  public func write(to writer: inout JSONWriter) { EncodedValue(plain: self).write(to: &writer) }
}

/// An enum of texts has the same JSON with `Codable` as without.
extension JSONRepresentable where Self: RawRepresentable & CaseIterable & Encodable & Decodable, RawValue == String {
  public static var jsonTypeName: String { EnumOfTexts<Self>.typeName }
  public static var jsonSchema: JSONSchema { EnumOfTexts<Self>.schema }
  public init(json: JSON) throws(JSONMismatch) { self = try EnumOfTexts<Self>.value(of: json) }
  public func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}
