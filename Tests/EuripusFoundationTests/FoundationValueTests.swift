// SPDX-License-Identifier: MIT
import EuripusFoundation
import Foundation
import JSONPatching
import Seeded
import Testing

@Suite struct `A value of Foundation` {
  /// `EURIPUS_SEED` is another one.
  let seed = SeededGenerator.seed

  init() { print("values of Foundation start from seed \(seed)") }

  @Test func `that is a date is a text in UTC`() throws {
    try expectRoundTrip(Date(timeIntervalSince1970: 0), "1970-01-01T00:00:00Z")
    try expectRoundTrip(Date(timeIntervalSince1970: 1_795_425_005.25), "2026-11-23T09:10:05.250Z")
    try expectRoundTrip(Date(timeIntervalSince1970: -0.001), "1969-12-31T23:59:59.999Z")
    try expectRoundTrip(Date(timeIntervalSince1970: 951_782_400), "2000-02-29T00:00:00Z")
    try expectRoundTrip(Date(timeIntervalSince1970: -62_167_219_200), "0000-01-01T00:00:00Z")
    try expectRoundTrip(Date(timeIntervalSince1970: 253_402_300_799), "9999-12-31T23:59:59Z")
    #expect(written(Date(timeIntervalSince1970: 253_402_300_800)) == "null")
    #expect(written(Date(timeIntervalSince1970: .infinity)) == "null")
    #expect(written(Date(timeIntervalSince1970: 0.0004)) == #""1970-01-01T00:00:00Z""#)
    #expect(try read(Date.self, "1969-07-20T22:17:40.500+02:00") == read(Date.self, "1969-07-20t20:17:40.5009z"))
    #expect(try read(Date.self, "2026-11-23") == read(Date.self, "2026-11-23T00:00:00Z"))
    #expect(try read(Date.self, "2016-12-31T23:59:60Z") == read(Date.self, "2017-01-01T00:00:00Z"))
    #expect(try read(Date.self, "2017-01-01T00:59:60.9+01:00") == read(Date.self, "2017-01-01T00:00:00Z"))
  }

