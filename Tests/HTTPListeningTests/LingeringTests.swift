// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// What a client sees that is refused while it sends.
@Suite(.timeLimit(.minutes(5)))
struct LingeringTests {
  @Test(arguments: [
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nDBBA0\r\n",
  ])
  func `a client that sends all before it reads gets its answer`(head: String) throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(head)
      let piece = [UInt8](repeating: 0x78, count: 10_000)
      for _ in 0..<90 { try client.send(piece) }
      #expect(try client.receive().status == 413)
      #expect(try client.isClosedByServer())
    }
  }

  @Test func `a client that sends without end is cut off`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 900000000\r\n\r\n")
      let piece = [UInt8](repeating: 0x78, count: 65_536)
      #expect(throws: RawClient.Failure.self) { for _ in 0..<1_000 { try client.send(piece) } }
    }
  }

  @Test func `a client that stays is cut off`() throws {
    try withListener(configure: { $0.maxConnectionsPerAddress = 1 }, handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send("nothing that is HTTP\r\n")
      #expect(try client.receive().status == 400)
      // The one place of its address is given back while it stays.
      while true {
        let next = try RawClient(port: listener.port)
        try? next.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        if (try? next.receive())?.status == 200 { break }
      }
      withExtendedLifetime(client) {}
    }
  }

  @Test func `a refused HEAD has no body`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send("HEAD / HTTP/1.1\r\nHost: h\r\nX : a\r\n\r\n")
      let response = try client.receive(hasBody: false)
      #expect(response.status == 400)
      #expect(response.field("Content-Length") != "0")
      #expect(try client.isClosedByServer())
    }
  }

  @Test func `stopping does not wait for refused clients`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send("nothing that is HTTP\r\n")
      #expect(try client.receive().status == 400)
      let start = ContinuousClock.now
      listener.stop()
      #expect(start.duration(to: .now) < .seconds(1))
      #expect(listener.counts.connections == 0)
    }
  }
}
