// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@Suite struct `The writer` {
  @Test func `sets the commas by itself`() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.integer(1)
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.null()
    writer.endArray()
    writer.key("b")
    writer.bool(true)
    writer.key("c")
    writer.raw(#"{"x":0}"#)
    writer.key("d")
    writer.raw(Array("[1,2]".utf8))
    writer.key("e")
    writer.bool(false)
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == #"{"a":[1,{},[],null],"b":true,"c":{"x":0},"d":[1,2],"e":false}"#
    )
  }

  @Test func `takes back the text after a mark, and writes it again`() {
    var writer = JSONWriter()
    writer.beginArray()
    writer.integer(1)
    let mark = writer.mark
    writer.string("x")
    writer.integer(2)
    let tail = writer.cut(from: mark)
    #expect(tail.length == #","x",2"#.utf8.count)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "[1")
    writer.paste(tail)
    writer.endArray()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"[1,"x",2]"#)
  }

  @Test(arguments: [
    ("", #""""#), ("Maruko", #""Maruko""#), ("\"\\/", #""\"\\/""#), ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
    ("\0\u{1}\u{B}\u{1F}", #""\u0000\u0001\u000b\u001f""#), ("\u{7F}é\u{2028}😀", "\"\u{7F}é\u{2028}😀\""),
    ("*用户名不能为空", "\"*用户名不能为空\""), ("01234567\"01234567\n", #""01234567\"01234567\n""#),
  ])
  func `escapes a quote, a backslash and control characters, and nothing else`(value: String, text: String) {
    #expect(written(.string(value)) == text)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (100, "100"), (0x1p53, "9007199254740992"),
    (-0x1p53, "-9007199254740992"), (1e21, "1e+21"), (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"),
    (0.30000000000000004, "0.30000000000000004"),
    (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.nan, "null"), (.infinity, "null"),
  ])
  func `writes the shortest number that reads back`(value: Double, text: String) {
    #expect(written(.number(value)) == text)
  }

  @Test(arguments: [
    ("1", "1.0", true), ("1", "1.5", false), ("-0", "0", true), ("9007199254740993", "9007199254740992.0", false),
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, true), (#"{"a":1}"#, #"{"a":1,"b":2}"#, false),
    (#"{"a":1}"#, #"{"b":1}"#, false),
    ("\"\u{E9}\"", "\"e\u{301}\"", false), ("[1,2]", "[2,1]", false), ("null", "false", false), (#""1""#, "1", false),
  ])
  func `has values to compare as RFC 6902 §4.6 does`(left: String, right: String, areEqual: Bool) throws {
    #expect((try read(left) == read(right)) == areEqual)
    #expect((try read(right) == read(left)) == areEqual)
  }

  @Test func `has large objects to compare without regard to order`() throws {
    let members = (0..<100).map { JSON.Member(name: "n\($0)", value: .integer($0)) }
    #expect(JSON.object(members) == JSON.object(members.reversed()))
    #expect(JSON.object(members) != JSON.object(members.dropLast().reversed() + [JSON.Member(name: "m", value: .null)]))
  }
}

@Suite struct `JSON for people` {
  @Test func `is JSON text`() {
    let json: JSON = ["a": [1, 2.5, .null, "b\n"], "c": true]
    #expect("\(json)" == #"{"a":[1,2.5,null,"b\n"],"c":true}"#)
    #expect(String(reflecting: json) == "\(json)")
    #expect("\(JSON.Member(name: "a\"", value: 1))" == #""a\"":1"#)
    #expect("\([JSON.null, 1])" == "[null, 1]")
  }
}
