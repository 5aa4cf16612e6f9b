// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@Suite struct `The schema of a Codable type` {
  private static let integer = #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#
  private static let label = """
    {"title":"Label","type":"object","properties":{"text":{"type":"string"},"weight":{"type":"number"}},\
    "required":["text","weight"]}
    """
  private static let card = """
    {"title":"Card","type":"object","properties":{"title":{"type":"string"},"votes":\(integer),\
    "note":{"type":["string","null"]},"colour":{"title":"Colour","type":"string","enum":["red","blue"]},\
    "labels":{"type":"array","items":\(label)}},"required":["title","votes","colour","labels"]}
    """

  @Test func `has its members, of which the optional ones may be absent or null`() {
    #expect(text(Card.self) == Self.card)
    #expect(text([Card].self) == #"{"type":"array","items":\#(Self.card)}"#)
    #expect(text([String: Int].self) == #"{"type":"object","additionalProperties":\#(Self.integer)}"#)
  }

  @Test func `has a member that knows its JSON by that`() {
    let amount = #""type":["string","null"],"pattern":"^[0-9]+[.][0-9]{2}$","examples":["3.50"]"#
    #expect(Order.jsonSchema.json["properties"]?["discount"]?.description == "{\(amount)}")
    #expect(Order.jsonSchema.json["required"] == ["item", "price"])
  }

  @Test func `has containers and enums of all kinds, as far as they show themselves`() {
    #expect(member("sizes") == #"{"type":"array","items":{"title":"Size","type":"integer","enum":[1,10]}}"#)
    #expect(member("weights") == #"{"type":"object","additionalProperties":{"type":"number"}}"#)
    #expect(member("byNumber") == #"{"description":"Dictionary<Int, String>"}"#)
    #expect(member("labels") == #"{"type":"array","items":\#(Self.label)}"#)
    let bytes = #"{"type":"array","items":{"type":"integer","minimum":0,"maximum":255}}"#
    #expect(text(Holder<[UInt8]>.self).contains(bytes))
    let direction = #"{"title":"Direction","enum":[{"up":{}},{"down":{}}]}"#
    #expect(text(Holder<[Direction]>.self).contains(#""items":\#(direction)"#))
    #expect(text(Holder<[Direction?]>.self).contains(#""items":{"anyOf":[\#(direction),{"type":"null"}]}"#))
    let range = #"{"type":"array","items":\#(Self.integer),"minItems":2}"#
    #expect(text(Holder<ClosedRange<Int>>.self).contains(range))
    #expect(text(Colour.self) == #"{"title":"Colour","type":"string","enum":["red","blue"]}"#)
  }

  /// An enum with payloads asks for the members that are there, and cannot be made of none.
  @Test func `is as far as it is known where a member cannot be known`() {
    #expect(text(Holder<Shape?>.self).contains(#""value":{"description":"Shape"}"#))
    let board = Board.jsonSchema.json
    #expect(board["properties"]?["shape"] == ["description": "Shape"])
    #expect(board["properties"]?["directions"] == nil)
    #expect(board["description"] == "Board, as far as it is known")
    #expect(board["required"] == ["cards", "sizes", "weights", "byNumber", "labels", "shape"])
    #expect(Span.jsonSchema.json["required"] == ["from", "to"])
  }

  @Test func `allows any value where a type has itself within`() {
    #expect(
      text(Tree.self) == """
        {"title":"Tree","type":"object","properties":{"name":{"type":"string"},\
        "children":{"type":"array","items":{"description":"Tree"}}},"required":["name","children"]}
        """)
    #expect(text(Link.self).contains(#""next":{"description":"Link"}"#))
  }

  @Test func `follows a decoding by hand`() {
    #expect(
      text(Dog.self) == """
        {"title":"Dog","type":"object","properties":{"age":\(Self.integer),\
        "tricks":{"type":"array","items":{"type":"object","properties":{"first":{"type":"string"}},"required":["first"]},"minItems":1},\
        "super":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}},\
        "required":["age","tricks","super"]}
        """)
  }

  @Test func `is found of a type that reads until there is no more, or as many as it is told`() {
    let schema = #"{"type":"array","items":{"type":"string"}}"#
    #expect(text(Greedy.self).contains(#""type":"array""#))
    #expect(text(Counting.self).contains(schema.dropLast(1)))
  }

  /// Reads on until an element is missing.
  struct Greedy: Codable, JSONRepresentable {
    var texts: [String] = []

    init(from decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      while let text = try? elements.decode(String.self) { texts.append(text) }
    }

    func encode(to encoder: any Encoder) throws { try texts.encode(to: encoder) }
  }

  /// Reads as many elements as the count says.
  struct Counting: Codable, JSONRepresentable {
    var texts: [String] = []

    init(from decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      for _ in 0..<(elements.count ?? 0) { texts.append(try elements.decode(String.self)) }
    }

    func encode(to encoder: any Encoder) throws { try texts.encode(to: encoder) }
  }

  final class Link: Codable, JSONRepresentable {
    let next: Link?
    init(next: Link?) { self.next = next }
  }

  private func text<Value: JSONRepresentable>(_: Value.Type) -> String { Value.jsonSchema.json.description }
  private func member(_ name: String) -> String? { Board.jsonSchema.json["properties"]?[name]?.description }
}
