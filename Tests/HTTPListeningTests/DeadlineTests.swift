// SPDX-License-Identifier: MIT
import Testing

@testable import HTTPListening

@Suite(.timeLimit(.minutes(30))) struct DeadlineTests {
  private let clock = TestClock()

  /// Has the loop serve a client, so that it has seen everything that was sent before.
  private func settle(_ listener: HTTPListener) throws {
    #expect(try listener.answer("GET /settle HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").status == 200)
  }

  @Test(arguments: [
    ("a head", "GET / HTTP/1.1\r\nX: "),
    ("a body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\n\r\n"),
    ("a chunk", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nff00\r\n"),
  ])
  func `a byte now and then does not put the deadline off`(part: String, start: String) throws {
    try withListener(clock: clock) { listener in
      let client = try listener.client(start)
      // A head has 10 s, and a body has 15 s.
      for _ in 0..<(part == "a head" ? 9 : 14) {
        try client.send("x")
        try settle(listener)
        clock.pass(.seconds(1), for: listener)
      }
      try settle(listener)
      #expect(listener.counts.lateHeads + listener.counts.lateBodies == 0)
      clock.pass(.seconds(2), for: listener)
      #expect(try client.isClosedInTheEnd())
      #expect(listener.counts.lateHeads == (part == "a head" ? 1 : 0))
      #expect(listener.counts.lateBodies == (part == "a head" ? 0 : 1))
    }
  }

  /// libmicrohttpd is told only once of an end that comes together with the last bytes, and may not look at it
  /// then.
  @Test(arguments: [
    "", "GET / HT", "GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nab",
    "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HT",
  ])
  func `a client that ends in the middle of a request is let go of at once`(start: String) throws {
    try withListener(clock: clock) { listener in
      let client = try listener.client(start)
      client.endSending()
      if start.contains("h\r\n\r\nGET") { #expect(try client.receive().status == 200) }
      // The clock stands still, so no deadline ends this connection.
      #expect(try client.isClosedInTheEnd())
      #expect(listener.counts.lateHeads + listener.counts.lateBodies + listener.counts.idle == 0)
    }
  }

  @Test func `the first head's time begins with the connection, not with its first line`() throws {
    try withListener(clock: clock) { listener in
      let client = try RawClient(port: listener.port)
      try settle(listener)
      clock.pass(.seconds(8), for: listener)
      try client.send("GET / HTTP/1.1\r\n")
      try settle(listener)
      clock.pass(.seconds(3), for: listener)
      #expect(try client.isClosedByServer())
      #expect(listener.counts.lateHeads == 1)
    }
  }

  @Test func `a connection without a request is closed, the first time after a head's time`() throws {
    try withListener(clock: clock) { listener in
      let silent = try RawClient(port: listener.port)
      let served = try listener.served()
      clock.pass(.seconds(11), for: listener)
      #expect(try silent.isClosedByServer())
      #expect(listener.counts.idle == 1)
      clock.pass(.seconds(65), for: listener)
      #expect(try served.isClosedByServer())
      #expect(listener.counts.idle == 2)
    }
  }

  @Test func `a client that takes nothing of its response is reset`() throws {
    try withListener(clock: clock, handler: large) { listener in
      let client = try listener.client(receiveBuffer: 4_096)
      #expect(try client.isReadable())
      // Each look credits the client with the bytes that its system has taken since the last one. These are less
      // and less, and soon none.
      for _ in 0..<5 {
        try settle(listener)
        clock.pass(.seconds(32), for: listener)
      }
      #expect(try client.isHungUp())
      #expect(listener.counts.lateResponses == 1)
    }
  }

  @Test func `a client that takes its response slowly gets all of it`() throws {
    try withListener(clock: clock, handler: large) { listener in
      let client = try listener.client(receiveBuffer: 65_536)
      var received = 0
      do {
        while received < largeBody.count {
          // The client takes a megabyte in 8 s. Its system may acknowledge two at once, far beyond the size of
          // its buffer, and then nothing until the client has taken these: less than the 30 s of a response.
          var taken = 0
          while taken < 1_000_000, received < largeBody.count {
            let count = try client.drop(65_536)
            taken += count
            received += count
          }
          clock.pass(.seconds(8), for: listener)
          try settle(listener)
        }
      } catch {
        Issue.record("\(error), after \(received) bytes: \(listener.counts)")
      }
      #expect(listener.counts.lateResponses == 0)
    }
  }

  @Test func `a client that takes its response too slowly is reset, however steadily it does`() throws {
    try withListener(clock: clock, configure: { $0.minResponseRate = 50_000_000 }, handler: large) { listener in
      let client = try listener.client(receiveBuffer: 65_536)
      var received = 0
      #expect(throws: RawClient.Failure.self) {
        while received < largeBody.count {
          received += try client.drop(65_536)
          clock.pass(.seconds(12), for: listener)
          try settle(listener)
        }
      }
      #expect(received < largeBody.count)
      #expect(listener.counts.lateResponses >= 1)
    }
  }

  @Test func `a client at the slowest rate stays as far from its deadline as it is, and one below comes nearer`() {
    let second: UInt64 = 1_000_000_000
    let credit = { (bytes: UInt64) in ListenerShared.credit(bytes, rate: 1_024, most: 30 * second) }
    #expect(credit(1_024) == second)
    #expect(credit(1_023) < second)
    #expect(credit(1_025) > second)
    #expect(credit(0) == 0)
    // Bytes that a client takes at once give it no more than the whole time.
    #expect(credit(30 * 1_024) == 30 * second)
    #expect(credit(31 * 1_024) == 30 * second)
    #expect(credit(.max) == 30 * second)
  }

  @Test func `a client that ends its side with its request is answered, and let go`() throws {
    try withListener(clock: clock) { listener in
      let client = try listener.client()
      client.endSending()
      #expect(try client.receive().text == "GET / h ")
      for _ in 0..<2 {
        clock.pass(.seconds(12), for: listener)
        try settle(listener)
      }
      #expect(try client.isClosedByServer())
      #expect(listener.counts.idle == 0)
    }
  }

  @Test(arguments: ["", "GET / HT"])
  func `stopping waits a second for a client that has not sent the line of a request, and no longer`(start: String)
    throws
  {
    try withListener(clock: clock) { listener in
      let client = try listener.client(start)
      try settle(listener)
      listener.stop(within: .seconds(60))
      #expect(try client.isClosedInTheEnd())
    }
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n", "Host: h\r\n\r\n"),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc", "defghij"),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "cde\r\n0\r\n\r\n"),
  ])
  func `stopping waits for a request that is half sent, while its client has time`(start: String, rest: String) throws {
    try withListener(clock: clock) { listener in
      let clients = try (0..<2).map { _ in
        let client = try listener.client(start)
        return client
      }
      try settle(listener)
      let stopping = onThread { listener.stop(within: .seconds(60)) }
      try clients[0].send(rest)
      #expect(try clients[0].receive().status == 200)
      // More than a client has for a head or a body, and less than the server has to stop.
      clock.pass(.seconds(17), for: listener)
      #expect(try clients[1].isClosedByServer())
      try stopping.take()
    }
  }
}

private let largeBody = [UInt8](repeating: 0x78, count: 8 << 20)

@Sendable private func large(_ request: HTTPRequest) -> HTTPAnswer {
  request.target == "/settle" ? echo(request) : .now(HTTPResponse(status: 200, fields: [], body: largeBody))
}
