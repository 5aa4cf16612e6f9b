// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ListeningTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  @Test func `a port that is taken is named in the error`() throws {
    try withListener(handler: echo) { first in
      let second = HTTPListener(
        configuration: HTTPListenerConfiguration(host: "127.0.0.1", port: first.port),
        onRefusal: refusalResponse, handler: echo)
      #expect(throws: HTTPListeningError.addressInUse(host: "127.0.0.1", port: first.port)) { try second.start() }
      #expect(HTTPListeningError.addressInUse(host: "::1", port: 80).description.contains("::1:80"))
      second.stop()
    }
  }

  @Test func `an address of another machine is an error`() throws {
    let listener = HTTPListener(
      configuration: HTTPListenerConfiguration(host: "192.0.2.1", port: 0), onRefusal: refusalResponse, handler: echo)
    #expect(throws: HTTPListeningError.self) { try listener.start() }
  }

  @Test func `a listener starts once and stops any number of times`() throws {
    try withListener(handler: echo) { listener in
      #expect(throws: HTTPListeningError.alreadyStarted) { try listener.start() }
      let port = listener.port
      listener.stop()
      listener.stop()
      #expect(listener.port == port)
      #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: port) }
    }
  }

  @Test func `the port is free again after stopping`() throws {
    let port = try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(Self.get)
      _ = try client.receive()
      return listener.port
    }
    try withListener(configure: { $0.port = port }, handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(Self.get)
      #expect(try client.receive().status == 200)
    }
  }

  @Test func `a thousand waiting requests are answered when the listener stops`() throws {
    let endings = Mailbox<DeferredReply.Ending>()
    let parked = Mailbox<Bool>()
    try withListener(
      configure: { $0.maxConnectionsPerAddress = 1_000 },
      handler: { _ in
        let reply = waiting(endings: endings)
        parked.put(true)
        return .later(reply)
      },
      { listener in
        let clients = try (0..<1_000).map { _ in
          let client = try RawClient(port: listener.port)
          try client.send(Self.get)
          return client
        }
        for _ in clients { _ = try parked.take() }
        let start = ContinuousClock.now
        listener.stop()
        #expect(start.duration(to: .now) < .seconds(2))
        for client in clients {
          let response = try client.receive()
          #expect(response.text == "stopping")
          #expect(response.field("Connection") == "close")
          #expect(try client.isClosedByServer())
        }
        #expect(endings.count == 1_000)
      })
  }

  @Test func `a waiting request that nobody answers gets a 503 when the grace is over`() throws {
    let parked = Mailbox<DeferredReply>()
    try withListener(
      handler: { _ in
        let reply = DeferredReply(deadline: nil) { _, _ in }
        parked.put(reply)
        return .later(reply)
      },
      { listener in
        let client = try RawClient(port: listener.port)
        try client.send(Self.get)
        let reply = try parked.take()
        listener.stop(within: .milliseconds(20))
        let response = try client.receive()
        #expect(response.status == 503)
        #expect(response.body.isEmpty)
        #expect(!reply.answer(HTTPResponse("late")))
      })
  }

  @Test func `answers that race with the end of the grace are sent or refused, and stopping succeeds`() throws {
    for _ in 0..<20 {
      let parked = Mailbox<DeferredReply>()
      try withListener(
        handler: { _ in
          let reply = DeferredReply(deadline: nil) { _, _ in }
          parked.put(reply)
          return .later(reply)
        },
        { listener in
          let clients = try (0..<20).map { _ in
            let client = try RawClient(port: listener.port)
            try client.send(Self.get + Self.get)
            return client
          }
          let replies = try clients.map { _ in try parked.take() }
          let stopping = onThread { listener.stop(within: .zero) }
          for reply in replies { reply.answer(HTTPResponse("raced")) }
          stopping.join()
          for client in clients { #expect([200, 503].contains(try client.receive().status)) }
        })
    }
  }

  @Test func `stopping drops requests that are being read`() throws {
    try withListener(handler: echo) { listener in
      let clients = try [
        "GET / HT", "POST / HTTP/1.1\r\nHost: h\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
      ].map { text in
        let client = try RawClient(port: listener.port)
        try client.send(text)
        return client
      }
      let answered = try RawClient(port: listener.port)
      try answered.send(Self.get)
      _ = try answered.receive()
      listener.stop(within: .milliseconds(20))
      for client in clients { #expect(try client.isClosedByServer()) }
    }
  }

  @Test(arguments: [
    "", "GET / HT", "GET / HTTP/1.1\r\nHost:", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc",
  ])
  func `a request that takes too long to come is cut off`(start: String) throws {
    try withListener(
      configure: {
        $0.headTimeout = .milliseconds(50)
        $0.bodyTimeout = .milliseconds(50)
      }, handler: echo,
      { listener in
        let client = try RawClient(port: listener.port)
        try client.send(start)
        #expect(try client.isClosedByServer())
      })
  }

  @Test func `a request that waits or a pause between requests is not cut off`() throws {
    let endings = Mailbox<DeferredReply.Ending>()
    try withListener(
      configure: { $0.headTimeout = .milliseconds(20) },
      handler: { _ in .later(waiting(deadline: .milliseconds(100), endings: endings)) },
      { listener in
        let client = try RawClient(port: listener.port)
        let other = try RawClient(port: listener.port)
        try client.send(Self.get)
        try other.send(Self.get)
        for client in [client, other, client, other] {
          #expect(try client.receive().text == "timed out")
          try client.send(Self.get)
        }
      })
  }

  @Test func `a connection over the limit is closed, and a place that is left is given again`() throws {
    let ended = Mailbox<DeferredReply.Ending>()
    try withListener(
      configure: { $0.maxConnections = 3 },
      handler: { request in request.target == "/wait" ? .later(waiting(endings: ended)) : echo(request) },
      { listener in
        let clients = try (0..<3).map { _ in
          let client = try RawClient(port: listener.port)
          try client.send(Self.get)
          _ = try client.receive()
          return client
        }
        #expect(try RawClient(port: listener.port).isClosedByServer())
        try clients[0].send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        _ = try clients[0].receive()
        #expect(try clients[0].isClosedByServer())
        // The place is given back just after the close that the client sees.
        while true {
          let next = try RawClient(port: listener.port)
          try next.send(Self.get)
          if (try? next.receive())?.status == 200 { break }
        }
      })
  }

  @Test func `connections are dealt to every loop`() throws {
    let threads = Mailbox<UInt>()
    try withListener(
      configure: { $0.loops = 2 },
      handler: { request in
        threads.put(currentThread())
        return echo(request)
      },
      { listener in
        for _ in 0..<8 {
          let client = try RawClient(port: listener.port)
          try client.send(Self.get)
          _ = try client.receive()
        }
        #expect(Set(try (0..<8).map { _ in try threads.take() }).count == 2)
      })
  }
}
