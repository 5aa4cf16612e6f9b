// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

/// Texts that RFC 8259 allows, class by class as in JSONTestSuite's `y_` files.
@Suite struct `The reader accepts` {
  @Test(arguments: [
    ("null", JSON.null), ("true", .bool(true)), ("false", .bool(false)), (" \t\r\n null\n", .null),
    ("[]", .array([])), ("[ ]", .array([])), ("{}", .object([:])), ("{ }", .object([:])),
    ("[1,2]", .array([.integer(1), .integer(2)])), (" [ 1 , [ null ] ] ", .array([.integer(1), .array([.null])])),
    (#"{"a":1,"b":[{}]}"#, .object(["a": .integer(1), "b": .array([.object([:])])])),
    (#"{"":0}"#, .object(["": .integer(0)])),
    (#"{ "a" : 1 , "A" : 2 }"#, .object(["a": .integer(1), "A": .integer(2)])),
  ])
  func `every shape of value and the four kinds of whitespace`(text: String, value: JSON) throws {
    #expect(try read(text) == value)
  }

  @Test func `members in the order they came`() throws {
    let names = try read(#"{"b":1,"a":2,"c":3}"#).members?.map(\.name)
    #expect(names == ["b", "a", "c"])
  }

  @Test(arguments: [
    ("0", 0), ("-1", -1), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("10", 10),
  ])
  func `integers up to the ends of Int64`(text: String, value: Int64) throws {
    #expect(try read(text).integer == value)
  }

  @Test(arguments: [
    ("-0", -0.0), ("-0.0", -0.0), ("0.0", 0), ("1.0", 1), ("1e2", 100), ("1E+2", 100), ("1e-2", 0.01), ("0e1", 0),
    ("9223372036854775808", 0x1p63), ("-9223372036854775809", -0x1p63),
    ("1.7976931348623157e308", .greatestFiniteMagnitude),
    ("5e-324", .leastNonzeroMagnitude), ("1e-999", 0),
    ("123456789012345678901234567890", 123_456_789_012_345_677_877_719_597_056),
    ("0.1", 0.1), ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown), ("1e23", 1e23),
    ("9007199254740993.0", 0x1p53),
    ("0.0000001e9", 100), ("1e0000000000000000000000000000002", 100), ("0e99999999999999999999", 0),
  ])
  func `other numbers as the nearest Double`(text: String, value: Double) throws {
    #expect(try read(text).number?.bitPattern == value.bitPattern)
  }

  @Test(arguments: [
    (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000""#, "\0"),
    (#""\u00e9\u00E9""#, "éé"), (#""\ud83d\ude00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    (#""\u2028""#, "\u{2028}"),
    ("\"\u{7F}\u{2028}\u{FEFF}\u{FFFF}\"", "\u{7F}\u{2028}\u{FEFF}\u{FFFF}"), (#""用户名\n不能为空""#, "用户名\n不能为空"),
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
