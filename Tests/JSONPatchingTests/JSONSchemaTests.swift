// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@Suite struct `A type's schema` {
  enum Order: String, CaseIterable, JSONRepresentable { case name, date }

  /// A type that says nothing of its schema.
  struct Opaque: JSONRepresentable {
    static let jsonTypeName = "opaque thing"
    init(json: JSON) throws(JSONMismatch) {}
    func write(to writer: inout JSONWriter) { writer.null() }
  }

  @Test func `says the values that the type takes and gives`() {
    #expect(text(String.self) == #"{"type":"string"}"#)
    #expect(text(Bool.self) == #"{"type":"boolean"}"#)
    #expect(text(Double.self) == #"{"type":"number"}"#)
    #expect(
      text(Int.self) == #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#)
    #expect(text(Order.self) == #"{"title":"Order","type":"string","enum":["name","date"]}"#)
    #expect(text([Bool].self) == #"{"type":"array","items":{"type":"boolean"}}"#)
  }

  @Test func `takes null once for an optional`() {
    #expect(text(String?.self) == #"{"type":["string","null"]}"#)
    #expect(
      text(Order?.self) == #"{"anyOf":[{"title":"Order","type":"string","enum":["name","date"]},{"type":"null"}]}"#)
    #expect(
      written(JSONSchema.dictionary(of: .null).orNull.json)
        == #"{"anyOf":[{"type":"object","additionalProperties":{"type":"null"}},{"type":"null"}]}"#)
    #expect(written(JSONSchema.null.orNull.json) == #"{"type":"null"}"#)
    #expect(text([String?].self) == #"{"type":"array","items":{"type":["string","null"]}}"#)
  }

  @Test func `is any value by default, with the type's name`() {
    #expect(text(Opaque.self) == #"{"description":"opaque thing"}"#)
  }

  @Test func `requires the members of an object that are not optional, and has no others`() {
    let schema = JSONSchema.object([("a", .null), ("b", .constant(1))], optional: ["b"])
    let expected = """
      {"type":"object","properties":{"a":{"type":"null"},"b":{"const":1}},"required":["a"],"additionalProperties":false}
      """
    #expect(written(schema.json) == expected)
  }

  @Test func `has one description and one title, the last, and the title at its beginning`() {
    #expect(written(JSONSchema.boolean.described("a").described("b").json) == #"{"type":"boolean","description":"b"}"#)
    #expect(written(JSONSchema.boolean.titled("a").titled("B").json) == #"{"title":"B","type":"boolean"}"#)
  }

  private func text<Value: JSONRepresentable>(_: Value.Type) -> String { written(Value.jsonSchema.json) }
}
