// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// The view of a client that is refused while it sends.
@Suite(.timeLimit(.minutes(5)))
struct LingeringTests {
  @Test(arguments: [
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n", ""),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nDBBA0\r\n", "\r\n0\r\n\r\n"),
  ])
  func `a client that sends all before it reads gets its answer`(head: String, end: String) throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(head)
      let piece = [UInt8](repeating: 0x78, count: 10_000)
      for _ in 0..<90 { try client.send(piece) }
      try client.send(end)
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

  @Test(arguments: ["GET HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: h i\r\n\r\n"])
  func `a client that stays is cut off, and its place is free`(request: String) throws {
    let clock = TestClock()
    try withListener(
      configure: {
        $0.loops = 1
        $0.clock = clock.clock
        $0.maxConnectionsPerAddress = 1
      }, handler: echo,
      { listener in
        let client = try RawClient(port: listener.port)
        try client.send(request)
        #expect(try client.receive().status == 400)
        #expect(try client.isClosedByServer())
        #expect(try RawClient(port: listener.port).isClosedByServer())
        clock.pass(.seconds(3), for: listener)
        try #expect(served(listener, from: 2))
        try #expect(served(listener, from: 1))
        withExtendedLifetime(client) {}
      })
  }

  private func served(_ listener: HTTPListener, from source: UInt8) throws -> Bool {
    let client = try RawClient(port: listener.port, from: source)
    try client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    return try client.receive().status == 200
  }

  @Test func `a refused HEAD has no body`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send("HEAD / HTTP/1.1\r\nHost: h\r\nX@Y: a\r\n\r\n")
      let response = try client.receive(hasBody: false)
      #expect(response.status == 400)
      #expect(response.field("Content-Length") != "0")
      #expect(try client.isClosedByServer())
    }
  }

  @Test func `stopping does not wait for refused clients`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send("GET HTTP/1.1\r\n\r\n")
      #expect(try client.receive().status == 400)
      listener.stop(within: .seconds(60))
      #expect(listener.counts.connections == 0)
    }
  }
}
