// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// Replies that have their request handled anew.
@Suite(.timeLimit(.minutes(30))) struct AskingAgainTests {
  private let replies = Mailbox<DeferredReply>()

  /// A handler that lets a request wait until this attempt, and then echoes it.
  private func handler(attempts: Int) -> @Sendable (HTTPRequest) -> HTTPAnswer {
    { [hold = holding(replies)] request in
      request.addToAnswer([HTTPField("X-Attempt", "\(request.attempt)")])
      return request.attempt == attempts ? echo(request) : hold(request)
    }
  }

  @Test func `the handler gets the same request with its body, and the fields of its last call alone count`() throws {
    try withListener(handler: handler(attempts: 3)) { listener in
      let client = try RawClient(port: listener.port)
      for body in ["one", String(repeating: "long ", count: 4_000), ""] {
        try client.send(post(body, to: "/a?b"))
        for _ in 0..<3 { #expect(try replies.take().askAgain()) }
        let answer = try client.receive()
        #expect(answer.text == "POST /a?b h \(body)")
        #expect(answer.fields.filter { $0.name == "X-Attempt" }.map(\.value) == ["3"])
      }
    }
  }

  @Test func `a reply that asks again before the handler returns is handled at once`() throws {
    try withListener(
      handler: { request in
        if request.attempt == 2 { return echo(request) }
        let reply = DeferredReply(deadline: nil) { _, _ in }
        #expect(reply.askAgain())
        #expect(!reply.answer(HTTPResponse("too late")))
        return .later(reply)
      },
      { listener in
        let client = try listener.client(post("hi") + post("hi"))
        for _ in 0..<2 { #expect(try client.receive().text == "POST / h hi") }
        #expect(listener.counts.requests == 2)
      })
  }

  @Test func `a request that is handled again has the rest of its time, and no new one`() throws {
    let (clock, replies) = (TestClock(), replies)
    try withListener(
      clock: clock,
      handler: { _ in
        let reply = DeferredReply(deadline: .seconds(30)) { reply, _ in reply.answer(HTTPResponse("timed out")) }
        replies.put(reply)
        return .later(reply)
      },
      { listener in
        let client = try listener.client()
        for _ in 0..<2 {
          let reply = try replies.take()
          clock.pass(.seconds(14), for: listener)
          #expect(reply.askAgain())
        }
        _ = try replies.take()
        clock.pass(.seconds(2), for: listener)
        #expect(try client.receive().text == "timed out")
      })
  }

  @Test func `a client that has left is not handled again`() throws {
    try withListener(handler: handler(attempts: 1)) { listener in
      let client = try listener.client()
      let reply = try replies.take()
      client.close()
      for isAskedAgain in [false, true] {
        let other = try listener.client()
        if isAskedAgain { _ = reply.askAgain() }
        try replies.take().askAgain()
        #expect(try other.receive().text == "GET / h ")
      }
    }
  }
}
