// SPDX-License-Identifier: MIT
@testable import HTTPListening
import Testing

/// Every request of the table, sent to a listener over a socket.
@Suite(.timeLimit(.minutes(30))) struct MalformedRequestTests {
  private let clock = TestClock()
  private let targets = Mailbox<String>()

  private func configure(_ configuration: inout HTTPListenerConfiguration) {
    configuration.maxTargetBytes = CaseLimits.target
    configuration.maxHeaderBytes = CaseLimits.headerBytes
    configuration.maxHeaderFields = CaseLimits.headerFields
    configuration.maxBodyBytes = CaseLimits.body
  }

  @Test func `the table has more than a hundred refused requests`() {
    let refused = RequestCase.all.filter { $0.expectation != .served && $0.expectation != .closed }
    #expect(refused.count >= 100)
    #expect(Set(RequestCase.all.map(\.name)).count == RequestCase.all.count)
  }

  @Test(arguments: RequestCase.all)
  func `a request gets one answer, nothing of a refused one is served, and the next one is`(given: RequestCase) throws {
    let serve: @Sendable (HTTPRequest) -> HTTPAnswer = { [targets] request in
      targets.put(request.target)
      return .now(HTTPResponse("served"))
    }
    try withListener(clock: clock, configure: configure, handler: serve) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(given.bytes)
      if given.expectation == .silence {
        // When the loop has served another client, it has read all of this one's bytes. Then this client's time
        // passes.
        try serveNext(listener)
        clock.pass(.seconds(60), for: listener)
        #expect(try client.isClosedByServer())
        #expect(targets.count == 1)
      } else {
        #expect(try outcome(of: client) == given.expectation)
        let isServed = given.expectation == .served || given.expectation == .closed
        #expect(targets.count == (isServed ? 1 : 0))
        try serveNext(listener)
      }
    }
  }

  @Test func `the bytes of a token are those of RFC 9110`() throws {
    let allowed = Array("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    try withListener { listener in
      // Bytes that end a name or a line before it is screened are left out.
      for byte in UInt8.min...UInt8.max where ![0x00, 0x0A, 0x0D, 0x3A].contains(byte) {
        let client = try RawClient(port: listener.port)
        try client.send(Array("GET / HTTP/1.1\r\nHost: h\r\nX".utf8) + [byte] + Array("Y: 1\r\n\r\n".utf8))
        #expect(try client.receive().status == (allowed.contains(byte) ? 200 : 400), "\(byte)")
      }
    }
  }

  private func serveNext(_ listener: HTTPListener) throws {
    #expect(try listener.answer("GET /next HTTP/1.1\r\nHost: h\r\n\r\n").text == "served")
  }

  private func outcome(of client: RawClient) throws -> RequestCase.Expectation {
    let response = try client.receive()
    if response.text == "served", response.field("Connection")?.lowercased() != "close" { return .served }
    #expect(response.field("Connection")?.lowercased() == "close")
    #expect(try client.isClosedInTheEnd())
    let rest = String(decoding: client.pending, as: UTF8.self)
    #expect(!rest.contains("200 OK") && !rest.contains("HTTP/1.1 "), "after the answer: \(rest)")
    if response.text == "served" { return .closed }
    if response.text.hasPrefix("refused: ") { return .refused(response.status) }
    return response.text.hasPrefix("HTTP/1.1 ") ? .twice(response.status) : .page(response.status)
  }
}
