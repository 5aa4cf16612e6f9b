// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

/// Numbers at the ends of Int64 and Double (RFC 8259 §6).
@Suite struct `A number` {
  @Test(
    arguments: [
      ("9223372036854775806", .integer(Int64.max - 1)), ("9223372036854775807", .integer(.max)),
      ("9223372036854775808", .number(0x1p63)), ("-9223372036854775807", .integer(.min + 1)),
      ("-9223372036854775808", .integer(.min)), ("-9223372036854775809", .number(-0x1p63)),
      ("18446744073709551615", .number(0x1p64)), ("18446744073709551616", .number(0x1p64)),
      ("-18446744073709551616", .number(-0x1p64)), ("9007199254740993", .integer(9_007_199_254_740_993)),
      ("1.0", .number(1)), ("1e0", .number(1)), ("10e-1", .number(1)), ("1E2", .number(100)), ("-0", .number(-0.0)),
      ("-0e5", .number(-0.0)), ("-0.0e-5", .number(-0.0)),
    ] as [(String, JSON)])
  func `is an integer if it is spelled as one and fits, and a Double otherwise`(text: String, value: JSON) throws {
    switch (try read(text), value) {
    case (.integer(let read), .integer(let wanted)): #expect(read == wanted)
    case (.number(let read), .number(let wanted)): #expect(read.bitPattern == wanted.bitPattern)
    case (let read, _): Issue.record("\(text) became \(read)")
    }
  }

  /// A half-way point lies between the largest Double and infinity, and another between 0 and the least Double.
  @Test(arguments: [
    ("1e308", 1e308), ("-1e308", -1e308), ("1.7976931348623157e308", .greatestFiniteMagnitude),
    ("1.7976931348623158e308", .greatestFiniteMagnitude), ("17976931348623157e292", .greatestFiniteMagnitude),
    ("5e-324", .leastNonzeroMagnitude), ("3e-324", .leastNonzeroMagnitude), ("-5e-324", -.leastNonzeroMagnitude),
    ("2.4703282292062328e-324", .leastNonzeroMagnitude), ("2.4703282292062327e-324", 0), ("2e-324", 0),
    ("1e-400", 0), ("-1e-400", -0.0), ("1e-99999999999999999999", 0), ("0e999", 0), ("-0e999", -0.0),
    ("0.000e400", 0), ("2.2250738585072014e-308", .leastNormalMagnitude),
  ])
  func `is the nearest Double up to the ends of what Double holds`(text: String, value: Double) throws {
    #expect(try read(text).number?.bitPattern == value.bitPattern)
  }

  @Test(arguments: [
    "1e309", "-1e309", "1E400", "1e+400", "1.7976931348623159e308", "179769313486231590e291", "0.1e310",
    "1e99999999999999999999", "123456789e999999999",
  ])
  func `past the largest Double is refused where it starts`(text: String) throws {
    for (before, after) in [("", ""), ("[0, ", "]"), (#"{"a":"#, "}")] {
      let error = #expect(throws: JSONError.self) { try read(before + text + after) }
      #expect(error?.offset == before.utf8.count)
    }
  }

  @Test func `of many digits is read by its value`() throws {
    let zeros = { (count: Int) in String(repeating: "0", count: count) }
    #expect(try read("1" + zeros(308)).number == 1e308)
    #expect(#expect(throws: JSONError.self) { try read("1" + zeros(309)) }?.offset == 0)
    #expect(try read("0." + zeros(323) + "5").number == .leastNonzeroMagnitude)
    #expect(try read("0." + zeros(400) + "5").number == 0)
    #expect(try read("1." + zeros(10_000)).number == 1)
    #expect(try read("1" + zeros(1_000) + "e-1000").number == 1)
    #expect(try read("0." + zeros(1_000) + "1e1001").number == 1)
    // One digit far behind decides to which side a half-way point is rounded.
    #expect(try read("9007199254740993.0").number == 9_007_199_254_740_992)
    #expect(try read("9007199254740993." + zeros(800) + "1").number == 9_007_199_254_740_994)
  }

  @Test(arguments: [
    ("-", 1), ("-a", 1), ("- 1", 1), ("+0", 0), ("0.", 2), ("0.e1", 2), ("-.5", 1), ("1.5e", 4), ("1e-", 3),
    ("1e+-2", 3),
    ("1e2.5", 3), ("1e 2", 2), ("00", 1), ("-00", 2), ("007", 1), ("0e", 2), ("0x", 1), ("1a", 1), ("1.0f", 3),

    ("1_0", 1), ("1..2", 2), ("Inf", 0), ("-NaN", 1), ("1e1e1", 3), ("0b1", 1), ("1\u{660}", 1), ("-\u{2212}1", 1),
    (".1", 0),
    ("1/2", 1), ("1 000", 2), (".1", 0), ("1%", 1),
  ])
  func `spelled otherwise is refused at the byte that is wrong`(text: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { try read(text) }
    #expect(error?.offset == offset, "\(error?.description ?? "")")
    let inside = #expect(throws: JSONError.self) { try read("[\(text)]") }
    #expect(inside?.offset == offset + 1, "\(inside?.description ?? "")")
  }
}
