// SPDX-License-Identifier: MIT
@testable import HTTPListening
import Testing

/// Every request of the table, sent to a listener in one piece and in pieces, and one after it.
@Suite(.timeLimit(.minutes(5)))
struct MalformedRequestTests {
  private func limits(_ configuration: inout HTTPListenerConfiguration) {
    configuration.maxTargetBytes = CaseLimits.target
    configuration.maxHeaderBytes = CaseLimits.headerBytes
    configuration.maxHeaderFields = CaseLimits.headerFields
    configuration.maxBodyBytes = CaseLimits.body
    configuration.commonFields = [HTTPField("X-Common", "yes")]
  }

  @Test func `there are more than a hundred`() {
    let refused = RequestCase.all.filter { $0.expectation != .kept(200) && $0.expectation != .closed(200) }
    #expect(refused.count >= 100)
    #expect(Set(RequestCase.all.map(\.name)).count == RequestCase.all.count)
  }

  @Test(arguments: RequestCase.all)
  func `it is answered once, by us, and the next request is served`(given: RequestCase) throws {
    try withListener(configure: limits, handler: { _ in .now(HTTPResponse("served")) }) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(given.bytes)
      try check(client, given.expectation)
      let next = try RawClient(port: listener.port)
      try next.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try next.receive().text == "served")
    }
  }

  @Test func `a refused request does not harm the good ones before it in one segment`() throws {
    try withListener(configure: limits, handler: echo) { listener in
      for given in RequestCase.all {
        let client = try RawClient(port: listener.port)
        try client.send(
          Array("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx".utf8)
            + given.bytes)
        #expect(try client.receive().text == "GET /1 h ", "\(given.name)")
        #expect(try client.receive().text == "POST /2 h x", "\(given.name)")
        try check(client, given.expectation)
      }
    }
  }

  private func check(_ client: RawClient, _ expectation: RequestCase.Expectation) throws {
    let response = try client.receive()
    switch expectation {
    case .kept(let status):
      #expect(response.status == status)
      #expect(response.field("Connection")?.lowercased() != "close")
      try client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
      #expect(try client.receive().status == 200)
    case .closed(let status):
      #expect(response.status == status)
      #expect(response.field("Connection")?.lowercased() == "close")
      if status != 200 { #expect(response.text.hasPrefix("refused: ")) }
    }
    #expect(response.field("X-Common") == "yes")
    #expect(try client.isClosedByServer())
  }
}
