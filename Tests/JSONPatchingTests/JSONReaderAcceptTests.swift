// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

/// Texts that RFC 8259 allows, class by class as in JSONTestSuite's `y_` files. `A number` has the numbers.
@Suite struct `The reader accepts` {
  @Test(
    arguments: [
      ("null", .null), ("true", true), ("false", false), (" \t\r\n null\n", .null), ("[]", []), ("[ ]", []),
      ("{}", [:]), ("{ }", [:]), ("[1,2]", [1, 2]), (" [ 1 , [ null ] ] ", [1, [.null]]),
      (#"{"a":1,"b":[{}]}"#, ["a": 1, "b": [[:]]]), (#"{"":0}"#, ["": 0]),
      (#"{ "a" : 1 , "A" : 2 }"#, ["a": 1, "A": 2]),
    ] as [(String, JSON)])
  func `every shape of value and the four kinds of whitespace`(text: String, value: JSON) throws {
    #expect(try read(text) == value)
  }

  @Test func `members in the order they came`() throws {
    #expect(try read(#"{"b":1,"a":2,"c":3}"#).members?.map(\.name) == ["b", "a", "c"])
  }

  @Test(arguments: [
    (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000""#, "\0"),
    (#""\u00e9\u00E9""#, "éé"), (#""\ud83d\ude00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    (#""\u2028""#, "\u{2028}"), (#""用户名\n不能为空""#, "用户名\n不能为空"),
    ("\"\u{7F}\u{2028}\u{FEFF}\u{FFFF}\"", "\u{7F}\u{2028}\u{FEFF}\u{FFFF}"),
    ("\"0123456789abcdef\"", "0123456789abcdef"), (#""0123456789abcde\"0123456\\""#, "0123456789abcde\"0123456\\"),
  ])
  func `strings, raw and escaped`(text: String, value: String) throws {
    #expect(try read(text).string.map { Array($0.utf8) } == Array(value.utf8))
  }

  @Test func `a quote, a backslash and a control character wherever they stand in a machine word`() throws {
    for length in 0..<24 {
      let plain = String(repeating: "x", count: length)
      #expect(try read("\"\(plain)\"") == .string(plain))
      #expect(try read("\"\(plain)\\n\(plain)é\"") == .string("\(plain)\n\(plain)é"))
      #expect(throws: JSONError.self) { try read("\"\(plain)\u{1}\"") }
    }
  }
}
