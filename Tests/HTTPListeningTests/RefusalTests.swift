// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(30))) struct RefusalTests {
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
    try withListener(configure: { $0.maxBodyBytes = 1_000 }) { listener in
      let read = try listener.answer(post(chunked(1_000), fields: "Transfer-Encoding: chunked"))
      #expect(read.text == "POST / h " + String(repeating: "x", count: 1_000))
      let client = try listener.client(post(chunked(1_001), fields: "Transfer-Encoding: chunked"))
      let refused = try client.receive()
      #expect((refused.status, refused.text) == (413, "refused: bodyTooLarge(limit: 1000)"))
      #expect(try client.isClosedByServer())
    }
  }

  @Test func `a client that asks first is refused before it sends the body`() throws {
    try withListener { listener in
      let refused = try listener.answer(post("", fields: "Content-Length: 1000000\r\nExpect: 100-continue"))
      #expect(refused.status == 413)
    }
  }

  @Test func `the bytes of a token are those of RFC 9110`() throws {
    let allowed = Array("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    try withListener { listener in
      // Bytes that end a name or a line before it is screened are left out.
      for byte in UInt8.min...UInt8.max where ![0x00, 0x0A, 0x0D, 0x3A].contains(byte) {
        let client = try RawClient(port: listener.port)
        try client.send(Array("GET / HTTP/1.1\r\nHost: h\r\nX".utf8) + [byte] + Array("Y: 1\r\n\r\n".utf8))
        #expect(try client.receive().status == (allowed.contains(byte) ? 200 : 400), "\(byte)")
      }
    }
  }
}
