// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@Suite struct `The reader's limits` {
  @Test func `nesting of 32 is read and of 33 refused at its bracket`() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }
    _ = try read(nested(32, "[", "]"))
    _ = try read(nested(32, #"{"a":"#, "}"))
    #expect(throws: JSONError(offset: 32, expected: "at most 32 levels of nesting", found: "one more")) {
      try read(nested(33, "[", "]"))
    }
    #expect(#expect(throws: JSONError.self) { try read(nested(33, #"{"a":"#, "}")) }?.offset == 32 * 5)
    #expect(throws: JSONError.self) { try read(String(repeating: "[", count: 1_000_000)) }
  }

  @Test func `4,096 values are read, the array around them included, and one more is refused`() throws {
    func zeros(_ count: Int) -> String { "[" + Array(repeating: "0", count: count).joined(separator: ",") + "]" }
    _ = try read(zeros(4_095))
    #expect(throws: JSONError(offset: 1 + 4_095 * 2, expected: "at most 4096 values", found: "one more")) {
      try read(zeros(4_096))
    }
  }

  @Test func `a long fraction does not make up for an exponent that was cut off`() throws {
    let fraction = "0." + String(repeating: "0", count: 20_000) + "1"
    #expect(try read(fraction + "e20003") == .integer(100))
    #expect(try read(fraction) == .integer(0))
    #expect(throws: JSONError.self) { try read(fraction + "e99999999999999999999") }
  }

  @Test func `other limits can be given`() throws {
    _ = try JSONReader.read(Array("[[1]]".utf8), limits: .init(depth: 2, nodes: 3))
    #expect(throws: JSONError.self) { try JSONReader.read(Array("[[1]]".utf8), limits: .init(depth: 1)) }
    #expect(throws: JSONError.self) { try JSONReader.read(Array("[[1]]".utf8), limits: .init(nodes: 2)) }
  }

  @Test(arguments: [15, 16, 17, 18, 4_095])
  func `a duplicate name is found among few and many members`(count: Int) throws {
    let members = (0..<count).map { "\"n\($0)\":0" }
    #expect(try read("{" + members.joined(separator: ",") + "}").members?.count == count)
    for duplicate in [0, count / 2, count - 2] {
      let text = "{" + (members.dropLast() + [members[duplicate]]).joined(separator: ",") + "}"
      let error = #expect(throws: JSONError.self) { try read(text) }
      #expect(error?.found == "a duplicate")
    }
  }
}
