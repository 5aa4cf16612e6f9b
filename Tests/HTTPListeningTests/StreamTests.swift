// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
  private let asked = Mailbox<HTTPStream>()
  private let endings = Mailbox<HTTPStream.Ending>()

  /// A handler that starts a stream for every request, and finishes it with its ending's name.
  private func streaming(
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

  private func open(_ listener: HTTPListener, _ request: String = get) throws -> RawClient {
    let client = try RawClient(port: listener.port)
    try client.send(request)
    return client
  }

  @Test func `the head and the first piece leave at once, in chunks and without a length`() throws {
    try withListener(handler: streaming()) { listener in
      let client = try open(listener)
      let head = try client.receive(hasBody: false)
      #expect(head.status == 200)
      #expect(head.field("Transfer-Encoding") == "chunked")
      #expect(head.field("Content-Length") == nil)
      #expect(head.field("Content-Type") == "text/plain")
      #expect(try client.receiveChunk() == "first;")
    }
  }

  @Test func `a head without a first piece leaves at once`() throws {
    try withListener(handler: streaming(first: "")) { listener in
      let client = try open(listener)
      #expect(try client.receive(hasBody: false).status == 200)
    }
  }

  @Test func `each piece is asked for when the one before has left, and is a chunk of its own`() throws {
    try withListener(handler: streaming()) { listener in
      let client = try open(listener)
      _ = try client.receive(hasBody: false)
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
        _ = try client.receive(hasBody: false)
        #expect(try client.receiveBodyToEnd() == (0..<50).map { "\($0);" }.joined())
      })
  }

  @Test func `a piece longer than any buffer arrives whole`() throws {
    try withListener(handler: streaming(first: "")) { listener in
      let client = try open(listener)
      _ = try client.receive(hasBody: false)
      let piece = (0..<1_000_000).map { UInt8(ascii: "a") + UInt8($0 % 23) }
      let stream = try asked.take()
      #expect(stream.send(piece))
      #expect(stream.finish())
      #expect(try client.receiveBodyToEnd().utf8.elementsEqual(piece))
    }
  }

  @Test func `after a stream the connection serves further requests`() throws {
    try withListener(handler: streaming()) { listener in
      let client = try open(listener, Self.get + Self.get)
      for _ in 0..<2 {
        _ = try client.receive(hasBody: false)
        try asked.take().finish(Array("end".utf8))
        #expect(try client.receiveBodyToEnd() == "first;end")
      }
      try client.send(Self.get)
      #expect(try client.receive(hasBody: false).status == 200)
    }
  }

  @Test func `for a client of HTTP/1.0 the end of the connection is the end of the body`() throws {
    try withListener(handler: streaming()) { listener in
      let client = try open(listener, "GET / HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n")
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
      let client = try open(listener)
      let head = try client.receive(hasBody: false)
      let other = try open(listener, "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
      let answer = try other.receive(hasBody: false)
      #expect(answer.status == 200)
      // But for what is the connection's, which libmicrohttpd can only close here.
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
    let filler = HTTPStream.Filler(Array(":".utf8), every: .milliseconds(10))
    try withListener(handler: streaming(filler: filler)) { listener in
      let client = try open(listener)
      _ = try client.receive(hasBody: false)
      #expect(try client.receiveBody(atLeast: 12) == "first;::::::")
      let stream = try asked.take()
      #expect(asked.count == 0)
      stream.finish(Array("end".utf8))
      let rest = try client.receiveBodyToEnd()
      #expect(rest.hasSuffix("end") && rest.dropLast(3).allSatisfy { $0 == ":" })
    }
  }

  @Test func `a stream that has lived as long as it may is finished by its owner`() throws {
    try withListener(handler: streaming(life: .milliseconds(30))) { listener in
      let start = ContinuousClock.now
      let client = try open(listener)
      _ = try client.receive(hasBody: false)
      #expect(try client.receiveBodyToEnd() == "first;livedOut")
      #expect(start.duration(to: .now) >= .milliseconds(30))
      #expect(try endings.take() == .livedOut)
      try client.send(Self.get)
      #expect(try client.receive(hasBody: false).status == 200)
    }
  }

  @Test func `a stream whose owner does not finish it at its end goes on, with its filler`() throws {
    let told = Mailbox<HTTPStream.Ending>()
    try withListener(
      handler: { [asked] _ in
        let filler = HTTPStream.Filler(Array(":".utf8), every: .milliseconds(5))
        return .stream(
          HTTPResponse(""),
          HTTPStream(filler: filler, life: .milliseconds(1)) {
            asked.put($0)
          } ended: {
            told.put($1)
          })
      },
      { listener in
        let client = try open(listener)
        _ = try client.receive(hasBody: false)
        #expect(try told.take() == .livedOut)
        _ = try client.receiveBody(atLeast: 5)
        #expect(try asked.take().finish(Array("after all".utf8)))
        #expect(try client.receiveBodyToEnd().hasSuffix("after all"))
        #expect(told.count == 0)
      })
  }

  @Test(arguments: [1, 200])
  func `clients that leave their streams are noticed within a second`(count: Int) throws {
    try withListener(handler: streaming()) { listener in
      let clients = try (0..<count).map { _ in try open(listener) }
      let streams = try (0..<count).map { _ in try asked.take() }
      let start = ContinuousClock.now
      for client in clients { client.close() }
      for _ in 0..<count { #expect(try endings.take() == .clientLeft) }
      #expect(start.duration(to: .now) < .seconds(1))
      for stream in streams { #expect(!stream.send([1])) }
    }
    #expect(endings.count == 0)
  }

  @Test(arguments: [2_000, 40_000_000])
  func `a client that takes nothing for too long is cut off`(pieceBytes: Int) throws {
    // The stream for each piece that it wants, and nil for its end.
    let wishes = Mailbox<HTTPStream?>()
    try withListener(
      configure: { $0.streamStallTimeout = .milliseconds(300) },
      handler: { [endings] _ in
        let stream = HTTPStream(filler: nil, life: nil) {
          wishes.put($0)
        } ended: { _, ending in
          endings.put(ending)
          wishes.put(nil)
        }
        return .stream(HTTPResponse(""), stream)
      },
      { listener in
        let client = try open(listener)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: pieceBytes)
        while let stream = try wishes.take() { stream.send(piece) }
        #expect(try endings.take() == .clientLeft)
        #expect(listener.counts.stalledStreams == 1)
        #expect(listener.counts.lateResponses == 0)
        withExtendedLifetime(client) {}
      })
  }

  @Test func `a client that takes nothing while there is nothing more to send is cut off too`() throws {
    try withListener(
      configure: { $0.streamStallTimeout = .milliseconds(300) },
      // More than the client's system takes, and so little more that the next piece is asked for.
      handler: streaming(
        filler: HTTPStream.Filler(Array(":".utf8), every: .milliseconds(10)),
        first: String(repeating: "x", count: 4_500))
    ) { listener in
      let client = try RawClient(port: listener.port, receiveBuffer: 1)
      try client.send(Self.get)
      _ = try asked.take()
      #expect(try endings.take() == .clientLeft)
      #expect(listener.counts.stalledStreams == 1)
      withExtendedLifetime(client) {}
    }
  }

  @Test func `a client that still takes of its stream long after its life is cut off`() throws {
    try withListener(
      configure: { $0.streamStallTimeout = .milliseconds(300) },
      handler: { [asked, endings] _ in
        let filler = HTTPStream.Filler(Array(":".utf8), every: .milliseconds(5))
        let stream = HTTPStream(filler: filler, life: .milliseconds(1)) {
          asked.put($0)
        } ended: {
          endings.put($1)
        }
        return .stream(HTTPResponse(""), stream)
      },
      { listener in
        let client = try open(listener)
        // All that comes is taken, until nothing does.
        while (try? client.fill()) == true {}
        #expect(try endings.take() == .livedOut)
        listener.stop()
        #expect(listener.counts.stalledStreams == 1)
        #expect(listener.counts.lateResponses == 0)
      })
  }

  @Test func `a client that leaves its stream, whatever was not taken of it, is not counted as one that stalls`() throws
  {
    try withListener(handler: streaming()) { listener in
      for pieceBytes in [2_000, 40_000_000] {
        let client = try open(listener)
        try asked.take().send([UInt8](repeating: UInt8(ascii: "x"), count: pieceBytes))
        client.close()
        #expect(try endings.take() == .clientLeft)
        while asked.count > 0 { _ = try asked.take() }
      }
      #expect(listener.counts.stalledStreams == 0)
    }
  }

  @Test func `of a slow client little is held back, and the next piece is only asked for when it reads`() throws {
    try withListener(handler: streaming(first: "")) { listener in
      let client = try open(listener)
      _ = try client.receive(hasBody: false)
      // The client's side takes what it has room for; then nobody is asked.
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000)
      var sent = 0
      while sent < 100_000_000 {
        // An answer to another request shows that the loop had the time to ask.
        if asked.count == 0 { try settle(listener) }
        guard asked.count > 0 else { break }
        #expect(try asked.take().send(piece))
        sent += piece.count
      }
      #expect(sent < 1_000_000, "the next piece was asked for however much was not read")
      var received = 0
      while received < sent { received += try client.receiveChunk()?.utf8.count ?? 0 }
      #expect(received == sent)
      #expect(try asked.take().finish())
      #expect(try client.receiveChunk() == nil)
    }
  }

  /// Two requests one after the other on each loop.
  private func settle(_ listener: HTTPListener) throws {
    for _ in 0..<4 {
      let other = try open(listener, "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = try other.receive(hasBody: false)
      _ = try endings.take()
    }
  }

  @Test func `streams that are ended, and those that begin after, are finished, and all else goes on`() throws {
    let streams = streaming()
    try withListener(handler: { $0.target == "/plain" ? echo($0) : streams($0) }) { listener in
      let clients = try (0..<100).map { _ in
        let client = try open(listener)
        _ = try client.receive(hasBody: false)
        return client
      }
      for _ in clients { _ = try asked.take() }
      listener.endStreams()
      for client in clients {
        #expect(try client.receiveBodyToEnd() == "first;stopping")
        #expect(try endings.take() == .stopping)
        try client.send("GET /plain HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receive().status == 200)
      }
      let late = try open(listener)
      _ = try late.receive(hasBody: false)
      #expect(try late.receiveBodyToEnd() == "first;stopping")
      #expect(try endings.take() == .stopping)
      #expect(asked.count == 0)
    }
    #expect(endings.count == 0)
  }

  @Test func `stopping ends every stream with its last piece`() throws {
    try withListener(configure: { $0.maxConnectionsPerAddress = 500 }, handler: streaming()) { listener in
      let clients = try (0..<500).map { _ in
        let client = try open(listener)
        _ = try client.receive(hasBody: false)
        return client
      }
      for _ in clients { _ = try asked.take() }
      let start = ContinuousClock.now
      listener.stop()
      #expect(start.duration(to: .now) < .seconds(2))
      for client in clients {
        #expect(try client.receiveBodyToEnd() == "first;stopping")
        #expect(try client.isClosedByServer())
      }
      #expect(endings.count == 500)
    }
  }

  @Test func `a stream whose owner does not finish it when the server stops just ends`() throws {
    try withListener(
      handler: { [asked] _ in
        .stream(
          HTTPResponse("first;"),
          HTTPStream(filler: nil, life: nil) {
            asked.put($0)
          } ended: { _, _ in
          })
      },
      { listener in
        let client = try open(listener)
        _ = try client.receive(hasBody: false)
        let stream = try asked.take()
        listener.stop(within: .milliseconds(20))
        #expect(try client.receiveBodyToEnd() == "first;")
        #expect(!stream.send([1]))
      })
  }

  @Test func `a client that takes nothing does not hold up the stop`() throws {
    try withListener(handler: streaming()) { listener in
      let client = try open(listener)
      try asked.take().send([UInt8](repeating: UInt8(ascii: "x"), count: 40_000_000))
      try settle(listener)
      let start = ContinuousClock.now
      listener.stop(within: .milliseconds(100))
      #expect(start.duration(to: .now) < .seconds(2))
      #expect(try endings.take() == .clientLeft)
      withExtendedLifetime(client) {}
    }
  }

  @Test func `pieces, ends, fillers and clients that leave may race, and the listener goes on`() throws {
    let filler = HTTPStream.Filler(Array(":".utf8), every: .milliseconds(1))
    try withListener(handler: streaming(filler: filler, life: .milliseconds(20))) { listener in
      for round in 0..<300 {
        let client = try open(listener)
        let stream = try asked.take()
        let taken = Mailbox<Bool>()
        let other = onThread {
          taken.put(stream.send(Array("piece".utf8)))
          taken.put(round % 2 == 0 && stream.finish(Array("end".utf8)))
        }
        if round % 3 == 0 { client.close() }
        other.join()
        if round % 3 != 0 {
          _ = try client.receive(hasBody: false)
          let body = try client.receiveBodyToEnd()
          #expect(body.hasPrefix("first;"))
          #expect(try body.contains("piece") == taken.take())
          #expect(try body.hasSuffix(taken.take() ? "end" : "livedOut"))
        }
        while asked.count > 0 { _ = try asked.take() }
      }
      let client = try open(listener)
      #expect(try client.receive(hasBody: false).status == 200)
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
