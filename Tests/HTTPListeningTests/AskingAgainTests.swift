// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// Replies that have their request handled anew.
@Suite(.timeLimit(.minutes(5)))
struct AskingAgainTests {
  private let replies = Mailbox<DeferredReply>()

  /// A handler that lets a request wait until this attempt, and then echoes it.
  private func handler(attempts: Int) -> @Sendable (HTTPRequest) -> HTTPAnswer {
    { [replies] request in
      request.addToAnswer([HTTPField("X-Attempt", "\(request.attempt)")])
      if request.attempt == attempts {
        return .now(
          HTTPResponse("\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))"))
      }
      let reply = DeferredReply(deadline: nil) { _, _ in }
      replies.put(reply)
      return .later(reply)
    }
  }

  @Test func `the handler is called with the same request, its body included, and the fields of the last call alone`()
    throws
  {
    try withListener(handler: handler(attempts: 3)) { listener in
      let client = try RawClient(port: listener.port)
      for body in ["one", String(repeating: "long ", count: 4_000), ""] {
        try client.send("POST /a?b HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        for _ in 0..<3 { #expect(try replies.take().askAgain()) }
        let answer = try client.receive()
        #expect(answer.text == "POST /a?b \(body)")
        #expect(answer.fields.filter { $0.name == "X-Attempt" }.map(\.value) == ["3"])
      }
    }
  }

  @Test func `one that is told before the handler returns is handled at once`() throws {
    try withListener(
      handler: { request in
        if request.attempt == 2 { return .now(HTTPResponse(String(decoding: request.body, as: UTF8.self))) }
        let reply = DeferredReply(deadline: nil) { _, _ in }
        #expect(reply.askAgain())
        #expect(!reply.answer(HTTPResponse("too late")))
        return .later(reply)
      },
      { listener in
        let client = try RawClient(port: listener.port)
        for _ in 0..<2 {
          try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi")
          #expect(try client.receive().text == "hi")
        }
        #expect(listener.counts.requests == 2)
      })
  }

  @Test func `a client that has left is not handled again`() throws {
    try withListener(handler: handler(attempts: 1)) { listener in
      let client = try RawClient(port: listener.port)
      try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      let reply = try replies.take()
      client.close()
      let other = try RawClient(port: listener.port)
      try other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      try replies.take().askAgain()
      #expect(try other.receive().text == "GET / ")
      _ = reply.askAgain()
      try other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      try replies.take().askAgain()
      #expect(try other.receive().text == "GET / ")
    }
  }
}
