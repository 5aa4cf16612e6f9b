// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(30))) struct AnsweringTests {
  @Test func `a request is handed over as it was sent`() throws {
    try withListener { listener in
      let response = try listener.answer("POST /a%20b?x=1&y= HTTP/1.1\r\nHOST: h\r\nContent-Length: 4\r\n\r\nbody")
      #expect(response.status == 200)
      #expect(response.text == "POST /a%20b?x=1&y= h body")
      #expect(response.field("Content-Type") == "text/plain")
      #expect(response.field("Date") != nil)
      #expect(response.field("Server") == nil)
      let chunked = post("3\r\nthe\r\n5\r\n body\r\n0\r\n\r\n", fields: "Transfer-Encoding: chunked")
      #expect(try listener.answer(chunked).text == "POST / h the body")
    }
  }

  @Test(arguments: [
    "/../x", "/%2e%2e/x", "/a%20b", "/a+b?c+d", "/?", "/??", "/a?b=c&d", "*", "http://h/x",
    "/?" + String(repeating: "a=b&", count: 50),
  ])
  func `the target is never decoded or shortened`(target: String) throws {
    try withListener { listener in
      let response = try listener.answer("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(response.text == "GET \(target) h ")
    }
  }

  @Test func `each limit by itself is reached with the default limits, and with a long head of the response`() throws {
    let long = HTTPField("X-Long", String(repeating: "x", count: 900))
    let limits = HTTPListenerConfiguration()
    try withListener(handler: { .now(HTTPResponse(status: 200, fields: [long], body: Array($0.target.utf8))) }) {
      listener in
      for (target, fields) in [
        (
          "/" + String(repeating: "a", count: limits.maxTargetBytes - 1),
          "User-Agent: " + String(repeating: "u", count: 500)
        ),
        ("/", "X: " + String(repeating: "a", count: limits.maxHeaderBytes - 14)),
        ("/", (1..<limits.maxHeaderFields).map { "X-\($0): a" }.joined(separator: "\r\n")),
        ("/", "Cookie: " + String(repeating: "c", count: 2_500)),
      ] {
        let client = try RawClient(port: listener.port)
        for _ in 0..<2 {
          try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n")
          #expect(try client.receive().text == target)
        }
      }
    }
  }

  @Test func `header fields are found whatever their case, and counted`() throws {
    try withListener(
      handler: { request in
        .now(
          HTTPResponse(
            "\(request.header("x-one") ?? "nil") \(request.headerCount("X-ONE")) \(request.headerCount("x-two"))"
              + " \(request.header("x-two") ?? "nil") [\(request.header("x-empty") ?? "nil")]"
              + " \(request.peerAddress) \(request.isSecure)"))
      },
      { listener in
        let response = try listener.answer("GET / HTTP/1.1\r\nHost: h\r\nX-One: a\r\nx-oNe: b\r\nX-Empty:\r\n\r\n")
        #expect(response.text == "a 2 0 nil [] 127.0.0.1 false")
      })
  }

  @Test func `a request in pieces of one byte is answered`() throws {
    try withListener { listener in
      let client = try RawClient(port: listener.port)
      for byte in post("body", to: "/x").utf8 { try client.send([byte]) }
      #expect(try client.receive().text == "POST /x h body")
    }
  }

  @Test func `HEAD has the length of the body and no body`() throws {
    try withListener(handler: { _ in .now(HTTPResponse("twelve bytes")) }) { listener in
      let client = try listener.client("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n" + get)
      let head = try client.receive(hasBody: false)
      #expect(head.status == 200)
      #expect(head.field("Content-Length") == "12")
      #expect(try client.receive().text == "twelve bytes")
    }
  }

  @Test func `a response that closes says so and does`() throws {
    try withListener(
      handler: { _ in .now(HTTPResponse(status: 204, fields: [], body: [], closesConnection: true)) },
      { listener in
        let client = try listener.client()
        let response = try client.receive()
        #expect((response.status, response.field("Connection")) == (204, "close"))
        #expect(try client.isClosedByServer())
      })
  }

  @Test func `the listener's own responses have the common fields, and no others do`() throws {
    let waits = Mailbox<DeferredReply>()
    let hold = holding(waits)
    try withListener(
      configure: { $0.commonFields = [HTTPField("X-Common", "yes")] },
      handler: { request in
        switch request.target {
        case "/": .now(HTTPResponse("fine"))
        case "/unsendable": .now(HTTPResponse(status: 200, fields: [HTTPField("X", "\0")], body: []))
        default: hold(request)
        }
      },
      { listener in
        #expect(try listener.answer().field("X-Common") == nil)
        let failure = try listener.answer("GET /unsendable HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect((failure.status, failure.field("X-Common")) == (500, "yes"))
        let client = try listener.client("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
        let reply = try waits.take()
        listener.stop(within: .zero)
        // Nobody has answered the request when the grace is over.
        let response = try client.receive()
        #expect((response.status, response.text, response.field("X-Common")) == (503, "", "yes"))
        #expect(!reply.answer(HTTPResponse("late")))
      })
  }

  @Test(arguments: ["a\r\nX-B: b", "a\0b", "\0", "a\u{1B}b", "a\u{7F}"])
  func `a field value with a line break or a NUL becomes an empty 500`(value: String) throws {
    try withListener(
      handler: { _ in .now(HTTPResponse(status: 200, fields: [HTTPField("X-A", value)], body: [1])) },
      { listener in
        let response = try listener.answer()
        #expect(response.status == 500)
        #expect(response.body.isEmpty)
        #expect(response.field("X-B") == nil)
      })
  }

  @Test func `a field of the listener's own responses with a line break is an error at the start`() {
    #expect(throws: HTTPListeningError.unsendableFields) {
      try withListener(configure: { $0.commonFields = [HTTPField("X-A", "a\r\nX-B: b")] }) { _ in }
    }
  }

  @Test func `a field without a value is left out`() throws {
    let fields = [HTTPField("X-A", ""), HTTPField("X-B", "b")]
    try withListener(handler: { _ in .now(HTTPResponse(status: 200, fields: fields, body: [0x78])) }) { listener in
      let response = try listener.answer()
      #expect((response.status, response.text) == (200, "x"))
      #expect((response.field("X-B"), response.field("X-A")) == ("b", nil))
    }
  }

  @Test func `two hundred clients at once are all answered`() throws {
    try withListener { listener in
      let clients = try (0..<200).map { _ in try RawClient(port: listener.port) }
      for round in 0..<3 {
        for (number, client) in clients.enumerated() {
          try client.send("GET /\(round)/\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
        }
        for (number, client) in clients.enumerated() {
          #expect(try client.receive().text == "GET /\(round)/\(number) h ")
        }
      }
    }
  }
}
