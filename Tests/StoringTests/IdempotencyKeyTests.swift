// SPDX-License-Identifier: MIT
import Testing

@testable import Storing

@Suite struct `An idempotency key` {
  @Test(arguments: ["a", "2f1e9d4c-8b7a", "a/b", "a/1b", "tab/", "/", "//", "a\"b", "\"", "\"a\\\"b\"", "{1/2}"])
  func `is a text, as it stands`(text: String) { #expect(IdempotencyKey(text) == .text(text)) }

  @Test func `that ends with a slash and digits is a name and a number`() {
    #expect(IdempotencyKey("tab/1") == .numbered(name: "tab", number: 1))
    #expect(IdempotencyKey("a/b/20") == .numbered(name: "a/b", number: 20))
    #expect(IdempotencyKey("t/9223372036854775807") == .numbered(name: "t", number: 9_223_372_036_854_775_807))
  }

  @Test func `may be a string of structured fields, without the marks`() {
    #expect(IdempotencyKey("\"2f1e\"") == .text("2f1e"))
    #expect(IdempotencyKey("\"tab/3\"") == .numbered(name: "tab", number: 3))
  }

  @Test(arguments: [
    "", "\"\"", "a b", "a\tb", "é", "tab/0", "tab/01", "/1", "t/9223372036854775808", "t/99999999999999999999999",
    String(repeating: "k", count: 256),
  ])
  func `is none if it is empty, too long, not visible ASCII, or counts wrongly`(text: String) {
    #expect(IdempotencyKey(text) == nil)
  }

  @Test func `has 255 characters at most`() {
    let longest = String(repeating: "k", count: 255)
    #expect(IdempotencyKey(longest) == .text(longest))
  }
}
