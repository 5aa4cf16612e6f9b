// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DeferredReplyTests {
  private let endings = Mailbox<DeferredReply.Ending>()
  private let replies = Mailbox<DeferredReply>()
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  /// A handler that lets every request wait.
  private func wait(deadline: Duration? = nil) -> @Sendable (HTTPRequest) -> HTTPAnswer {
    { [endings, replies] _ in
      let reply = waiting(deadline: deadline, endings: endings)
      replies.put(reply)
      return .later(reply)
    }
  }

  @Test func `an answer before the handler returns is sent at once`() throws {
    try withListener(
      handler: { [endings] _ in
        let reply = waiting(endings: endings)
        #expect(reply.answer(HTTPResponse("early")))
        #expect(!reply.answer(HTTPResponse("again")))
        return .later(reply)
      },
      { listener in
        let client = try RawClient(port: listener.port)
        for _ in 0..<3 {
          try client.send(Self.get)
          #expect(try client.receive().text == "early")
        }
      })
    #expect(endings.count == 0)
  }

  @Test func `an answer from another thread is sent, and only the first`() throws {
    try withListener(handler: wait()) { listener in
      let client = try RawClient(port: listener.port)
      for number in 0..<50 {
        try client.send(Self.get)
        let reply = try replies.take()
        #expect(reply.answer(HTTPResponse("\(number)")))
        #expect(!reply.answer(HTTPResponse("again")))
        #expect(try client.receive().text == "\(number)")
      }
    }
    #expect(endings.count == 0)
  }

  @Test func `a request behind a waiting one is served after it`() throws {
    try withListener(handler: wait()) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(Self.get + Self.get)
      try replies.take().answer(HTTPResponse("first"))
      #expect(try client.receive().text == "first")
      try replies.take().answer(HTTPResponse("second"))
      #expect(try client.receive().text == "second")
    }
  }

  @Test func `the deadline ends a wait, and the owner answers`() throws {
    let clock = TestClock()
    try withListener(
      configure: {
        $0.loops = 1
        $0.clock = clock.clock
      }, handler: wait(deadline: .seconds(30))
    ) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(Self.get)
      let reply = try replies.take()
      // The listener has one loop: when it takes another request, the one before waits.
      try step(29)
      #expect(endings.count == 0)
      try step(1)
      #expect(try client.receive().text == "timed out")
      #expect(try endings.take() == .timedOut)
      #expect(!reply.answer(HTTPResponse("late")))

      func step(_ seconds: Int) throws {
        let other = try RawClient(port: listener.port)
        try other.send(Self.get)
        let another = try replies.take()
        clock.pass(.seconds(seconds), for: listener)
        #expect(another.answer(HTTPResponse("answered")))
        #expect(try other.receive().text == "answered")
      }
    }
  }

  @Test func `a wait whose owner does not answer at the deadline goes on`() throws {
    let ended = Mailbox<DeferredReply.Ending>()
    let replies = Mailbox<DeferredReply>()
    try withListener(
      handler: { _ in
        let reply = DeferredReply(deadline: .milliseconds(1)) { ended.put($1) }
        replies.put(reply)
        return .later(reply)
      },
      { listener in
        let client = try RawClient(port: listener.port)
        try client.send(Self.get)
        #expect(try ended.take() == .timedOut)
        #expect(try replies.take().answer(HTTPResponse("after all")))
        #expect(try client.receive().text == "after all")
      })
    #expect(ended.count == 0)
  }

  @Test func `deadlines end waits in their order`() throws {
    let order = Mailbox<String>()
    let clock = TestClock()
    try withListener(
      configure: {
        $0.loops = 1
        $0.clock = clock.clock
      },
      handler: { request in
        let target = request.target
        guard let milliseconds = Int(target.dropFirst()) else { return echo(request) }
        return .later(
          DeferredReply(deadline: .milliseconds(milliseconds)) { if $1 == .timedOut { order.put(target) } })
      },
      { listener in
        let clients = try ["/150", "/50", "/200", "/100", "/last"].map { target in
          let client = try RawClient(port: listener.port)
          try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
          return client
        }
        #expect(try clients[4].receive().status == 200)
        clock.pass(.milliseconds(200), for: listener)
        #expect(try (0..<4).map { _ in try order.take() } == ["/50", "/100", "/150", "/200"])
        withExtendedLifetime(clients) {}
      })
  }

  @Test(arguments: [1, 200])
  func `clients that leave are noticed`(count: Int) throws {
    try withListener(handler: wait()) { listener in
      let clients = try (0..<count).map { _ in
        let client = try RawClient(port: listener.port)
        try client.send(Self.get)
        return client
      }
      let waiting = try (0..<count).map { _ in try replies.take() }
      for client in clients { client.close() }
      for _ in 0..<count { #expect(try endings.take() == .clientLeft) }
      for reply in waiting { #expect(!reply.answer(HTTPResponse("nobody"))) }
    }
    #expect(endings.count == 0)
  }

  @Test func `an answer that races with a client that leaves is taken or told, never both`() throws {
    try withListener(handler: wait(deadline: .milliseconds(5))) { listener in
      var taken = 0
      for round in 0..<300 {
        let client = try RawClient(port: listener.port)
        try client.send(Self.get)
        let reply = try replies.take()
        if round % 3 != 0 { client.close() }
        if reply.answer(HTTPResponse("\(round)")) { taken += 1 } else { _ = try endings.take() }
      }
      #expect(endings.count == 0)
      #expect(taken > 0)
      let client = try RawClient(port: listener.port)
      try client.send(Self.get)
      #expect(try client.receive().status == 200)
    }
  }

  @Test func `a reply that is over keeps nothing of its owner`() throws {
    try withListener(handler: wait()) { listener in
      final class Owner: Sendable {}
      weak var owner: Owner?
      let reply = {
        let made = Owner()
        owner = made
        return DeferredReply(deadline: nil) { _, _ in withExtendedLifetime(made) {} }
      }()
      #expect(owner != nil)
      reply.answer(HTTPResponse("over"))
      #expect(owner == nil)
    }
  }
}
