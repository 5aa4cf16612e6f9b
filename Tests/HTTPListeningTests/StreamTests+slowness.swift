// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// Clients that are slow, or leave.
extension StreamTests {
  @Test(arguments: [1, 200])
  func `clients that leave their streams are noticed`(count: Int) throws {
    try withListener(handler: streaming()) { listener in
      let clients = try (0..<count).map { _ in try open(listener) }
      let streams = try (0..<count).map { _ in try asked.take() }
      for client in clients { client.close() }
      for _ in 0..<count { #expect(try endings.take() == .clientLeft) }
      for stream in streams { #expect(!stream.send([1])) }
    }
    #expect(endings.count == 0)
  }

  /// The system cuts the client off (TCP_USER_TIMEOUT), so this takes real time.
  @Test(arguments: [2_000, 40_000_000], Transport.allCases)
  func `a client that takes nothing for too long is cut off and counted`(pieceBytes: Int, transport: Transport) throws {
    // The stream, once for each piece that it asks for, and `nil` for its end.
    let wishes = Mailbox<HTTPStream?>()
    try transport.withListener(
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
        let client = try transport.client(listener)
        try client.send(get)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: pieceBytes)
        while let stream = try wishes.take() { stream.send(piece) }
        #expect(try endings.take() == .clientLeft)
        #expect((listener.counts.stalledStreams, listener.counts.lateResponses) == (1, 0))
        withExtendedLifetime(client) {}
      })
  }

  @Test func `a client that takes nothing while there is nothing more to send is cut off too`() throws {
    let clock = TestClock()
    try withListener(
      clock: clock, configure: { $0.streamStallTimeout = .milliseconds(300) },
      // The first piece has more bytes than the client's system takes, and so few more that the next piece is
      // asked for.
      handler: streaming(
        filler: HTTPStream.Filler(Array(":".utf8), every: .seconds(5)), first: String(repeating: "x", count: 4_500))
    ) { listener in
      let client = try listener.client(receiveBuffer: 1)
      _ = try asked.take()
      // Fillers come before the system's time is over, and none just then: the system tells of a time-out only
      // once, and a filler that is written in the same moment is told in the counter's place.
      for _ in 0..<10 { clock.pass(.seconds(5), for: listener) }
      #expect(try endings.take() == .clientLeft)
      #expect(listener.counts.stalledStreams == 1)
      withExtendedLifetime(client) {}
    }
  }

  @Test func `a client that leaves its stream, whatever it has not taken, is not counted as one that stalls`() throws {
    try withListener(handler: streaming()) { listener in
      for pieceBytes in [2_000, 40_000_000] {
        let client = try listener.client()
        try asked.take().send([UInt8](repeating: UInt8(ascii: "x"), count: pieceBytes))
        client.close()
        #expect(try endings.take() == .clientLeft)
        while asked.count > 0 { _ = try asked.take() }
      }
      #expect(listener.counts.stalledStreams == 0)
    }
  }

  @Test func `a slow client has little held back, and the next piece is only asked for when it reads`() throws {
    try withListener(handler: streaming(first: "")) { listener in
      let client = try open(listener)
      // The client's side takes the bytes that it has room for. After that, the owner is asked for no piece.
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

  @Test func `pieces, ends, fillers and clients that leave may race, and the listener goes on`() throws {
    let filler = HTTPStream.Filler(Array(":".utf8), every: .milliseconds(1))
    let clock = TestClock()
    try withListener(clock: clock, handler: streaming(filler: filler, life: .milliseconds(20))) { listener in
      for round in 0..<300 {
        let client = try listener.client()
        let stream = try asked.take()
        let taken = Mailbox<Bool>()
        let other = onThread {
          taken.put(stream.send(Array("piece".utf8)))
          taken.put(round % 2 == 0 && stream.finish(Array("end".utf8)))
        }
        if round % 3 == 0 { client.close() }
        for _ in 0..<21 { clock.pass(.milliseconds(1), for: listener) }
        try other.take()
        if round % 3 != 0 {
          _ = try client.receive(hasBody: false)
          let body = try client.receiveBodyToEnd()
          #expect(body.hasPrefix("first;"))
          #expect(try body.contains("piece") == taken.take())
          #expect(try body.hasSuffix(taken.take() ? "end" : "livedOut"))
        }
        while asked.count > 0 { _ = try asked.take() }
      }
      #expect(try listener.client().receive(hasBody: false).status == 200)
    }
  }
}
