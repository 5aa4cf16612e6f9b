// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

/// Some of the texts are far longer than a request may be. On these a recursive reader would overflow its stack, and a
/// reader that looked at everything again for each byte would take hours.
@Suite(.timeLimit(.minutes(30))) struct `The reader's limits` {
  private static let million = 1_000_000

  private static func many(_ piece: String, _ count: Int = million / 10) -> String {
    String(repeating: piece, count: count)
  }

  @Test(arguments: [("[", "]"), (#"{"a":"#, "}"), ("[[{\"\":", "}]]"), ("[\n", "]")])
  func `let nesting of 32 pass, and refuse the bracket after that, wherever the text goes on`(
    opening: String, closing: String
  ) throws {
    let levels = opening.utf8.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    let most = 32 / levels
    _ = try read(Self.many(opening, most) + "1" + Self.many(closing, most))
    let error = #expect(throws: JSONError.self) { try read(Self.many(opening, Self.million)) }
    #expect(error?.expected == "at most 32 levels of nesting")
    #expect(error?.found == "one more")
    let before = Self.many(opening, most + 1).utf8.prefix(error?.offset ?? 0)
    #expect(before.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } == 32)
  }

  @Test func `refuse a million closing brackets at once`() { #expect(offset(Self.many("]", Self.million).utf8) == 0) }

  @Test(arguments: [4_096, million])
  func `let 4,096 values pass, the array around them included, and refuse one more`(count: Int) throws {
    _ = try read("[" + Self.many("0,", 4_094) + "0]")
    #expect(throws: JSONError(offset: 1 + 4_095 * 2, expected: "at most 4096 values", found: "one more")) {
      try read("[" + Self.many("0,", count - 1) + "0]")
    }
    let names = "{" + (0..<5_000).map { "\"n\($0)\":0" }.joined(separator: ",") + "}"
    #expect(#expect(throws: JSONError.self) { try read(names) }?.expected == "at most 4096 values")
  }

  @Test func `can be others`() throws {
    _ = try JSONReader.read(Array("[[1]]".utf8), limits: .init(depth: 2, nodes: 3))
    #expect(throws: JSONError.self) { try JSONReader.read(Array("[[1]]".utf8), limits: .init(depth: 1)) }
    #expect(throws: JSONError.self) { try JSONReader.read(Array("[[1]]".utf8), limits: .init(nodes: 2)) }
  }

  @Test func `leave long spaces, digits, letters and escapes, each read in time that grows with its length`() throws {
    // A tenth of a million is enough here: if each byte cost as much as all bytes before it, that too would take minutes.
    let count = Self.million / 10
    #expect(try read(Self.many(" ") + "1" + Self.many("\n")) == .integer(1))
    #expect(try read("\"\(Self.many("x"))\"").string?.utf8.count == count)
    #expect(try read("\"\(Self.many("\\n"))\"").string?.utf8.count == count)
    #expect(try read("\"\(Self.many("é\\u00e9"))\"").string?.utf8.count == 4 * count)
    #expect(try read("0." + Self.many("3")).number == 1.0 / 3)
    #expect(throws: JSONError.self) { try read(Self.many("9")) }
    #expect(try read("1e" + Self.many("0")).number == 1)
  }

  @Test func `leave many names of one beginning, read in time that grows with their number`() throws {
    let text = "{" + (0..<20_000).map { "\"\(Self.many("n", 64))\($0)\":0" }.joined(separator: ",") + "}"
    #expect(try read(Array(text.utf8), limits: .init(nodes: 100_000)).members?.count == 20_000)
  }
}

/// No object has a name twice. Names are the same if their code points are the same (PROTOCOL §7).
@Suite struct `Two names of one object` {
  @Test(arguments: [
    (#"{"a":1,"a":1}"#, 7), (#"{"a":1,"b":2,"a":3}"#, 13), (#"{"":1,"":2}"#, 6), (#"{"a":1, "\u0061":2}"#, 8),
    (#"{"/":1,"\/":2}"#, 7), (#"{"\n":1,"\u000a":2}"#, 8), (#"{"\u000A":1,"\u000a":2}"#, 12),
    (#"{"😀":1,"\ud83d\ude00":2}"#, 10), (#"{"\u0000":1,"\u0000":2}"#, 12), (#"{"é":{"b":1,"b":2}}"#, 13),
    (#"[{"a":1},{"a":1,"a":2}]"#, 16), (#"{"a":{"a":1},"a":2}"#, 13), (#"{"~1":0,"\u007e1":0}"#, 8),
    (#"[{"x":{"":0,"":0}}]"#, 12),
  ])
  func `are refused if they are equal once unescaped, where the second starts`(text: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { try read(text) }
    #expect(error?.offset == offset, "\(error?.description ?? "")")
    #expect(error?.found == "a duplicate")
  }

  @Test(arguments: [15, 16, 17, 18, 4_095])
  func `are refused among few and many members`(count: Int) throws {
    let members = (0..<count).map { "\"n\($0)\":0" }
    #expect(try read("{" + members.joined(separator: ",") + "}").members?.count == count)
    for duplicate in [0, count / 2, count - 2] {
      let text = "{" + (members.dropLast() + [members[duplicate]]).joined(separator: ",") + "}"
      #expect(#expect(throws: JSONError.self) { try read(text) }?.found == "a duplicate")
    }
  }

  @Test(arguments: [
    "{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{212B}\":1,\"\u{C5}\":2}",
    "{\"\u{1E9B}\u{323}\":1,\"\u{1E9B}\u{323}\u{200D}\":2}",
    "{\"ﬁ\":1,\"fi\":2}", #"{"a":1,"A":2}"#, #"{"a":1,"a ":2}"#, #"{"a":1,"a\u0000":2}"#, #"{"1":1,"1.0":2}"#,
    #"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":2}]"#, "{\"\u{AC00}\":1,\"\u{1100}\u{1161}\":2}", #"{"a/b":1,"a~1b":2}"#,
  ])
  func `are two if any code point differs, canonically equivalent or not`(text: String) throws {
    let value = try read(text)
    #expect(written(value) == text)
    if let members = value.members, members.count == 2 {
      for member in members { #expect(value[member.name] == member.value) }
    }
  }
}
