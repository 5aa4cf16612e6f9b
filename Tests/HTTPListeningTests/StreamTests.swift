// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(30))) struct StreamTests {
  let asked = Mailbox<HTTPStream>()
  let endings = Mailbox<HTTPStream.Ending>()

  /// A handler that starts a stream for every request, and finishes it with its ending's name.
  func streaming(
    filler: HTTPStream.Filler? = nil, life: Duration? = nil, first: String = "first;"
  ) -> @Sendable (HTTPRequest) -> HTTPAnswer {
    { [asked, endings] _ in
      let stream = HTTPStream(filler: filler, life: life) {
        asked.put($0)
      } ended: { stream, ending in
        stream.finish(Array("\(ending)".utf8))
        endings.put(ending)
      }
      return .stream(HTTPResponse(first), stream)
    }
  }

  /// A client that has read the head of its stream.
  func open(_ listener: HTTPListener, _ request: String = get) throws -> RawClient {
    let client = try listener.client(request)
    #expect(try client.receive(hasBody: false).status == 200)
    return client
  }

  /// Has each loop serve at least two requests, one after the other. There are at most two loops.
  func settle(_ listener: HTTPListener) throws {
    for _ in 0..<4 {
      _ = try open(listener, "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = try endings.take()
    }
  }

  @Test func `the head and the first piece leave at once, in chunks and without a length`() throws {
    try withListener(handler: streaming()) { listener in
      let client = try listener.client()
      let head = try client.receive(hasBody: false)
      #expect((head.status, head.field("Content-Type")) == (200, "text/plain"))
      #expect((head.field("Transfer-Encoding"), head.field("Content-Length")) == ("chunked", nil))
      #expect(try client.receiveChunk() == "first;")
    }
  }

  @Test(arguments: Transport.allCases)
  func `each piece is asked for when the one before has left, and is a chunk of its own`(transport: Transport) throws {
    try transport.withListener(handler: streaming()) { listener in
      let client = try transport.client(listener)
      try client.send(get)
      #expect(try client.receive(hasBody: false).status == 200)
      #expect(try client.receiveChunk() == "first;")
      for number in 0..<100 {
        #expect(try asked.take().send(Array("\(number)".utf8)))
        #expect(try client.receiveChunk() == "\(number)")
      }
      let last = try asked.take()
      #expect(asked.count == 0)
      #expect(last.finish(Array("rest".utf8)))
      #expect(!last.finish())
      #expect(!last.send([1]))
      #expect(try client.receiveBodyToEnd() == "rest")
    }
    #expect(endings.count == 0)
  }

  @Test func `a piece that is given while it is asked for needs no second turn`() throws {
    let left = Mailbox<Int>()
    for number in 0..<50 { left.put(number) }
    try withListener(
      handler: { _ in
        .stream(
          HTTPResponse(""),
          HTTPStream(filler: nil, life: nil) { stream in
            if left.count == 0 {
              stream.finish()
            } else {
              _ = (try? left.take()).map { stream.send(Array("\($0);".utf8)) }
            }
          } ended: { _, _ in
          })
      },
      { listener in
        let client = try open(listener)
        #expect(try client.receiveBodyToEnd() == (0..<50).map { "\($0);" }.joined())
      })
  }

  @Test func `a piece longer than any buffer arrives whole`() throws {
    try withListener(handler: streaming(first: "")) { listener in
      let client = try open(listener)
      let piece = (0..<1_000_000).map { UInt8(ascii: "a") + UInt8($0 % 23) }
      let stream = try asked.take()
      #expect(stream.send(piece))
      #expect(stream.finish())
      #expect(try client.receiveBodyToEnd().utf8.elementsEqual(piece))
    }
  }

  @Test func `for a client of HTTP/1.0 the end of the connection is the end of the body`() throws {
    try withListener(handler: streaming()) { listener in
      let client = try listener.client("GET / HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n")
      let head = try client.receive(hasBody: false)
      #expect(head.field("Transfer-Encoding") == nil)
      #expect(head.field("Content-Length") == nil)
      try asked.take().send(Array("second;".utf8))
      try asked.take().finish(Array("end".utf8))
      while try client.fill() {}
      #expect(String(decoding: client.pending, as: UTF8.self) == "first;second;end")
    }
  }

  @Test func `HEAD gets the head of the stream and nothing of its body`() throws {
    try withListener(handler: streaming()) { listener in
      let client = try listener.client()
      let head = try client.receive(hasBody: false)
      let other = try listener.client("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
      let answer = try other.receive(hasBody: false)
      #expect(answer.status == 200)
      // The fields of the connection differ, as libmicrohttpd can only close it here.
      let connections = ["Transfer-Encoding", "Connection"]
      let names = { (fields: [(name: String, value: String)]) in
        fields.map(\.name).filter { !connections.contains($0) }
      }
      #expect(names(answer.fields) == names(head.fields))
      #expect(answer.field("Content-Length") == nil)
      #expect(try other.isClosedByServer())
      #expect(try endings.take() == .clientLeft)
      _ = try asked.take()
      #expect(asked.count == 0)
    }
  }

  @Test func `silence is filled, and the owner is not asked again for it`() throws {
    let clock = TestClock()
    let filler = HTTPStream.Filler(Array(":".utf8), every: .seconds(10))
    try withListener(clock: clock, handler: streaming(filler: filler)) { listener in
      let client = try open(listener)
      #expect(try client.receiveChunk() == "first;")
      let stream = try asked.take()
      for _ in 0..<6 {
        clock.pass(.seconds(10), for: listener)
        #expect(try client.receiveChunk() == ":")
      }
      #expect(asked.count == 0)
      stream.finish(Array("end".utf8))
      #expect(try client.receiveBodyToEnd() == "end")
    }
  }

  @Test func `a stream that is over keeps nothing of its owner`() throws {
    final class Owner: Sendable {}
    weak var owner: Owner?
    let stream = {
      let made = Owner()
      owner = made
      return HTTPStream(filler: nil, life: nil) { _ in
        withExtendedLifetime(made) {}
      } ended: { _, _ in
        withExtendedLifetime(made) {}
      }
    }()
    #expect(owner != nil)
    stream.finish()
    #expect(owner == nil)
  }
}
