// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@Suite struct `A Codable type that says it has JSON` {
  @Test func `writes its members, and reads them back`() throws {
    let card = Card(title: "Paint", votes: 2, note: "soon", colour: .blue, labels: [Label(text: "home", weight: 0.5)])
    try expectRoundTrip(
      card, #"{"title":"Paint","votes":2,"note":"soon","colour":"blue","labels":[{"text":"home","weight":0.5}]}"#)
    try expectRoundTrip([Card](), "[]")
    try expectRoundTrip(Card?.none, "null")
    try expectRoundTrip(["b": 1, "a": 2], #"{"a":2,"b":1}"#)
  }

  @Test func `leaves an absent optional out, and reads null as absent`() throws {
    try expectRoundTrip(Card(title: "", colour: .red), #"{"title":"","votes":0,"colour":"red","labels":[]}"#)
    let text = #"{"note":null,"labels":[],"colour":"red","votes":0,"title":"","unknown":[1]}"#
    #expect(try Card(json: read(text)) == Card(title: "", colour: .red))
  }

  @Test func `writes a member that knows its JSON as that member is alone`() throws {
    try expectRoundTrip(Order(item: "tea", price: Amount(cents: 350)), #"{"item":"tea","price":"3.50"}"#)
    expectMismatch(
      Order.self, #"{"item":"tea","price":"3.5"}"#, "expected amount such as 3.50, got another string at /price")
    expectMismatch(
      [Order].self, #"[{"item":"tea","price":"3.50","discount":1}]"#,
      "expected amount such as 3.50, got integer at /0/discount")
  }

  @Test func `has containers of all kinds`() throws {
    let board = Board(
      cards: [Card(title: "a", colour: .red)], sizes: [.small, .large], weights: ["b": 2, "a": 1],
      byNumber: [7: "seven"], labels: [Label(text: "x", weight: -1)], shape: .circle(radius: 3),
      directions: [.up, nil], range: 2...5, bytes: [0, 255], ratio: 0.1, count: 9_007_199_254_740_993)
    let text = """
      {"cards":[{"title":"a","votes":0,"colour":"red","labels":[]}],"sizes":[1,10],"weights":{"a":1,"b":2},\
      "byNumber":{"7":"seven"},"labels":[{"text":"x","weight":-1}],"shape":{"circle":{"radius":3}},\
      "directions":[{"up":{}},null],"range":[2,5],"bytes":[0,255],"ratio":0.1,"count":9007199254740993}
      """
    try expectRoundTrip(board, text)
    try expectRoundTrip(
      Tree(name: "a", children: [Tree(name: "b")]), #"{"name":"a","children":[{"name":"b","children":[]}]}"#)
  }

  @Test func `may be a class, with containers that are filled out of order`() throws {
    let text = #"{"tricks":[{"first":"sit"}],"super":{"name":"Rex"},"age":3}"#
    #expect(written(Dog(name: "Rex", age: 3)) == text)
    let dog = try Dog(json: read(text))
    #expect((dog.name, dog.age) == ("Rex", 3))
    expectMismatch(
      Dog.self, #"{"tricks":[],"super":{"name":"Rex"},"age":3}"#,
      "expected an array of more than 0, got one of 0 at /tricks")
    expectMismatch(
      Dog.self, #"{"tricks":[{"first":"sit"}],"super":{"name":1},"age":3}"#,
      "expected string, got integer at /super/name")
  }

  @Test func `says where another type was expected, but never the value`() {
    expectMismatch(Card.self, "1", "expected object, got integer")
    expectMismatch(Card?.self, "1", "expected Card or null, got integer")
    expectMismatch([Card].self, #"{"secret":1}"#, "expected array of Card, got object")
    expectMismatch(Card.self, #"{"title":"a"}"#, "expected an object with 'votes', got one without")
    expectMismatch(
      Board.self, #"{"cards":[{"title":1}]}"#, "expected string, got integer at /cards/0/title")
    expectMismatch(
      Card.self, #"{"title":"a","votes":1,"colour":"secret","labels":[]}"#,
      #"expected one of "red", "blue", got another string at /colour"#)
    expectMismatch(
      Card.self, #"{"title":null,"votes":1,"colour":"red","labels":[]}"#, "expected string, got null at /title")
    expectMismatch(
      Card.self, #"{"title":"","votes":1,"colour":"red","labels":[{"text":"","weight":"1"}]}"#,
      "expected number, got string at /labels/0/weight")
    expectMismatch(Holder<[Size]>.self, #"{"value":[1,2]}"#, "expected one of 1, 10, got another integer at /value/1")
    expectMismatch([String: Int].self, #"{"a":1,"b":null}"#, "expected integer, got null at /b")
    expectMismatch([String: Int].self, "[]", "expected object of integer, got array")
    expectMismatch(Holder<Shape>.self, #"{"value":{"secret":{}}}"#, "expected Shape, got another object at /value")
    expectMismatch(
      Holder<UInt8>.self, #"{"value":256}"#, "expected integer from 0 to 255, got another integer at /value")
    expectMismatch(Holder<Int8>.self, #"{"value":1.5}"#, "expected integer from -128 to 127, got number at /value")
    expectMismatch(Holder<Float>.self, #"{"value":1e300}"#, "expected number of 32 bits, got a larger one at /value")
  }

  @Test func `may refuse in its own words a value that its members allow`() throws {
    try expectRoundTrip(Span(from: 1, to: 2), #"{"from":1,"to":2}"#)
    expectMismatch(Span.self, #"{"from":2,"to":2}"#, "expected a number beyond 'from', got another at /to")
    expectMismatch(
      [Holder<Span>].self, #"[{"value":{"from":2,"to":2}}]"#,
      "expected a number beyond 'from', got another at /0/value/to")
  }

  @Test func `finds its members among many`() throws {
    let others = (0..<100).map { "\"other\($0)\":\($0)," }.joined()
    #expect(
      try Label(text: "a", weight: 1) == Holder(json: read(#"{"value":{\#(others)"text":"a","weight":1}}"#)).value)
    let numbers = Holder(value: Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, $0) }))
    #expect(try Holder(json: read(written(numbers))) == numbers)
  }

  @Test func `writes a number that is not finite as null`() {
    #expect(written(Holder(value: [Double.nan, .infinity])) == #"{"value":[null,null]}"#)
    #expect(written(Holder(value: Float.nan)) == #"{"value":null}"#)
  }

  @Test func `that cannot be encoded ends the program, which says so, in a release build too`() async throws {
    struct Refusing: Codable, JSONRepresentable {
      struct Refusal: Error {}
      func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(written(Refusing()))
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        "a value of Refusing has no JSON: its 'encode(to:)' threw 'Refusal()'; expected each value of a type that is shown, stored or answered to have some: encode"
      ), "\(text)")
  }
}
