// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// The view of a client that is refused while it sends.
@Suite(.timeLimit(.minutes(30))) struct LingeringTests {
  @Test(arguments: [
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n", ""),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nDBBA0\r\n", "\r\n0\r\n\r\n"),
  ])
  func `a client that sends all before it reads gets its answer`(head: String, end: String) throws {
    try withListener { listener in
      let client = try listener.client(head)
      let piece = [UInt8](repeating: 0x78, count: 10_000)
      for _ in 0..<90 { try client.send(piece) }
      try client.send(end)
      #expect(try client.receive().status == 413)
      #expect(try client.isClosedByServer())
    }
  }

  @Test(arguments: ["Content-Length: 900000000", "Transfer-Encoding: chunked"])
  func `a client that sends without end is cut off`(framing: String) throws {
    try withListener { listener in
      let client = try listener.client(post("", fields: framing))
      let piece = Array(("10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n").utf8)
      #expect(throws: RawClient.Failure.self) { for _ in 0..<1_000 { try client.send(piece) } }
    }
  }

  @Test(arguments: ["GET HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: h i\r\n\r\n"])
  func `a client that stays is cut off, and its place is free`(request: String) throws {
    let clock = TestClock()
    try withListener(clock: clock, configure: { $0.maxConnectionsPerAddress = 1 }) { listener in
      let client = try listener.client(request)
      #expect(try client.receive().status == 400)
      #expect(try client.isClosedByServer())
      #expect(try RawClient(port: listener.port).isClosedByServer())
      clock.pass(.seconds(3), for: listener)
      let others = try [2, 1].map { try listener.served(from: $0) }
      withExtendedLifetime((client, others)) {}
    }
  }

  @Test func `a refused HEAD has no body`() throws {
    try withListener { listener in
      let client = try listener.client("HEAD / HTTP/1.1\r\nHost: h\r\nX@Y: a\r\n\r\n")
      let response = try client.receive(hasBody: false)
      #expect(response.status == 400)
      #expect(response.field("Content-Length") != "0")
      #expect(try client.isClosedByServer())
    }
  }

  @Test func `stopping does not wait for refused clients`() throws {
    // The clock stands still, so the grace never ends.
    try withListener(clock: TestClock()) { listener in
      let client = try listener.client("GET HTTP/1.1\r\n\r\n")
      #expect(try client.receive().status == 400)
      listener.stop(within: .seconds(60))
      #expect(listener.counts.connections == 0)
    }
  }
}
