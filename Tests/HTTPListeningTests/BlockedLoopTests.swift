// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// A handler that blocks its loop, as no handler should, and the other connections of that loop.
@Suite(.timeLimit(.minutes(30))) struct BlockedLoopTests {
  @Test(arguments: [false, true])
  func `a neighbour that sent its request in time is answered, however late it is read`(ends: Bool) throws {
    let blocked = Mailbox<Bool>()
    let released = Mailbox<Bool>()
    let clock = TestClock()
    try withListener(
      clock: clock,
      handler: { request in
        if request.target == "/block" {
          blocked.put(true)
          _ = try? released.take()
        }
        return echo(request)
      },
      { listener in
        let blocking = try RawClient(port: listener.port)
        let neighbours = try (0..<20).map { _ in try RawClient(port: listener.port) }
        // The loop has served the connection that it accepted last, so it has accepted all.
        try neighbours[19].send(get)
        #expect(try neighbours[19].receive().status == 200)
        try blocking.send("GET /block HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try blocked.take()
        for neighbour in neighbours {
          try neighbour.send(get)
          if ends { neighbour.endSending() }
        }
        clock.pass(.seconds(100), for: listener)
        released.put(true)
        for client in [blocking] + neighbours { #expect(try client.receive().status == 200) }
        #expect(listener.counts.lateHeads + listener.counts.idle == 0)
      })
  }
}
