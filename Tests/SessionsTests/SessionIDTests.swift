// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions

@Suite struct `A session's id in words` {
  @Test func `is the same for the same text alone`() throws {
    var ids: Set<SessionID> = []
    for _ in 0..<1_000 {
      let text = Randomness.system.base64URL(bytes: 16)
      let id = try #require(SessionID(text))
      #expect(ids.insert(id).inserted)
      #expect(SessionID(String(text)) == id)
      #expect(id.description == text)
      // Another last letter, of the third word.
      #expect(SessionID(text.dropLast() + (text.hasSuffix("A") ? "B" : "A")) != id)
    }
  }

  @Test func `of a text tells how long it is`() throws {
    let texts = (0...23).map { String(repeating: "\0", count: $0) }
    #expect(Set(try texts.map { try #require(SessionID($0)) }).count == texts.count)
  }

  @Test func `is none of a text that no id can be`() {
    #expect(SessionID(String(repeating: "a", count: 23)) != nil)
    #expect(SessionID(String(repeating: "a", count: 24)) == nil)
    #expect(SessionID(String(repeating: "ü", count: 12)) == nil)
    #expect(SessionID(String(repeating: "a", count: 10_000)) == nil)
  }
}