  @Test(arguments: [
    "", "2026-11-3", "2026-11-23T", "2026-11-23T09:10:05", "2026-11-23 09:10:05Z", "2026-11-23T09:10Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-31T00:00:00Z",
    "2026-11-23T24:00:00Z", "2026-11-23T09:60:05Z", "2026-11-23T09:10:60Z", "2026-11-23T09:10:05.Z",
    "2026-11-23T09:10:05+0100", "2026-11-23T09:10:05+24:00", "2026-11-23T09:10:05Z ", "+2026-11-23T09:10:05Z",
    "2026-11-23T09:10:05,5Z", "٢٠٢٦-11-23T09:10:05Z",
  ]) func `that is a date has no other text`(text: String) {
    #expect(throws: JSONMismatch(expected: "date such as 2026-11-23T09:10:05Z", found: "another string")) {
      try read(Date.self, text)
    }
  }

  @Test func `that is a date has the text of Foundation's own calendar`() throws {
    var random = SeededGenerator(seed: seed)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for _ in 0..<5_000 {
      // The years 1600 to 9999: before 1582 Foundation's calendar is the Julian one.
      // Quarters of a second are exact in a double. Foundation's text of other fractions is at times a
      // millisecond less.
      let quarters = Int.random(in: -46_704_384_000...1_013_609_203_198, using: &random)
      let milliseconds = quarters * 250
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      #expect(try Date(json: .string(date.formatted(style))) == date, "\(milliseconds), seed \(seed)")
      #expect(try read(Date.self, text(date)) == date, "\(milliseconds), seed \(seed)")
      if milliseconds % 1000 != 0 { #expect(text(date) == date.formatted(style), "\(milliseconds), seed \(seed)") }
    }
  }

  @Test func `that is a UUID is written in lower case, and read in both`() throws {
    let uuid = UUID()
    try expectRoundTrip(uuid, uuid.uuidString.lowercased())
    #expect(try read(UUID.self, uuid.uuidString) == uuid)
    for text in [
      "", "f81d4fae7dec11d0a76500a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
      "g81d4fae-7dec-11d0-a765-00a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6 ",
    ] {
      #expect(throws: JSONMismatch.self, "\(text)") { try read(UUID.self, text) }
    }
  }

  @Test func `that is a URL is its text`() throws {
    for text in ["https://example.org/a%20b?c=d#e", "pictures/1.png", "mailto:a@example.org", "/", "?a", "//b/c"] {
      try expectRoundTrip(try #require(URL(string: text)), text)
    }
    let base = URL(string: "https://example.org/a/")
    #expect(written(try #require(URL(string: "b", relativeTo: base))) == #""https://example.org/a/b""#)
    for text in ["", "a b", "https://exa mple.org", "http://[::1", "%", "用"] {
      #expect(throws: JSONMismatch.self, "\(text)") { try read(URL.self, text) }
    }
  }

  @Test func `that is a decimal is a text of digits`() throws {
    try expectRoundTrip(Decimal(string: "12.5") ?? 0, "12.5")
    try expectRoundTrip(Decimal(-3), "-3")
    try expectRoundTrip(Decimal(string: "0.1") ?? 0, "0.1")
    try expectRoundTrip(Decimal(string: "1e30") ?? 0, "1" + String(repeating: "0", count: 30))
    try expectRoundTrip(Decimal(string: "1e-30") ?? 0, "0." + String(repeating: "0", count: 29) + "1")
    try expectRoundTrip(Decimal.greatestFiniteMagnitude, Decimal.greatestFiniteMagnitude.description)
    #expect(try read(Decimal.self, "12.500") == Decimal(string: "12.5"))
    #expect(try read(Decimal.self, "-0") == 0)
    #expect(written(Decimal.nan) == "null")
    for text in ["", "-", "1.", ".5", "1e3", "+1", "01", "1,5", "1.2.3", "1 ", "٣", "NaN", "0x1"] {
      #expect(throws: JSONMismatch(expected: Decimal.jsonTypeName, found: "another string"), "\(text)") {
        try read(Decimal.self, text)
      }
    }
    let long = "1." + String(repeating: "1", count: 60)
    #expect(throws: JSONMismatch(expected: "decimal of fewer digits", found: "a longer one")) {
      try read(Decimal.self, long)
    }
    #expect(throws: JSONMismatch(expected: Decimal.jsonTypeName, found: "number")) { try Decimal(json: 1.5) }
  }

  @Test func `that has random digits reads back as it was`() throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let digits = Int.random(in: -1_000_000_000...1_000_000_000, using: &random)
      let places = Int.random(in: 1...12, using: &random)
      let decimal = Decimal(digits) / (1...places).reduce(Decimal(1)) { power, _ in power * 10 }
      #expect(try Decimal(json: .string(text(decimal))) == decimal, "seed \(seed)")
    }
  }

  @Test func `has examples in its schema that are read`() throws {
    try expectExamples(Date.self)
    try expectExamples(UUID.self)
    try expectExamples(URL.self)
    try expectExamples(Decimal.self)
  }

  private func expectExamples<Value: JSONRepresentable>(_: Value.Type) throws {
    guard case .array(let examples)? = Value.jsonSchema.json["examples"] else {
      Issue.record("\(Value.self) has no examples")
      return
    }
    for example in examples { _ = try Value(json: example) }
  }

  private func expectRoundTrip<Value: JSONRepresentable & Equatable>(_ value: Value, _ text: String) throws {
    #expect(self.text(value) == text)
    #expect(try read(Value.self, text) == value)
  }

  private func read<Value: JSONRepresentable>(_: Value.Type, _ text: String) throws -> Value {
    try Value(json: .string(text))
  }

  private func text(_ value: some JSONRepresentable) -> String { String(written(value).dropFirst().dropLast()) }

  private func written(_ value: some JSONRepresentable) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
