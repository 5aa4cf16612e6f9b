// SPDX-License-Identifier: MIT

/// The schema of a `Codable` type. A value of the type is decoded from nothing, and the members and types that
/// its `init(from:)` asks for are noted.
///
/// If that shows nothing, any value is allowed. The schema is made whenever it is asked for, which is when a
/// surface is made.
enum CodableSchema {
  /// The types whose schemas are being made. A type within itself allows any value there.
  @TaskLocal private static var unfinished: [ObjectIdentifier] = []

  /// The schema of a type by its `init(from:)`, even if the type has a schema of its own.
  static func schema<Value: Decodable>(of type: Value.Type) -> JSONSchema { look(at: type).schema }

  /// The schema of a member's type, and a value of that type if one could be made.
  static func member<Value: Decodable>(_ type: Value.Type) -> (schema: JSONSchema, value: Value?) {
    guard let own = type as? any JSONRepresentable.Type else { return look(at: type) }
    let schema = own.jsonSchema
    return (schema, empty(type) ?? value(of: own, schema.sample) as? Value ?? look(at: type).value)
  }

  private static func look<Value: Decodable>(at type: Value.Type) -> (schema: JSONSchema, value: Value?) {
    if let container = type as? any EmptyDecodable.Type { return (container.schema, empty(type)) }
    if let cases = CodableCases.all(of: type), let texts = CodableCases.texts(of: type), !texts.isEmpty {
      return (.one(of: texts).titled("\(type)"), cases.first)
    }
    let id = ObjectIdentifier(type)
    if unfinished.contains(id) { return (.any.described("\(type)"), nil) }
    let notes = DecodingNotes()
    let value = $unfinished.withValue(unfinished + [id]) { try? Value(from: NotingDecoder(notes: notes)) }
    return (schema(of: notes, "\(type)", isWhole: value != nil), value)
  }

  private static func schema(of notes: DecodingNotes, _ name: String, isWhole: Bool) -> JSONSchema {
    guard let schema = notes.schema else { return .any.described(name) }
    if case .members = notes.content {
      return isWhole ? schema.titled(name) : schema.titled(name).described("\(name), as far as it is known")
    }
    return isWhole ? schema : schema.described(name)
  }

  private static func empty<Value>(_ type: Value.Type) -> Value? {
    (type as? any EmptyDecodable.Type).flatMap { $0.init() as? Value } ?? CodableCases.all(of: type)?.first
  }

  private static func value<Value: JSONRepresentable>(of _: Value.Type, _ json: JSON) -> Value? {
    try? Value(json: json)
  }
}

/// A container that has a value without elements. Its `init(from:)` need not be asked.
private protocol EmptyDecodable: Decodable {
  static var schema: JSONSchema { get }
  init()
}

extension Optional: EmptyDecodable where Wrapped: Decodable {
  fileprivate static var schema: JSONSchema { CodableSchema.member(Wrapped.self).schema.orNull }
  fileprivate init() { self = nil }
}

extension Array: EmptyDecodable where Element: Decodable {
  fileprivate static var schema: JSONSchema { .array(of: CodableSchema.member(Element.self).schema) }
}

extension Set: EmptyDecodable where Element: Decodable {
  fileprivate static var schema: JSONSchema { .array(of: CodableSchema.member(Element.self).schema) }
}

extension Dictionary: EmptyDecodable where Key == String, Value: Decodable {
  fileprivate static var schema: JSONSchema { .dictionary(of: CodableSchema.member(Value.self).schema) }
}
