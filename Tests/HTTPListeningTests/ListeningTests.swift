// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import HTTPListening

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

  @Test func `a client that connects between two listeners of one socket is served by the second`() throws {
    let socket = try ListeningSocket(HTTPListenerConfiguration(host: "127.0.0.1", port: 0))
    let second = dup(socket.descriptor)
    try withListener(configure: { $0.inheritedDescriptor = socket.descriptor }, handler: echo) { $0.stop() }
    let client = try RawClient(port: socket.port)
    try client.send(Self.get)
    try withListener(configure: { $0.inheritedDescriptor = second }, handler: echo) { listener in
      let response = try client.receive()
      #expect(response.status == 200 && listener.port == socket.port)
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

  @Test func `a request that waits or a pause between requests is not cut off`() throws {
    let endings = Mailbox<DeferredReply.Ending>()
    let parked = Mailbox<Bool>()
    let clock = TestClock()
    try withListener(
      configure: {
        $0.loops = 1
        $0.clock = clock.clock
      },
      handler: { request in
        guard request.target == "/" else { return echo(request) }
        parked.put(true)
        return .later(waiting(deadline: .seconds(55), endings: endings))
      },
      { listener in
        let client = try RawClient(port: listener.port)
        for _ in 0..<3 {
          try client.send(Self.get)
          _ = try parked.take()
          let other = try RawClient(port: listener.port)
          try other.send("GET /other HTTP/1.1\r\nHost: h\r\n\r\n")
          #expect(try other.receive().status == 200)
          clock.pass(.seconds(50), for: listener)
          clock.pass(.seconds(6), for: listener)
          #expect(try client.receive().text == "timed out")
          clock.pass(.seconds(60), for: listener)
        }
      })
  }

  @Test func `a connection over the limit is closed, and a place that is left is given again`() throws {
    let clock = TestClock()
    let ended = Mailbox<DeferredReply.Ending>()
    try withListener(
      configure: {
        $0.loops = 1
        $0.clock = clock.clock
        $0.maxConnections = 3
      },
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
        clients[0].close()
        // The end of the client may come late. The place is free when the loop has served another client after
        // this time.
        clock.pass(.seconds(3), for: listener)
        try clients[1].send(Self.get)
        _ = try clients[1].receive()
        let next = try RawClient(port: listener.port)
        try next.send(Self.get)
        #expect(try next.receive().status == 200)
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
