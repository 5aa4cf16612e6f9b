// SPDX-License-Identifier: MIT

/// A type that is `Codable` needs no more than the word:
///
/// ```swift
/// struct Card: Codable, Equatable, JSONRepresentable {
///   var title: String
///   var votes = 0
///   var due: Date?
/// }
/// ```
///
/// A member whose type is ``JSONRepresentable`` itself has the JSON that it has alone. One that is optional may be absent or
/// `null`, and is absent where it is nil. Members that are not known are left out of account. A class, or a type with an
/// `init(from:)` of its own, does as well; the latter may throw a ``JSONMismatch`` of its own, and says its ``jsonSchema`` where
/// it takes less than its members do.
extension JSONRepresentable where Self: Encodable & Decodable {
  public static var jsonTypeName: String { CodableCases.words(for: Self.self) }

  /// The members and their types, as far as decoding shows them; else any, described by the type's name.
  public static var jsonSchema: JSONSchema { CodableSchema.schema(of: Self.self) }

  public init(json: JSON) throws(JSONMismatch) { self = try JSONDecoding.plain(Self.self, from: json, at: []) }

  /// A value that has no JSON, as its `encode(to:)` throws, is `null`.
  public func write(to writer: inout JSONWriter) { EncodedValue(plain: self).write(to: &writer) }
}

/// An enum of texts is the same with `Codable` as without.
extension JSONRepresentable where Self: RawRepresentable & CaseIterable & Encodable & Decodable, RawValue == String {
  public static var jsonTypeName: String { EnumOfTexts<Self>.typeName }
  public static var jsonSchema: JSONSchema { EnumOfTexts<Self>.schema }
  public init(json: JSON) throws(JSONMismatch) { self = try EnumOfTexts<Self>.value(of: json) }
  public func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}
