// SPDX-License-Identifier: MIT
import Testing

@testable import HTTPListening

@Suite(.timeLimit(.minutes(5)))
struct DeadlineTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  @Test(arguments: [
    ("a head", "GET / HTTP/1.1\r\nX: "), ("a body", "POST / HTTP/1.1\r\nContent-Length: 60000\r\n\r\n"),
    ("a chunk", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nff00\r\n"),
  ])
  func `a byte now and then does not put the deadline off`(what: String, start: String) throws {
    try withListener(
      configure: {
        $0.headTimeout = .milliseconds(200)
        $0.bodyTimeout = .milliseconds(200)
      }, handler: echo,
      { listener in
        let client = try RawClient(port: listener.port)
        try client.send(start)
        let start = ContinuousClock.now
        while try !client.isReadable(within: .milliseconds(10)) { try? client.send("x") }
        #expect(try client.isClosedInTheEnd())
        #expect(start.duration(to: .now) < .seconds(5))
        #expect(listener.counts.lateHeads == (what == "a head" ? 1 : 0))
        #expect(listener.counts.lateBodies == (what == "a head" ? 0 : 1))
      })
  }

  @Test func `the first head's time begins with the connection, not with its first byte`() throws {
    try withListener(configure: { $0.headTimeout = .seconds(2) }, handler: echo) { listener in
      let start = ContinuousClock.now
      let client = try RawClient(port: listener.port)
      #expect(try !client.isReadable(within: .milliseconds(1_500)))
      try client.send("GET ")
      #expect(try client.isClosedByServer())
      // Counted from the first byte it would be 3.5 s at least.
      #expect(start.duration(to: .now) < .milliseconds(3_400))
      #expect(listener.counts.lateHeads == 1)
    }
  }

  @Test func `a connection without a request is closed`() throws {
    try withListener(
      configure: {
        $0.headTimeout = .milliseconds(100)
        $0.idleTimeout = .milliseconds(200)
      }, handler: echo,
      { listener in
        let silent = try RawClient(port: listener.port)
        let served = try RawClient(port: listener.port)
        try served.send(Self.get)
        #expect(try served.receive().status == 200)
        #expect(try silent.isClosedByServer())
        #expect(try served.isClosedByServer())
        #expect(listener.counts.idle == 2)
      })
  }

  @Test func `a client that takes nothing of its response is reset`() throws {
    try withListener(
      configure: { $0.responseTimeout = .milliseconds(200) }, handler: large,
      { listener in
        let client = try RawClient(port: listener.port, receiveBuffer: 4_096)
        try client.send(Self.get)
        #expect(try client.isHungUp())
        #expect(listener.counts.lateResponses == 1)
      })
  }

  @Test func `a client that takes its response slowly gets all of it`() throws {
    try withListener(
      configure: { $0.responseTimeout = .milliseconds(200) }, handler: large,
      { listener in
        let client = try RawClient(port: listener.port, receiveBuffer: 65_536)
        try client.send(Self.get)
        let start = ContinuousClock.now
        var received = 0
        while received < largeBody.count {
          // Longer than the time allowed, in all.
          received += try client.receive(atMost: 65_536, pausing: .milliseconds(5))
        }
        #expect(start.duration(to: .now) > .milliseconds(400))
        #expect(listener.counts.lateResponses == 0)
      })
  }

  @Test func `a client that takes its response too slowly is reset, however steadily it does`() throws {
    try withListener(
      configure: {
        $0.responseTimeout = .milliseconds(300)
        $0.minResponseRate = 50_000_000
      }, handler: large,
      { listener in
        let client = try RawClient(port: listener.port, receiveBuffer: 65_536)
        try client.send(Self.get)
        var received = 0
        #expect(throws: RawClient.Failure.self) {
          // 6 MB/s at most.
          while received < largeBody.count {
            received += try client.receive(atMost: 65_536, pausing: .milliseconds(10))
          }
        }
        #expect(received < largeBody.count)
        #expect(listener.counts.lateResponses == 1)
      })
  }

  @Test func `a client at the slowest rate stays as far from its deadline as it is, and one below comes nearer`() {
    let second: UInt64 = 1_000_000_000
    let credit = { (bytes: UInt64) in ListenerShared.credit(bytes, rate: 1_024, most: 30 * second) }
    #expect(credit(1_024) == second)
    #expect(credit(1_023) < second)
    #expect(credit(1_025) > second)
    #expect(credit(0) == 0)
    // What it took ahead counts for no more than the whole time.
    #expect(credit(30 * 1_024) == 30 * second)
    #expect(credit(31 * 1_024) == 30 * second)
    #expect(credit(.max) == 30 * second)
  }

  @Test func `a thousand clients that vanish while they wait are let go within a second`() throws {
    // Whoever else is on the machine can only make it longer: one time in three shows what the listener can do.
    var times: [Duration] = []
    while times.count < 3, times.allSatisfy({ $0 >= .seconds(1) }) { times.append(try lettingAThousandGo()) }
    #expect(times.contains { $0 < .seconds(1) }, "it took \(times)")
  }

  private func lettingAThousandGo() throws -> Duration {
    let endings = Mailbox<DeferredReply.Ending>()
    let parked = Mailbox<Bool>()
    return try withListener(
      configure: { $0.maxConnectionsPerAddress = 1_000 },
      handler: { _ in
        let reply = waiting(endings: endings)
        parked.put(true)
        return .later(reply)
      },
      { listener in
        let clients = try (0..<1_000).map { _ in try RawClient(port: listener.port) }
        for client in clients { try client.send(Self.get) }
        for _ in clients { _ = try parked.take() }
        #expect(listener.counts.connections == 1_000)
        for client in clients { client.close() }
        let start = ContinuousClock.now
        for _ in clients {
          let ending = try endings.take()
          guard case .clientLeft = ending else {
            Issue.record("a wait ended by \(ending), and not with its client")
            break
          }
        }
        return start.duration(to: .now)
      })
  }

  @Test func `a client that ends its side with its request is answered, and let go`() throws {
    try withListener(configure: { $0.headTimeout = .milliseconds(200) }, handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(Self.get)
      client.endSending()
      #expect(try client.receive().text == "GET / h ")
      #expect(try client.isClosedByServer())
    }
  }

  @Test func `stopping does not wait for requests that are half sent`() throws {
    try withListener(handler: echo) { listener in
      let clients = try [
        "", "GET / HT", "POST / HTTP/1.1\r\nHost: h\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
      ].map { text in
        let client = try RawClient(port: listener.port)
        try client.send(text)
        return client
      }
      let start = ContinuousClock.now
      listener.stop(within: .seconds(60))
      #expect(start.duration(to: .now) < .seconds(10))
      for client in clients { #expect(try client.isClosedInTheEnd()) }
    }
  }
}

private let largeBody = [UInt8](repeating: 0x78, count: 8 << 20)

@Sendable private func large(_ request: HTTPRequest) -> HTTPAnswer {
  .now(HTTPResponse(status: 200, fields: [], body: largeBody))
}
