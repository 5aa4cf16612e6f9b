// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AnsweringTests {
  @Test func `a request is handed over as it was sent`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send("POST /a%20b?x=1&y= HTTP/1.1\r\nHOST: h\r\nContent-Length: 4\r\n\r\nbody")
      let response = try client.receive()
      #expect(response.status == 200)
      #expect(response.text == "POST /a%20b?x=1&y= h body")
      #expect(response.field("Content-Type") == "text/plain")
      #expect(response.field("Date") != nil)
      #expect(response.field("Server") == nil)
    }
  }

  @Test(arguments: ["/../x", "/%2e%2e/x", "/a%20b", "/a+b?c+d", "/?", "/??", "/a?b=c&d", "*", "http://h/x"])
  func `the target is never decoded or shortened`(target: String) throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try client.receive().text == "GET \(target) h ")
    }
  }

  @Test func `a target with fifty query items is answered`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      let target = "/?" + String(repeating: "a=b&", count: 50)
      try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try client.receive().text == "GET \(target) h ")
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
              + " \(request.header("x-two") ?? "nil") [\(request.header("x-empty") ?? "nil")] \(request.peerAddress)"))
      },
      { listener in
        let client = try RawClient(port: listener.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\nX-One: a\r\nx-oNe: b\r\nX-Empty:\r\n\r\n")
        #expect(try client.receive().text == "a 2 0 nil [] 127.0.0.1")
      })
  }

  @Test func `a connection serves request after request`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      for number in 0..<200 {
        try client.send("POST /\(number) HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n\(100 + number)")
        #expect(try client.receive().text == "POST /\(number) h \(100 + number)")
      }
    }
  }

  @Test func `pipelined requests are answered in their order`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send((0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
      for number in 0..<50 { #expect(try client.receive().text == "GET /\(number) h ") }
    }
  }

  @Test func `a request in pieces of one byte is answered`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      for byte in "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody".utf8 { try client.send([byte]) }
      #expect(try client.receive().text == "POST /x h body")
    }
  }

  @Test func `HEAD has the length of the body and no body`() throws {
    try withListener(handler: { _ in .now(HTTPResponse("twelve bytes")) }) { listener in
      let client = try RawClient(port: listener.port)
      try client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
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
        let client = try RawClient(port: listener.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = try client.receive()
        #expect(response.status == 204)
        #expect(response.field("Connection") == "close")
        #expect(try client.isClosedByServer())
      })
  }

  @Test func `the listener's own responses have the common fields, and no others do`() throws {
    let answers = Mailbox<HTTPResponse>()
    answers.put(HTTPResponse("fine"))
    answers.put(HTTPResponse(status: 200, fields: [HTTPField("X", "\0")], body: []))
    try withListener(
      configure: { $0.commonFields = [HTTPField("X-Common", "yes")] },
      handler: { _ in .now((try? answers.take()) ?? HTTPResponse("")) },
      { listener in
        let client = try RawClient(port: listener.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receive().field("X-Common") == nil)
        let failure = try client.receive()
        #expect(failure.status == 500)
        #expect(failure.field("X-Common") == "yes")
      })
  }

  @Test func `the response to who still waits when the grace is over has the common fields`() throws {
    let waits = Mailbox<DeferredReply>()
    try withListener(
      configure: { $0.commonFields = [HTTPField("X-Common", "yes")] },
      handler: { _ in
        let reply = DeferredReply(deadline: nil) { _, _ in }
        waits.put(reply)
        return .later(reply)
      },
      { listener in
        let client = try RawClient(port: listener.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try waits.take()
        listener.stop(within: .zero)
        let response = try client.receive()
        #expect((response.status, response.field("X-Common")) == (503, "yes"))
      })
  }

  @Test(arguments: ["a\r\nX-B: b", "a\0b", "\0", "a\u{1B}b", "a\u{7F}"])
  func `a field value with a line break or a NUL becomes an empty 500`(value: String) throws {
    try withListener(
      handler: { _ in .now(HTTPResponse(status: 200, fields: [HTTPField("X-A", value)], body: [1])) },
      { listener in
        let client = try RawClient(port: listener.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = try client.receive()
        #expect(response.status == 500)
        #expect(response.body.isEmpty)
        #expect(response.field("X-B") == nil)
      })
  }

  @Test func `a field of the listener's own responses with a line break is an error at the start`() {
    var configuration = HTTPListenerConfiguration(host: "127.0.0.1", port: 0)
    configuration.commonFields = [HTTPField("X-A", "a\r\nX-B: b")]
    let listener = HTTPListener(configuration: configuration, onRefusal: { _, _ in HTTPResponse("") }, handler: echo)
    #expect(throws: HTTPListeningError.unsendableFields) { try listener.start() }
  }

  @Test func `a field without a value is left out`() throws {
    try withListener(
      handler: { _ in
        .now(HTTPResponse(status: 200, fields: [HTTPField("X-A", ""), HTTPField("X-B", "b")], body: [0x78]))
      },
      { listener in
        let client = try RawClient(port: listener.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = try client.receive()
        #expect(response.status == 200)
        #expect(response.text == "x")
        #expect(response.field("X-B") == "b")
        #expect(response.field("X-A") == nil)
      })
  }

  @Test func `three hundred clients at once are all answered`() throws {
    try withListener(configure: { $0.maxConnectionsPerAddress = 300 }, handler: echo) { listener in
      let clients = try (0..<300).map { _ in try RawClient(port: listener.port) }
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
