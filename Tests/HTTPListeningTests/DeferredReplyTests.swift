// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(30))) struct DeferredReplyTests {
  private let endings = Mailbox<DeferredReply.Ending>()
  private let replies = Mailbox<DeferredReply>()

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
        let client = try listener.client(get + get + get)
        for _ in 0..<3 { #expect(try client.receive().text == "early") }
      })
    #expect(endings.count == 0)
  }

  @Test func `an answer from another thread is sent, only the first, and before a later request is read`() throws {
    try withListener(handler: wait()) { listener in
      let client = try listener.client(String(repeating: get, count: 50))
      for number in 0..<50 {
        let reply = try replies.take()
        #expect(replies.count == 0)
        #expect(reply.answer(HTTPResponse("\(number)")))
        #expect(!reply.answer(HTTPResponse("again")))
        #expect(try client.receive().text == "\(number)")
      }
    }
    #expect(endings.count == 0)
  }

  @Test func `the deadline ends a wait, and the owner answers`() throws {
    let clock = TestClock()
    try withListener(clock: clock, handler: wait(deadline: .seconds(30))) { listener in
      let client = try listener.client()
      let reply = try replies.take()
      // When the loop takes another request, the one before waits.
      try step(29)
      #expect(endings.count == 0)
      try step(1)
      #expect(try client.receive().text == "timed out")
      #expect(try endings.take() == .timedOut)
      #expect(!reply.answer(HTTPResponse("late")))

      func step(_ seconds: Int) throws {
        let other = try listener.client()
        let another = try replies.take()
        clock.pass(.seconds(seconds), for: listener)
        #expect(another.answer(HTTPResponse("answered")))
        #expect(try other.receive().text == "answered")
      }
    }
  }

  @Test func `a wait whose owner does not answer at the deadline goes on`() throws {
    let ended = Mailbox<DeferredReply.Ending>()
    try withListener(
      handler: { [replies] _ in
        let reply = DeferredReply(deadline: .milliseconds(1)) { ended.put($1) }
        replies.put(reply)
        return .later(reply)
      },
      { listener in
        let client = try listener.client()
        #expect(try ended.take() == .timedOut)
        #expect(try replies.take().answer(HTTPResponse("after all")))
        #expect(try client.receive().text == "after all")
      })
    #expect(ended.count == 0)
  }

  @Test(arguments: [1, 200])
  func `clients that leave are noticed`(count: Int) throws {
    try withListener(handler: wait()) { listener in
      let clients = try (0..<count).map { _ in try listener.client() }
      let waiting = try (0..<count).map { _ in try replies.take() }
      for client in clients { client.close() }
      for _ in 0..<count { #expect(try endings.take() == .clientLeft) }
      for reply in waiting { #expect(!reply.answer(HTTPResponse("nobody"))) }
    }
    #expect(endings.count == 0)
  }

  @Test func `an answer that races with a client that leaves is taken or told, never both`() throws {
    let clock = TestClock()
    try withListener(clock: clock, handler: wait(deadline: .seconds(5))) { listener in
      for round in 0..<300 {
        let client = try listener.client()
        let reply = try replies.take()
        if round % 3 == 1 { client.close() }
        if round % 3 == 2 { clock.pass(.seconds(5), for: listener) }
        let isTaken = reply.answer(HTTPResponse("\(round)"))
        if !isTaken { _ = try endings.take() }
        #expect(isTaken || round % 3 != 0)
      }
      #expect(endings.count == 0)
      let client = try listener.client()
      #expect(try replies.take().answer(HTTPResponse("after all")))
      #expect(try client.receive().text == "after all")
    }
  }

  @Test func `a reply that is over keeps nothing of its owner`() {
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
