// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RefusalTests {
  private let limit = 1_000

  private func exchange(_ request: String) throws -> (response: RawClient.Response, client: RawClient) {
    try withListener(configure: { $0.maxBodyBytes = limit }, handler: lengthOfBody) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(request)
      return (try client.receive(), client)
    }
  }

  private func post(_ fields: String, _ body: String) -> String {
    "POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n\(body)"
  }

  private func chunked(_ count: Int, chunk: Int = 100) -> String {
    var text = ""
    var left = count
    while left > 0 {
      let size = min(chunk, left)
      text += String(size, radix: 16) + "\r\n" + String(repeating: "x", count: size) + "\r\n"
      left -= size
    }
    return text + "0\r\n\r\n"
  }

  @Test func `a chunked body of the limit is read, one byte more is refused at its end`() throws {
    #expect(try exchange(post("Transfer-Encoding: chunked", chunked(limit))).response.text == "1000")
    let refused = try exchange(post("Transfer-Encoding: chunked", chunked(limit + 1)))
    #expect(refused.response.status == 413)
    #expect(refused.response.text == "refused: bodyTooLarge(limit: 1000)")
    #expect(try refused.client.isClosedByServer())
  }

  @Test func `a chunked body without end is cut off`() throws {
    try withListener(configure: { $0.maxBodyBytes = limit }, handler: lengthOfBody) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(post("Transfer-Encoding: chunked", ""))
      let chunk = Array(("10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n").utf8)
      #expect(throws: RawClient.Failure.self) { for _ in 0..<1_000 { try client.send(chunk) } }
    }
  }

  @Test func `a client that asks first is refused before it sends the body`() throws {
    let refused = try exchange(post("Content-Length: 1000000\r\nExpect: 100-continue", ""))
    #expect(refused.response.status == 413)
  }

  @Test func `a client that asks first is told to go on`() throws {
    try withListener(handler: lengthOfBody) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(post("Content-Length: 4\r\nExpect: 100-continue", ""))
      #expect(try client.receive().status == 100)
      try client.send("body")
      #expect(try client.receive().text == "4")
    }
  }

  @Test func `the bytes of a token are those of RFC 9110`() throws {
    let allowed = Array("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    try withListener(handler: lengthOfBody) { listener in
      // Bytes that end a name or a line before it is screened are left out.
      for byte in UInt8.min...UInt8.max where ![0x00, 0x0A, 0x0D, 0x3A].contains(byte) {
        let client = try RawClient(port: listener.port)
        try client.send(Array("GET / HTTP/1.1\r\nHost: h\r\nX".utf8) + [byte] + Array("Y: 1\r\n\r\n".utf8))
        #expect(try client.receive().status == (allowed.contains(byte) ? 200 : 400), "\(byte)")
      }
    }
  }
}

@Sendable private func lengthOfBody(_ request: HTTPRequest) -> HTTPAnswer {
  .now(HTTPResponse("\(request.body.count)"))
}
