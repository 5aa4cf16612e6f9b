// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// Bodies that their handler reads while they come.
@Suite(.timeLimit(.minutes(30))) struct IncomingBodyTests {
  private let bodies = Mailbox<IncomingBody>()
  private let replies = Mailbox<DeferredReply>()
  private let endings = Mailbox<DeferredReply.Ending>()
  private let clock = TestClock()
  private let head = "PUT /big HTTP/1.1\r\nHost: h\r\n"

  /// A handler that lets requests with a body wait, and echoes others.
  private var holding: @Sendable (HTTPRequest) -> HTTPAnswer {
    { [bodies, replies, endings] request in
      guard let body = request.bodyStream else { return echo(request) }
      let reply = waiting(endings: endings)
      bodies.put(body)
      replies.put(reply)
      return .later(reply)
    }
  }

  private func with(
    limit: Int = 100_000_000, clock: TestClock? = nil, handler: (@Sendable (HTTPRequest) -> HTTPAnswer)? = nil,
    _ body: (HTTPListener) throws -> Void
  ) throws {
    try withListener(
      clock: clock,
      configure: {
        $0.bodyRule = { _, target in target == "/big" ? BodyRule(limit: limit, isStreamed: true) : nil }
      }, handler: handler ?? holding, body)
  }

  private func read(_ body: IncomingBody) throws -> IncomingBody.Piece {
    let pieces = Mailbox<IncomingBody.Piece>()
    body.read { pieces.put($0) }
    return try pieces.take()
  }

  /// The bytes up to the end of a body, and what it ended with.
  private func rest(_ body: IncomingBody) throws -> (bytes: [UInt8], ending: IncomingBody.Piece) {
    var bytes: [UInt8] = []
    while true {
      let piece = try read(body)
      guard case .bytes(let more) = piece else { return (bytes, piece) }
      bytes += more
    }
  }

  private func text(_ piece: IncomingBody.Piece) -> String {
    if case .bytes(let bytes) = piece { String(decoding: bytes, as: UTF8.self) } else { "\(piece)" }
  }

  @Test func `is read as it comes, and the connection goes on after its answer`() throws {
    try with { listener in
      let client = try listener.client(head + "Content-Length: 6\r\n\r\nabc")
      let body = try bodies.take()
      #expect(text(try read(body)) == "abc")
      try client.send("def")
      #expect(text(try read(body)) == "def")
      #expect(try read(body) == .end)
      #expect(try read(body) == .end)
      #expect(try replies.take().answer(HTTPResponse("taken")))
      #expect(try client.receive().text == "taken")
      try client.send(get)
      #expect(try client.receive().text == "GET / h ")
    }
  }

  @Test func `comes in chunks too, and may be answered before its end`() throws {
    try with { listener in
      let client = try listener.client(head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
      let body = try bodies.take()
      #expect(text(try read(body)) == "abc")
      #expect(try replies.take().answer(HTTPResponse("enough")))
      #expect(try read(body) == .lost)
      try client.send("3\r\ndef\r\n0\r\n\r\n")
      #expect(try client.receive().text == "enough")
    }
  }

  @Test func `is whole where it comes in many small chunks before anybody reads it`() throws {
    try with { listener in
      let client = try listener.client(head + "Transfer-Encoding: chunked\r\n\r\n")
      let body = try bodies.take()
      let chunk = "10\r\n0123456789abcdef\r\n"
      let isSent = onThread {
        #expect(throws: Never.self) { try client.send(String(repeating: chunk, count: 20_000) + "0\r\n\r\n") }
      }
      while listener.counts.bytesReceived < 70_000 { #expect(try listener.answer().status == 200) }
      let read = try rest(body)
      #expect(read.bytes.count == 320_000)
      #expect(read.ending == .end)
      try isSent.take()
      #expect(try replies.take().answer(HTTPResponse("all")))
      #expect(try client.receive().text == "all")
    }
  }

  @Test func `has a stream that answers it told when its client leaves before it could begin`() throws {
    let ends = Mailbox<HTTPStream.Ending>()
    try with { listener in
      let client = try listener.client(head + "Content-Length: 6\r\n\r\nabc")
      let body = try bodies.take()
      #expect(text(try read(body)) == "abc")
      let stream = HTTPStream(filler: nil, isOpenEnded: false, life: nil) { _ in
      } ended: {
        ends.put($1)
      }
      #expect(try replies.take().answer(HTTPResponse("never sent"), stream))
      #expect(try read(body) == .lost)
      client.close()
      guard case .clientLeft = try ends.take() else { return #expect(Bool(false), "the client had left") }
    }
  }

  @Test func `has the client wait while nobody reads it, and loses no byte`() throws {
    try with { listener in
      let sent = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
      let client = try listener.client(head + "Content-Length: \(sent.count)\r\n\r\n")
      let isSent = onThread { #expect(throws: Never.self) { try client.send(sent) } }
      let body = try bodies.take()
      // Other clients are served meanwhile. The listener reads no more than it holds, and a piece.
      while listener.counts.bytesReceived < 70_000 { #expect(try listener.answer().status == 200) }
      for _ in 0..<10 { #expect(try listener.answer().status == 200) }
      #expect(listener.counts.bytesReceived < 400_000)
      let read = try rest(body)
      #expect(read.bytes == sent)
      #expect(read.ending == .end)
      try isSent.take()
      #expect(try replies.take().answer(HTTPResponse("all")))
      #expect(try client.receive().text == "all")
    }
  }

  @Test func `is not read where the handler answers at once, and the connection is closed`() throws {
    try with(
      handler: { request in
        request.bodyStream == nil ? echo(request) : .now(HTTPResponse(status: 403, fields: [], body: []))
      },
      { listener in
        let client = try listener.client(head + "Content-Length: 600000\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.receive().status == 403)
        #expect(try client.isClosedInTheEnd())
      })
  }

  @Test func `is dropped where it is short and the handler answers at once, and the connection goes on`() throws {
    try with(
      handler: { request in
        request.bodyStream == nil ? echo(request) : .now(HTTPResponse(status: 403, fields: [], body: []))
      },
      { listener in
        let client = try listener.client(head + "Content-Length: 4\r\n\r\nabcd" + head + "Content-Length: 1\r\n\r\nx")
        #expect(try client.receive().status == 403)
        #expect(try client.receive().status == 403)
      })
  }

  @Test func `is refused when it is longer than it may be`() throws {
    try with(limit: 100) { listener in
      #expect(try listener.answer(head + "Content-Length: 101\r\n\r\n").status == 413)
      let client = try listener.client(
        head + "Transfer-Encoding: chunked\r\n\r\n60\r\n\(String(repeating: "a", count: 96))\r\n")
      let body = try bodies.take()
      #expect(text(try read(body)).utf8.count == 96)
      try client.send("5\r\nabcde\r\n0\r\n\r\n")
      #expect(try read(body) == .lost)
      #expect(try endings.take() == .clientLeft)
      #expect(try client.receive().status == 413)
    }
  }

  @Test func `is lost when its client leaves, and its owner is told`() throws {
    try with { listener in
      let client = try listener.client(head + "Content-Length: 6\r\n\r\nabc")
      let body = try bodies.take()
      #expect(text(try read(body)) == "abc")
      client.close()
      #expect(try read(body) == .lost)
      #expect(try endings.take() == .clientLeft)
    }
  }

  @Test func `is lost when its client leaves while it waits for its reader`() throws {
    try with { listener in
      let client = try listener.client(head + "Content-Length: 400000\r\n\r\n")
      let body = try bodies.take()
      try client.send([UInt8](repeating: 7, count: 399_999))
      client.close()
      let read = try rest(body)
      #expect(read.ending == .lost)
      #expect(read.bytes.count < 400_000)
    }
  }

  @Test func `is whole for a client that has ended its side behind it`() throws {
    try with { listener in
      let client = try listener.client(head + "Content-Length: 300000\r\n\r\n")
      let body = try bodies.take()
      try client.send([UInt8](repeating: 7, count: 300_000))
      client.endSending()
      #expect(try listener.answer().status == 200)
      let read = try rest(body)
      #expect(read.ending == .end)
      #expect(read.bytes.count == 300_000)
    }
  }

  @Test func `may take as long as it keeps its rate`() throws {
    try with(clock: clock) { listener in
      let client = try listener.client(head + "Content-Length: 100000\r\n\r\n")
      let body = try bodies.take()
      for _ in 0..<60 {
        try client.send([UInt8](repeating: 7, count: 1_024))
        guard case .bytes = try read(body) else { return #expect(Bool(false), "the body was cut off") }
        clock.pass(.seconds(1), for: listener)
      }
      #expect(try listener.answer().status == 200)
      #expect(listener.counts.lateBodies == 0)
      clock.pass(.seconds(17), for: listener)
      #expect(try read(body) == .lost)
      #expect(listener.counts.lateBodies == 1)
    }
  }

  @Test func `has no deadline while its reader is busy`() throws {
    try with(clock: clock) { listener in
      let client = try listener.client(head + "Content-Length: 300000\r\n\r\n")
      let body = try bodies.take()
      let isSent = onThread { #expect(throws: Never.self) { try client.send([UInt8](repeating: 7, count: 300_000)) } }
      // With so many bytes unread the client has to wait.
      while listener.counts.bytesReceived < 70_000 { #expect(try listener.answer().status == 200) }
      clock.pass(.seconds(600), for: listener)
      #expect(try listener.answer().status == 200)
      #expect(try rest(body).ending == .end)
      try isSent.take()
      #expect(listener.counts.lateBodies == 0)
    }
  }

  @Test func `is the same one when the handler is asked again`() throws {
    try with { listener in
      let client = try listener.client(head + "Content-Length: 6\r\n\r\nabc")
      let body = try bodies.take()
      #expect(try replies.take().askAgain())
      #expect(try bodies.take() === body)
      #expect(text(try read(body)) == "abc")
      try client.send("def")
      #expect(text(try read(body)) == "def")
      #expect(try read(body) == .end)
      #expect(try replies.take().askAgain())
      #expect(try bodies.take() === body)
      #expect(try replies.take().answer(HTTPResponse("taken")))
      #expect(try client.receive().text == "taken")
    }
  }

  @Test func `ends with the server, and its owner is told before`() throws {
    var body: IncomingBody?
    var held: IncomingBody?
    try with { listener in
      _ = try listener.client(head + "Content-Length: 6\r\n\r\nabc")
      body = try bodies.take()
      let client = try listener.client(head + "Content-Length: 300000\r\n\r\n")
      held = try bodies.take()
      _ = onThread { try? client.send([UInt8](repeating: 7, count: 300_000)) }
      #expect(try listener.answer().status == 200)
    }
    #expect(try rest(#require(body)).ending == .lost)
    #expect(try rest(#require(held)).ending == .lost)
    #expect([try endings.take(), try endings.take()].count == 2)
  }
}
