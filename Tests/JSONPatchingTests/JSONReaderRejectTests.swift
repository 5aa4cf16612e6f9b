// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

/// Texts that RFC 8259 forbids or PROTOCOL §7 refuses, class by class as in JSONTestSuite's `n_` and `i_`
/// files. Each has the offset of its wrong byte. `A number` has the numbers, `Two names of one object` the duplicates.
@Suite struct `The reader refuses` {
  @Test(arguments: [
    ("", 0), (" ", 1), ("nul", 3), ("nulL", 3), ("True", 0), ("undefined", 0),
    ("null null", 5), ("[]]", 2), ("{}}", 2), ("1 2", 2), ("[1", 2), ("[", 1), ("{", 1), ("]", 0), ("}", 0), (",", 0),
    ("[1,]", 3), ("[,1]", 1), ("[1,,2]", 3), ("[1 2]", 3), ("[1;2]", 2), ("[1:2]", 2), ("[1}", 2), ("\u{B}1", 0),
    ("1\0", 1), ("\0", 0), ("[\u{A0}]", 1), ("[1]//c", 3), ("/**/1", 0), ("#1", 0), ("'a'", 0), ("<null>", 0),
  ])
  func `wrong words, brackets and separators`(text: String, offset wrong: Int) { #expect(offset(text.utf8) == wrong) }

  @Test(arguments: [
    (#"{"a"}"#, 4), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7), (#"{,"a":1}"#, 1), (#"{a:1}"#, 1), (#"{1:1}"#, 1),
    (#"{"a",1}"#, 4), (#"{"a":1"b":2}"#, 6), (#"{"a":1,,"b":2}"#, 7), (#"{"a":1]"#, 6),
    (#"{"a"#, 3), (#"{"a":"#, 5),
  ])
  func `wrong members`(text: String, offset wrong: Int) { #expect(offset(text.utf8) == wrong) }

  @Test(arguments: [
    (#"""#, 1), (#""a"#, 2), (#""\"#, 2), (#""\""#, 3), (#""\x""#, 2), (#""\a""#, 2), (#""\u""#, 3), (#""\u12""#, 5),
    (#""\u00g0""#, 5), (#""\u+123""#, 3), (#""\ud800""#, 1), (#""ab\ud800x""#, 3), (#""\ud800\n""#, 1),
    (#""\ud800\ud800""#, 1),
    (#""\udc00""#, 1), (#""\ud800\u0041""#, 1), ("\"a\nb\"", 2), ("\"\t\"", 1), ("\"\0\"", 1), ("\"\u{1F}\"", 1),
    ("\"01234567\u{1F}\"", 9), (#""é\ud800""#, 3),
  ])
  func `wrong strings and escapes`(text: String, offset wrong: Int) { #expect(offset(text.utf8) == wrong) }

  @Test(
    arguments: [
      [0x80], [0xFF], [0xFE], [0xC3], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func `bytes that are not well-formed UTF-8`(sequence: [UInt8]) {
    for (before, after) in [("\"", "\""), ("\"naïve text, ", "\""), (#""a\n"#, #"\t""#), ("", "1")] {
      #expect(offset(Array(before.utf8) + sequence + Array(after.utf8)) == before.utf8.count)
    }
  }

  @Test func `every text that was cut short`() throws {
    let text = Array(#"{"a":[1.5e1,true,false,null,"é\ud83d\ude00"],"b":{}}"#.utf8)
    _ = try read(text)
    for length in text.indices { #expect(offset(text[..<length]) != nil) }
  }

  @Test(arguments: [
    ("[1,]", "at byte 3: expected a JSON value, found ']'"),
    (#"{"a":1"#, "at byte 6: expected ',' or '}', found the end"),
    ("\"\u{1}\"", "at byte 1: expected an escape for this character, found byte 0x01"),
    ("1e999", "at byte 0: expected a number that is finite as a Double, found a larger one"),
    (#"{"a":1,"a":2}"#, "at byte 7: expected a name that this object does not have yet, found a duplicate"),
    ("1 true", "at byte 2: expected nothing after the value, found 't'"),
  ])
  func `with a text that names the expected and the found`(text: String, description: String) {
    let error = #expect(throws: JSONError.self) { try read(text) }
    #expect(error?.description == description)
  }
}
