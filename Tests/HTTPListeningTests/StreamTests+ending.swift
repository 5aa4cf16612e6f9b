// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// Streams that end, by their time or with the server.
extension StreamTests {
  /// A handler that starts a stream for every request, and leaves it to the test to finish it.
  private func unfinished(
    filler: HTTPStream.Filler? = nil, life: Duration? = nil
  ) -> @Sendable (HTTPRequest) -> HTTPAnswer {
    { [asked, endings] _ in
      let stream = HTTPStream(filler: filler, life: life) {
        asked.put($0)
      } ended: {
        endings.put($1)
      }
      return .stream(HTTPResponse("first;"), stream)
    }
  }

  @Test func `a stream that has lived as long as it may is finished by its owner`() throws {
    let clock = TestClock()
    try withListener(clock: clock, handler: streaming(life: .seconds(30))) { listener in
      // The client has sent a second request, which is served after the stream, and sends a third then.
      let client = try open(listener, get + get)
      #expect(try client.receiveChunk() == "first;")
      clock.pass(.seconds(29), for: listener)
      try settle(listener)
      #expect(endings.count == 0)
      clock.pass(.seconds(1), for: listener)
      #expect(try client.receiveBodyToEnd() == "livedOut")
      #expect(try endings.take() == .livedOut)
      #expect(try client.receive(hasBody: false).status == 200)
      clock.pass(.seconds(30), for: listener)
      #expect(try client.receiveBodyToEnd() == "first;livedOut")
      try client.send(get)
      #expect(try client.receive(hasBody: false).status == 200)
    }
  }

  @Test func `a stream goes on after its life, with its filler, until its owner finishes it or it is cut off`() throws {
    let clock = TestClock()
    let filler = HTTPStream.Filler(Array(":".utf8), every: .seconds(5))
    try withListener(clock: clock, handler: unfinished(filler: filler, life: .seconds(60))) { listener in
      let followed = try (0..<2).map { _ in
        let client = try open(listener)
        #expect(try client.receiveChunk() == "first;")
        return (client: client, stream: try asked.take())
      }
      for _ in 0..<14 {
        clock.pass(.seconds(6), for: listener)
        for (client, _) in followed { #expect(try client.receiveChunk() == ":") }
      }
      for _ in followed { #expect(try endings.take() == .livedOut) }
      #expect(followed[0].stream.finish(Array("after all".utf8)))
      #expect(try followed[0].client.receiveBodyToEnd() == "after all")
      #expect(listener.counts.stalledStreams == 0)
      // A stream may go on for 30 s after its life, and that time is over now.
      clock.pass(.seconds(10), for: listener)
      #expect(try followed[1].client.isClosedInTheEnd())
      #expect((listener.counts.stalledStreams, listener.counts.lateResponses) == (1, 0))
    }
    #expect(endings.count == 0)
  }

  @Test func `streams that are ended, and those that begin after, are finished, and all else goes on`() throws {
    let streams = streaming()
    try withListener(handler: { $0.target == "/plain" ? echo($0) : streams($0) }) { listener in
      let clients = try (0..<100).map { _ in try open(listener) }
      for _ in clients { _ = try asked.take() }
      listener.endStreams()
      for client in clients {
        #expect(try client.receiveBodyToEnd() == "first;stopping")
        #expect(try endings.take() == .stopping)
        try client.send("GET /plain HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receive().status == 200)
      }
      #expect(try open(listener).receiveBodyToEnd() == "first;stopping")
      #expect(try endings.take() == .stopping)
      #expect(asked.count == 0)
    }
    #expect(endings.count == 0)
  }

  @Test func `stopping ends every stream with its last piece, long before the grace is over`() throws {
    try withListener(handler: streaming()) { listener in
      let clients = try (0..<200).map { _ in try open(listener) }
      for _ in clients { _ = try asked.take() }
      listener.stop(within: .seconds(3_600))
      for client in clients {
        #expect(try client.receiveBodyToEnd() == "first;stopping")
        #expect(try client.isClosedByServer())
      }
      #expect(endings.count == clients.count)
    }
  }

  @Test func `a stop waits for a stream that its owner does not finish, until the grace is over`() throws {
    // The clock stands still, so this grace never ends.
    try withListener(clock: TestClock(), handler: unfinished()) { listener in
      let client = try open(listener)
      let stream = try asked.take()
      let stopping = onThread { listener.stop(within: .seconds(4)) }
      #expect(try endings.take() == .stopping)
      #expect(try client.receiveChunk() == "first;")
      stream.finish(Array("rest".utf8))
      #expect(try client.receiveBodyToEnd() == "rest")
      try stopping.take()
    }
    try withListener(handler: unfinished()) { listener in
      let client = try open(listener)
      let stream = try asked.take()
      listener.stop(within: .milliseconds(20))
      #expect(try client.receiveBodyToEnd() == "first;")
      #expect(!stream.send([1]))
    }
  }

  @Test func `a client that takes nothing does not hold up the stop once the grace is over`() throws {
    try withListener(handler: streaming()) { listener in
      let client = try open(listener)
      try asked.take().send([UInt8](repeating: UInt8(ascii: "x"), count: 40_000_000))
      try settle(listener)
      listener.stop(within: .milliseconds(100))
      #expect(try endings.take() == .clientLeft)
      withExtendedLifetime(client) {}
    }
  }
}
