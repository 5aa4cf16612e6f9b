// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

/// Numbers of all forms, and at the ends of Int64 and Double (RFC 8259 §6).
@Suite struct `A number` {
  @Test(arguments: [
    ("0", 0), ("-1", -1), ("10", 10), ("9223372036854775806", Int64.max - 1), ("9223372036854775807", .max),
    ("-9223372036854775807", .min + 1), ("-9223372036854775808", .min), ("9007199254740993", 9_007_199_254_740_993),
  ])
  func `is an integer if it is spelled as one and fits`(text: String, value: Int64) throws {
    #expect(try read(text).integer == value)
  }

  /// A half-way point lies between the largest Double and infinity, and another between 0 and the least Double.
  @Test(arguments: [
    ("9223372036854775808", 0x1p63), ("-9223372036854775809", -0x1p63), ("18446744073709551615", 0x1p64),
    ("18446744073709551616", 0x1p64), ("-18446744073709551616", -0x1p64), ("1.0", 1), ("1e0", 1), ("10e-1", 1),
    ("1E2", 100), ("1E+2", 100), ("1e-2", 0.01), ("0.0", 0), ("0e1", 0), ("0.1", 0.1), ("1e23", 1e23), ("-0", -0.0),
    ("-0.0", -0.0), ("-0e5", -0.0), ("-0.0e-5", -0.0),
    ("123456789012345678901234567890", 123_456_789_012_345_677_877_719_597_056),
    ("9007199254740993.0", 0x1p53), ("0.0000001e9", 100), ("1e0000000000000000000000000000002", 100),
    ("1e308", 1e308), ("-1e308", -1e308), ("1.7976931348623157e308", .greatestFiniteMagnitude),
    ("1.7976931348623158e308", .greatestFiniteMagnitude), ("17976931348623157e292", .greatestFiniteMagnitude),
    ("5e-324", .leastNonzeroMagnitude), ("3e-324", .leastNonzeroMagnitude), ("-5e-324", -.leastNonzeroMagnitude),
    ("2.4703282292062328e-324", .leastNonzeroMagnitude), ("2.4703282292062327e-324", 0), ("2e-324", 0),
    ("1e-400", 0), ("1e-999", 0), ("-1e-400", -0.0), ("1e-99999999999999999999", 0), ("0e999", 0), ("-0e999", -0.0),
    ("0e99999999999999999999", 0), ("0.000e400", 0), ("2.2250738585072014e-308", .leastNormalMagnitude),
    ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown),
  ])
  func `is the nearest Double otherwise, up to the ends of Double`(text: String, value: Double) throws {
    #expect(try read(text).number?.bitPattern == value.bitPattern)
  }

  @Test(arguments: [
    "1e309", "-1e309", "1e999", "1E400", "1e+400", "1.8e308", "1.7976931348623159e308", "179769313486231590e291",
    "0.1e310", "1e99999999999999999999", "123456789e999999999",
  ])
  func `past the largest Double is refused where it starts`(text: String) {
    for (before, after) in [("", ""), ("[0, ", "]"), (#"{"a":"#, "}")] {
      #expect(offset((before + text + after).utf8) == before.utf8.count)
    }
  }

  @Test func `is read by its value if it has many digits`() throws {
    let zeros = { (count: Int) in String(repeating: "0", count: count) }
    #expect(try read("1" + zeros(308)).number == 1e308)
    #expect(offset(("1" + zeros(309)).utf8) == 0)
    #expect(try read("0." + zeros(323) + "5").number == .leastNonzeroMagnitude)
    #expect(try read("0." + zeros(400) + "5").number == 0)
    #expect(try read("1." + zeros(10_000)).number == 1)
    #expect(try read("1" + zeros(1_000) + "e-1000").number == 1)
    #expect(try read("0." + zeros(1_000) + "1e1001").number == 1)
    // One digit far behind decides to which side a half-way point is rounded.
    #expect(try read("9007199254740993." + zeros(800) + "1").number == 9_007_199_254_740_994)
  }

  /// A long fraction does not make up for an exponent that was cut off.
  @Test func `is moved by its whole exponent if its fraction is long`() throws {
    let fraction = "0." + String(repeating: "0", count: 20_000) + "1"
    #expect(try read(fraction + "e20003") == .integer(100))
    #expect(try read(fraction) == .integer(0))
    #expect(throws: JSONError.self) { try read(fraction + "e99999999999999999999") }
  }

  @Test(arguments: [
    ("-", 1), ("-a", 1), ("- 1", 1), ("+0", 0), ("+1", 0), (".5", 0), (".1", 0), ("-.5", 1), ("0.", 2), ("1.", 2),
    ("0.e1", 2), ("1.e1", 2), ("1e", 2), ("1.5e", 4), ("1e+", 3), ("1e-", 3), ("1e+-2", 3), ("1e2.5", 3), ("1e 2", 2),
    ("1ee1", 2), ("1e1e1", 3), ("0e", 2), ("00", 1), ("01", 1), ("-00", 2), ("-01", 2), ("007", 1), ("0x", 1),
    ("0x1", 1), ("0b1", 1), ("1a", 1), ("1.0f", 3), ("1_0", 1), ("1_000", 1), ("--1", 1), ("1..2", 2), ("1.2.3", 3),
    ("NaN", 0), ("-NaN", 1), ("Inf", 0), ("Infinity", 0), ("-Infinity", 1), ("１", 0), ("1\u{660}", 1),
    ("-\u{2212}1", 1), ("1/2", 1), ("1 000", 2), ("1%", 1),
  ])
  func `spelled otherwise is refused at the byte that is wrong`(text: String, offset wrong: Int) {
    #expect(offset(text.utf8) == wrong)
    #expect(offset("[\(text)]".utf8) == wrong + 1)
  }
}
