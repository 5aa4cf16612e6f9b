// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// Streams that end, by their time or with the server.
extension StreamTests {
  @Test func `a stream that has lived as long as it may is finished by its owner`() throws {
    let clock = TestClock()
    try withListener(
      configure: {
        $0.loops = 1
        $0.clock = clock.clock
      }, handler: streaming(life: .seconds(30))
    ) { listener in
      let client = try open(listener)
      _ = try client.receive(hasBody: false)
      #expect(try client.receiveChunk() == "first;")
      clock.pass(.seconds(29), for: listener)
      try settle(listener)
      #expect(endings.count == 0)
      clock.pass(.seconds(1), for: listener)
      #expect(try client.receiveBodyToEnd() == "livedOut")
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
}
