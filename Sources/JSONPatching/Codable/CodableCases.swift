// SPDX-License-Identifier: MIT

/// The cases of an enum that says all of them.
enum CodableCases {
  /// Each case; nil of a type that does not say them.
  static func all<Value>(of type: Value.Type) -> [Value]? {
    (type as? any CaseIterable.Type).flatMap { list($0) as? [Value] }
  }

  /// The JSON of each case, written as it is within another value; nil of a type that does not say its cases.
  static func texts<Value>(of type: Value.Type) -> [JSON]? {
    guard let cases = all(of: type) as? [any Encodable] else { return nil }
    return cases.compactMap { value in
      guard let encoded = try? EncodedValue(value, at: []) else { return nil }
      var writer = JSONWriter()
      encoded.write(to: &writer)
      return try? JSONReader.read(writer.bytes)
    }
  }

  /// The words for a value that is expected: the cases of an enum of texts or numbers, or else the type's name.
  static func words<Value>(for type: Value.Type) -> String {
    guard type is any RawRepresentable.Type, let texts = texts(of: type), !texts.isEmpty else { return "\(type)" }
    return "one of " + texts.map(\.description).joined(separator: ", ")
  }

  private static func list<Value: CaseIterable>(_: Value.Type) -> Any { Array(Value.allCases) }
}
