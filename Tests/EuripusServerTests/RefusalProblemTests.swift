// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A refusal by the request gate reaches the client as a problem like any other.
@Suite(.timeLimit(.minutes(30))) struct `Refused before it is read` {
  struct Case: Sendable, CustomTestStringConvertible {
    var head: String
    var status: Int
    var problem: String
    var testDescription: String { head.prefix(60).debugDescription }
  }

  /// One request for each kind of problem. The listener's own tests say which requests the gate refuses.
  static let cases: [Case] = [
    Case(head: "GET / HTTP/1.1\r\nX : a\r\n", status: 400, problem: "bad-request"),
    Case(head: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", status: 400, problem: "bad-request"),
    Case(head: "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n", status: 501, problem: "not-implemented"),
    Case(head: "POST / HTTP/1.1\r\nContent-Length: 65537\r\n", status: 413, problem: "body-too-large"),
    Case(
      head: "POST / HTTP/1.1\r\nContent-Length: 5\r\nExpect: more\r\n", status: 417, problem: "expectation-failed"),
    Case(
      head: "GET /\(String(repeating: "a", count: 4_096)) HTTP/1.1\r\n", status: 414, problem: "target-too-long"),
    Case(
      head: "GET / HTTP/1.1\r\n\(String(repeating: "X: a\r\n", count: 64))", status: 431, problem: "headers-too-large"),
  ]

  @Test(arguments: cases)
  func `gets a problem with all that a response has, and then the end`(given: Case) throws {
    let opened = try Opened()
    let client = try TestClient(port: opened.server.port)
    try client.send(raw: "\(given.head)Host: localhost\r\n\r\n")
    let response = try client.receive()
    #expect((response.status, response.problem) == (given.status, given.problem), "\(response.text)")
    #expect(response["Connection"] == "close")
    #expect(client.isClosedByServer())
    #expect(try opened.get().status == 200)
    for (name, value) in [("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("Server", nil)] {
      #expect(response[name] == value)
    }
    #expect(try !response.string("detail").isEmpty)
  }
}
