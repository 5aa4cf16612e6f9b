// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@Suite struct `A representable value` {
  @Test func `writes and reads back`() throws {
    try expectRoundTrip("Maruko", #""Maruko""#)
    try expectRoundTrip(true, "true")
    try expectRoundTrip(-3, "-3")
    try expectRoundTrip(1.5, "1.5")
    try expectRoundTrip(Int?.none, "null")
    try expectRoundTrip(Int?.some(1), "1")
    try expectRoundTrip(["a", nil], #"["a",null]"#)
    try expectRoundTrip([[1], []], "[[1],[]]")
    try expectRoundTrip(UInt64(7), "7")
    try expectRoundTrip(UInt64.max, #""18446744073709551615""#)
  }

  @Test func `names its type`() {
    #expect(String.jsonTypeName == "string")
    #expect(Bool.jsonTypeName == "boolean")
    #expect(Int.jsonTypeName == "integer")
    #expect(Double.jsonTypeName == "number")
    #expect([Int].jsonTypeName == "array of integer")
    #expect(String?.jsonTypeName == "string or null")
    #expect([Double?].jsonTypeName == "array of number or null")
  }

  @Test func `is one of the raw values of an enum of texts`() throws {
    enum Order: String, CaseIterable, JSONRepresentable { case name, byDate = "by date" }
    try expectRoundTrip(Order.byDate, #""by date""#)
    expectMismatch(Order.self, #""byDate""#, #"expected one of "name", "by date", got another string"#)
    expectMismatch(Order.self, "1", #"expected one of "name", "by date", got integer"#)
    expectMismatch([Order].self, #"["name",""]"#, #"expected one of "name", "by date", got another string at /1"#)
  }

  @Test func `takes numbers by value, not by spelling`() throws {
    #expect(try Int(json: read("1.0")) == 1)
    #expect(try Int(json: read("1e2")) == 100)
    #expect(try Double(json: read("3")) == 3)
  }

  @Test func `names the expected and the found type, but never the value`() {
    expectMismatch(String.self, "1", "expected string, got integer")
    expectMismatch(Bool.self, #""secret""#, "expected boolean, got string")
    expectMismatch(Int.self, "1.5", "expected integer, got number")
    expectMismatch(Int.self, "1e300", "expected integer, got number")
    expectMismatch(Double.self, "null", "expected number, got null")
    expectMismatch(Int?.self, "[]", "expected integer or null, got array")
    expectMismatch([Int].self, "{}", "expected array of integer, got object")
    expectMismatch([[Int]].self, "[[1],[1,true]]", "expected integer, got boolean at /1/1")
    expectMismatch([Int?].self, #"["a"]"#, "expected integer or null, got string at /0")
    expectMismatch([Int]?.self, #"["a"]"#, "expected integer, got string at /0")
  }
}
