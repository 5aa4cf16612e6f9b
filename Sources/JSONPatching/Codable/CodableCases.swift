// SPDX-License-Identifier: MIT

/// The cases of an enum that lists all of them.
enum CodableCases {
  /// Every case; nil for a type that does not list its cases.
  static func all<Value>(of type: Value.Type) -> [Value]? {
    (type as? any CaseIterable.Type).flatMap { list($0) as? [Value] }
  }

  /// The JSON of every case, as it is written within another value; nil for a type that does not list its
  /// cases.
  static func texts<Value>(of type: Value.Type) -> [JSON]? {
    guard let cases = all(of: type) as? [any Encodable] else { return nil }
    return cases.compactMap { value in
      guard let encoded = try? EncodedValue(value, at: []) else { return nil }
      var writer = JSONWriter()
      encoded.write(to: &writer)
      return try? JSONReader.read(writer.bytes)
    }
  }

  /// The words for an expected value: the cases of an enum of texts or numbers, or else the name of the type.
  static func words<Value>(for type: Value.Type) -> String {
    guard type is any RawRepresentable.Type, let texts = texts(of: type), !texts.isEmpty else { return "\(type)" }
    return "one of " + texts.map(\.description).joined(separator: ", ")
  }

  private static func list<Value: CaseIterable>(_: Value.Type) -> Any { Array(Value.allCases) }
}
