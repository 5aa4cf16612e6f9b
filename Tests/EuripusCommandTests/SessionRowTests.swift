// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@testable import EuripusApp

@Suite struct `A row of sessions` {
  private static func line(
    user: JSON = .null, age: Int64 = 0, bytes: Int64 = 0, readers: Int64 = 0, model: String = "login"
  ) throws -> String {
    let row = SessionRow([
      "id": "EzovxmPYiDYfSGEZX2OK3Q", "model": .string(model), "user": user, "age": .integer(age),
      "bytes": .integer(bytes), "readers": .integer(readers), "stored": true,
    ])
    return try #require(row).line
  }

  @Test func `has times and sizes as people say them`() throws {
    #expect(
      try Self.line(user: "anna", age: 200, bytes: 12_500, readers: 2)
        == "EzovxmPYiDYfSGEZX2OK3Q  login             anna                  3 min     12 KiB     2        store")
    let ages: [(Int64, String)] = [
      (0, "0 s"), (59, "59 s"), (60, "1 min"), (3_599, "59 min"), (3_600, "1 h"), (172_799, "47 h"),
      (172_800, "2 days"),
    ]
    for (seconds, text) in ages { #expect(SessionRow.age(seconds) == text) }
    for (bytes, text) in [(0, "0 bytes"), (1_023, "1023 bytes"), (1_024, "1 KiB"), (5 << 20, "5 MiB")] {
      #expect(ByteCount.short(bytes) == text)
    }
  }

  @Test func `fits 100 columns, and does nothing to a terminal, for any name of a user`() throws {
    let name = "\u{1B}[2J\u{202E}" + String(repeating: "ä", count: 90) + "\n"
    let line = try Self.line(
      user: .string(name), age: .max, bytes: .max, readers: .max, model: String(repeating: "m", count: 90))
    #expect(line.count <= 100)
    #expect(line.contains("  ??[2J") == false && line.contains("  ?[2J?ää"))
    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
  }

  @Test func `has the parameters behind the rest, shortened in the table, so that rooms can be told apart`() throws {
    func row(_ board: String) throws -> SessionRow {
      try #require(
        SessionRow([
          "id": "a", "model": "board", "user": .null, "age": 0, "bytes": 0, "readers": 0, "stored": true,
          "params": ["board": .string(board)],
        ]))
    }
    #expect(try row("blue").line.hasSuffix(#"store   {"board":"blue"}"#))
    let long = try row(String(repeating: "b", count: 90))
    #expect(long.line.hasSuffix("b…") && long.line.count == 142)
    #expect(long.columns.last?.count == 102)
  }

  @Test func `has a line for each guest of a room, with the role`() {
    let look: JSON = ["guests": [["client": "a-b", "role": "helper"], ["client": "c-d", "role": .null]]]
    #expect(SessionsShow.guests(look) == ["a-b as helper", "c-d"])
  }

  @Test func `is made of nothing else`() {
    for json: JSON in [.null, [:], ["id": "a"], []] { #expect(SessionRow(json)?.columns == nil) }
  }

  @Test func `is read from an answer that has come whole`() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nDate: x\r\n\r\n"
    #expect(OperatorClient.parts(of: Array((head + "{}").utf8))?.status == 200)
    #expect(OperatorClient.parts(of: Array("HTTP/1.1 204 No Content\r\nDate: x\r\n\r\n".utf8))?.body == [])
    for text in ["", head + "{", head + "{}}", "HTTP/1.1 200 OK\r\n", "SSH-2.0\r\n\r\n"] {
      #expect(OperatorClient.parts(of: Array(text.utf8)) == nil, "\(text)")
    }
    #expect(OperatorClient.escaped("a b/ä&=~") == "a%20b%2F%C3%A4%26%3D~")
  }
}
