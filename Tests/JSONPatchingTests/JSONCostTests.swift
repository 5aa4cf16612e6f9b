// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

/// Texts far longer than a request may be. On these a recursive reader would overflow its stack, and a reader
/// that looked at everything again for each byte would take hours.
@Suite(.timeLimit(.minutes(5))) struct `A very long text` {
  private static let million = 1_000_000

  @Test(arguments: ["[", #"{"a":"#, "[[{\"\":", "[\n"])
  func `of open brackets is refused at the first that is too deep, wherever the text goes on`(opening: String) throws {
    let text = String(repeating: opening, count: Self.million)
    let error = #expect(throws: JSONError.self) { try read(text) }
    let depth = try #require(error?.offset)
    #expect(text.utf8.prefix(depth).count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } == 32)
    #expect(error?.expected == "at most 32 levels of nesting")
  }

  @Test func `of closing brackets is refused at once`() {
    #expect(#expect(throws: JSONError.self) { try read(String(repeating: "]", count: Self.million)) }?.offset == 0)
  }

  @Test func `of values is refused at the first that is too many`() {
    let text = "[" + String(repeating: "0,", count: Self.million) + "0]"
    #expect(#expect(throws: JSONError.self) { try read(text) }?.offset == 1 + 4_095 * 2)
    let names = "{" + (0..<5_000).map { "\"n\($0)\":0" }.joined(separator: ",") + "}"
    #expect(#expect(throws: JSONError.self) { try read(names) }?.expected == "at most 4096 values")
  }

  @Test func `of spaces, digits, letters and escapes each is read in time that grows with its length`() throws {
    // A tenth is enough here: if each byte cost as much as all bytes before it, that too would take minutes.
    let count = Self.million / 10
    let many = { (piece: String) in String(repeating: piece, count: count) }
    #expect(try read(many(" ") + "1" + many("\n")) == .integer(1))
    #expect(try read("\"\(many("x"))\"").string?.utf8.count == count)
    #expect(try read("\"\(many("\\n"))\"").string?.utf8.count == count)
    #expect(try read("\"\(many("é\\u00e9"))\"").string?.utf8.count == 4 * count)
    #expect(try read("0." + many("3")).number == 1.0 / 3)
    #expect(throws: JSONError.self) { try read(many("9")) }
    #expect(try read("1e" + many("0")).number == 1)
  }

  @Test func `of names, all of one beginning, is read in time that grows with their number`() throws {
    let beginning = String(repeating: "n", count: 64)
    let text = "{" + (0..<20_000).map { "\"\(beginning)\($0)\":0" }.joined(separator: ",") + "}"
    let value = try JSONReader.read(Array(text.utf8), limits: .init(nodes: 100_000))
    #expect(value.members?.count == 20_000)
  }
}
