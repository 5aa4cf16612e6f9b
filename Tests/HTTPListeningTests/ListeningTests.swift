// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import HTTPListening

@Suite(.timeLimit(.minutes(30))) struct ListeningTests {
  @Test func `a port that is taken is named in the error`() throws {
    try withListener { first in
      #expect(throws: HTTPListeningError.addressInUse(host: "127.0.0.1", port: first.port)) {
        try withListener(configure: { $0.port = first.port }) { _ in }
      }
      #expect(HTTPListeningError.addressInUse(host: "::1", port: 80).description.contains("::1:80"))
    }
  }

  @Test func `an address of another machine is an error`() throws {
    #expect(throws: HTTPListeningError.self) { try withListener(configure: { $0.host = "192.0.2.1" }) { _ in } }
  }

  // Nothing else uses this address, so nobody else gets the port meanwhile.
  @Test func `a listener starts once and stops any number of times, and its port is free again`() throws {
    let port = try withListener(configure: { $0.host = "127.0.0.77" }) { listener in
      #expect(throws: HTTPListeningError.alreadyStarted) { try listener.start() }
      let port = listener.port
      let client = try RawClient(port: port, at: 77)
      try client.send(get)
      #expect(try client.receive().status == 200)
      listener.stop()
      listener.stop()
      #expect(listener.port == port)
      #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: port, at: 77) }
      return port
    }
    try withListener(configure: { ($0.host, $0.port) = ("127.0.0.77", port) }) { _ in
      let client = try RawClient(port: port, at: 77)
      try client.send(get)
      #expect(try client.receive().status == 200)
    }
  }

  @Test func `a client that connects between two listeners of one socket is served by the second`() throws {
    let socket = try ListeningSocket(HTTPListenerConfiguration(host: "127.0.0.1", port: 0))
    let second = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
    try withListener(configure: { $0.inheritedDescriptor = socket.descriptor }) { $0.stop() }
    let client = try RawClient(port: socket.port)
    try client.send(get)
    try withListener(configure: { $0.inheritedDescriptor = second }) { listener in
      let response = try client.receive()
      #expect(response.status == 200 && listener.port == socket.port)
    }
  }

  @Test func `the system asks a silent client whether it is there, and gives up within half a minute`() throws {
    let socket = try ListeningSocket(HTTPListenerConfiguration(host: "127.0.0.1", port: 0))
    defer { socket.closeDescriptor() }
    let client = try RawClient(port: socket.port)
    guard case .connected(let accepted, _) = socket.accept() else { throw RawClient.Hang(call: "accept") }
    defer { close(accepted) }
    func option(_ level: Int32, _ name: Int32) -> Int32 {
      var (value, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      getsockopt(accepted, level, name, &value, &length)
      return value
    }
    let tcp = Int32(IPPROTO_TCP)
    #expect(option(SOL_SOCKET, SO_KEEPALIVE) == 1)
    let seconds = option(tcp, TCP_KEEPIDLE) + option(tcp, TCP_KEEPINTVL) * option(tcp, TCP_KEEPCNT)
    #expect((10...27).contains(seconds))
    withExtendedLifetime(client) {}
  }

  @Test func `all waiting requests are answered when the listener stops, long before the grace is over`() throws {
    let endings = Mailbox<DeferredReply.Ending>()
    let parked = Mailbox<Bool>()
    try withListener(
      handler: { _ in
        let reply = waiting(endings: endings)
        parked.put(true)
        return .later(reply)
      },
      { listener in
        let clients = try (0..<200).map { _ in try listener.client() }
        for _ in clients { _ = try parked.take() }
        listener.stop(within: .seconds(3_600))
        for client in clients {
          let response = try client.receive()
          #expect((response.text, response.field("Connection")) == ("stopping", "close"))
          #expect(try client.isClosedByServer())
        }
        #expect(endings.count == clients.count)
      })
  }

  @Test func `a client that has just connected gets its first answer, though the listener stops by then`() throws {
    let (replies, endings) = (Mailbox<DeferredReply>(), Mailbox<DeferredReply.Ending>())
    try withListener(
      configure: {
        $0.loops = 1
        $0.firstRequestTime = .seconds(3_600)
      },
      handler: { request in
        guard request.target == "/wait" else { return echo(request) }
        let reply = waiting(endings: endings)
        replies.put(reply)
        return .later(reply)
      },
      { listener in
        let waiting = try listener.client("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try replies.take()
        let newcomer = try RawClient(port: listener.port)
        // It was accepted before this one.
        #expect(try listener.answer().status == 200)
        let isStopped = onThread { listener.stop(within: .seconds(60)) }
        // The loop has heard of the stop.
        #expect(try endings.take() == .stopping)
        #expect(try waiting.receive().text == "stopping")
        try newcomer.send(get)
        #expect(try newcomer.receive().text == "GET / h ")
        try isStopped.take()
      })
  }

  @Test func `answers that race with the end of the grace are sent or refused, and stopping succeeds`() throws {
    for _ in 0..<20 {
      let parked = Mailbox<DeferredReply>()
      try withListener(handler: holding(parked)) { listener in
        let clients = try (0..<20).map { _ in try listener.client(get + get) }
        let replies = try clients.map { _ in try parked.take() }
        let stopping = onThread { listener.stop(within: .zero) }
        for reply in replies { reply.answer(HTTPResponse("raced")) }
        try stopping.take()
        for client in clients { #expect([200, 503].contains(try client.receive().status)) }
      }
    }
  }

  @Test func `a request that waits or a pause between requests is not cut off`() throws {
    let endings = Mailbox<DeferredReply.Ending>()
    let parked = Mailbox<Bool>()
    let clock = TestClock()
    try withListener(
      clock: clock,
      handler: { request in
        guard request.target == "/" else { return echo(request) }
        parked.put(true)
        return .later(waiting(deadline: .seconds(55), endings: endings))
      },
      { listener in
        let client = try RawClient(port: listener.port)
        for _ in 0..<3 {
          try client.send(get)
          _ = try parked.take()
          #expect(try listener.answer("GET /other HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
          clock.pass(.seconds(50), for: listener)
          clock.pass(.seconds(6), for: listener)
          #expect(try client.receive().text == "timed out")
          clock.pass(.seconds(60), for: listener)
        }
      })
  }

  @Test func `a connection over the limit is closed, and a place that is left is given again`() throws {
    let clock = TestClock()
    try withListener(clock: clock, configure: { $0.maxConnections = 3 }) { listener in
      let clients = try (0..<3).map { _ in try listener.served() }
      #expect(try RawClient(port: listener.port).isClosedByServer())
      try clients[0].send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
      _ = try clients[0].receive()
      #expect(try clients[0].isClosedByServer())
      clients[0].close()
      // The end of the client may come late. The place is free when the loop has served another client after
      // this time.
      clock.pass(.seconds(3), for: listener)
      try clients[1].send(get)
      _ = try clients[1].receive()
      #expect(try listener.answer().status == 200)
    }
  }

  @Test func `connections are dealt to every loop`() throws {
    let threads = Mailbox<UInt>()
    try withListener(
      configure: { $0.loops = 2 },
      handler: { request in
        threads.put(UInt(pthread_self()))
        return echo(request)
      },
      { listener in
        for _ in 0..<8 { try listener.answer() }
        #expect(Set(try (0..<8).map { _ in try threads.take() }).count == 2)
      })
  }
}
