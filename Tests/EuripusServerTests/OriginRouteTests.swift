// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `Pages of other origins` {
  static let origin = "https://app.example"
  static let exposed =
    "ETag, Location, Preference-Applied, Retry-After, Upload-Offset, Upload-Complete, Upload-Length, Upload-Limit"
  static let fromApp = [("Origin", origin), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "cors")]

  @Test func `that are allowed may use the server, and read every answer`() throws {
    let opened = try Opened { $0.allowedOrigins = [Self.origin] }
    let client = opened.client
    for (method, target, body, status) in [
      ("GET", opened.url, nil, 200), ("POST", opened.url + "/actions/add", "1", 200), ("GET", "/nope.html", nil, 404),
      ("POST", opened.url + "/actions/nope", "1", 422), ("GET", opened.url + "/changes?since=x", nil, 400),
      ("DELETE", opened.url, nil, 204), ("GET", opened.url, nil, 410), ("PATCH", opened.url, nil, 405),
    ] as [(String, String, String?, Int)] {
      let answer = try client.request(method, target, body, fields: Self.fromApp)
      #expect(answer.status == status, "\(method) \(target): \(answer.text)")
      #expect(answer["Access-Control-Allow-Origin"] == Self.origin)
      #expect(answer["Access-Control-Allow-Credentials"] == "true")
      #expect(answer["Access-Control-Expose-Headers"] == Self.exposed)
      #expect(answer.fields.contains { $0.name == "Vary" && $0.value == "Origin" })
    }
  }

  @Test(arguments: [
    ("Content-Type", "application/json", "text/plain", "not-json"),
    ("Origin", "http://HOST", "http://evil.example", "cross-site"),
    ("Sec-Fetch-Site", "same-origin", "cross-site", "cross-site"),
  ])
  func `are told by the first of two fields, as are media types`(
    name: String, good: String, bad: String, problem: String
  )
    throws
  {
    let opened = try Opened()
    let good = good.replacing("HOST", with: "127.0.0.1:\(opened.server.port)")
    func add(_ first: String, _ second: String) throws -> TestClient.Response {
      try opened.client.request(
        "POST", opened.url + "/actions/add", "1", fields: [(name, first), (name, second)])
    }
    #expect(try add(good, bad).status == 200)
    #expect(try add(bad, good).problem == problem)
  }

  @Test func `that are allowed read an answer that they have waited for`() throws {
    let opened = try Opened { $0.allowedOrigins = [Self.origin] }
    let reader = try opened.poll(Self.fromApp)
    try opened.add()
    let answer = try reader.receive()
    #expect((answer.status, answer["Access-Control-Allow-Origin"]) == (200, Self.origin))
    // The next request on this connection has no `Origin`, so its answer allows none.
    let own = try reader.request("GET", opened.url)
    #expect((own.status, own["Access-Control-Allow-Origin"]) == (200, nil))
    #expect(own["Vary"] == "Origin")
  }

  @Test func `that are allowed are told before how they may send`() throws {
    let opened = try Opened { $0.allowedOrigins = [Self.origin] }
    let asks =
      Self.fromApp + [
        ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "content-type,idempotency-key"),
      ]
    let answer = try opened.client.request("OPTIONS", opened.url + "/actions/add", fields: asks)
    #expect((answer.status, answer.text) == (204, ""))
    #expect(answer["Access-Control-Allow-Origin"] == Self.origin)
    #expect(answer["Access-Control-Allow-Credentials"] == "true")
    #expect(answer["Access-Control-Allow-Methods"] == "POST, OPTIONS")
    #expect(
      answer["Access-Control-Allow-Headers"]
        == """
        Authorization, Content-Digest, Content-Disposition, Content-Type, Idempotency-Key, If-Match, If-None-Match, \
        Last-Event-ID, Prefer, Repr-Digest, Upload-Complete, Upload-Length, Upload-Offset
        """)
    #expect(answer["Access-Control-Max-Age"] == "600")
    let plain = try opened.send("OPTIONS")
    #expect(plain.status == 204 && plain["Access-Control-Allow-Methods"] == nil)
  }

  @Test func `that are allowed read that the proxy before the server cannot be understood`() throws {
    let opened = try Opened {
      $0.allowedOrigins = [Self.origin]
      $0.trustedProxies = ["127.0.0.1"]
    }
    let fields = Self.fromApp + [("X-Forwarded-Proto", "gopher")]
    let answer = try opened.get("", fields)
    #expect((answer.status, answer.problem) == (400, "bad-request"))
    #expect(answer["Access-Control-Allow-Origin"] == Self.origin)
    #expect(answer.fields.filter { $0.name == "Vary" && $0.value == "Origin" }.count == 1)
  }

  @Test(arguments: [
    ("Content-Length: 70000", 413), ("Expect: more", 417), ("Transfer-Encoding: gzip", 501),
    ("X: \(String(repeating: "x", count: 6_144))", 431), ("X : x", 400),
  ])
  func `that are allowed read why a request was refused that had no route yet`(field: String, status: Int) throws {
    let (server, closed) = (try Opened { $0.allowedOrigins = [Self.origin] }.server, try Opened().server)
    for (server, origin, allowed, vary) in [
      (server, Self.origin, Self.origin, "Origin"), (server, "https://evil.example", nil, "Origin"),
      (closed, Self.origin, nil, nil),
    ] {
      let client = try server.client()
      try client.send(raw: "POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: \(origin)\r\n\(field)\r\n\r\n")
      let answer = try client.receive()
      #expect((answer.status, answer["Access-Control-Allow-Origin"], answer["Vary"]) == (status, allowed, vary))
    }
  }

  @Test(arguments: [nil, "https://app.example"])
  func `that are not allowed are refused, and told nothing`(allowed: String?) throws {
    let opened = try Opened { $0.allowedOrigins = allowed.map { [$0] } ?? [] }
    let fields = [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")]
    for (method, extra) in [("GET", []), ("OPTIONS", [("Access-Control-Request-Method", "GET")])] {
      let answer = try opened.client.request(method, opened.url, fields: fields + extra)
      #expect((answer.status, answer.problem) == (403, "cross-site"))
      #expect(!answer.fields.contains { $0.name.hasPrefix("Access-Control") })
      #expect(answer["Vary"] == (allowed == nil ? nil : "Origin"))
    }
    let own = try opened.get("", [("Sec-Fetch-Site", "same-origin")])
    #expect(own.status == 200 && !own.fields.contains { $0.name.hasPrefix("Access-Control") })
  }

  @Test func `may bring a token, which no browser adds by itself, and with it no cookie`() throws {
    let opened = try Opened()
    let made = try opened.client.request("POST", "/sessions/counter", #"{"auth":"bearer"}"#)
    let (token, url) = (try made.string("token"), try made.string("url"))
    let fields = [("Authorization", "Bearer \(token)"), ("Sec-Fetch-Site", "cross-site")]
    #expect(try opened.client.request("GET", url, fields: fields).problem == "cross-site")
    opened.client.cookie = nil
    #expect(try opened.client.request("GET", url, fields: fields).status == 200)
    #expect(
      try opened.client.request("GET", url, fields: fields + [("Cookie", "__Host-euripus=x")]).problem == "cross-site")
    #expect(
      try opened.client.request("GET", url, fields: [("Authorization", "Basic x"), ("Origin", "null")]).problem
        == "cross-site")
  }
}

@Suite(.timeLimit(.minutes(30))) struct `Behind a proxy` {
  static let proxied = [
    ("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "a.example"),
  ]

  @Test func `that is trusted, cookies are for TLS alone, and the origin is the client's`() throws {
    let server = try TestServer([.hosting { Counter() }]) {
      $0.trustedProxies = ["127.0.0.0/8"]
      $0.hostNames = ["a.example"]
    }
    let client = try server.client()
    let made = try client.request("POST", "/sessions/counter", fields: Self.proxied + [("Origin", "https://a.example")])
    #expect(made.status == 201)
    let cookie = try #require(made["Set-Cookie"])
    #expect(cookie.hasPrefix("__Host-euripus="))
    #expect(cookie.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Strict"))
    let url = made["Location"] ?? ""
    #expect(try client.request("GET", url, fields: Self.proxied).status == 200)
    // A cookie of plain HTTP does not count with TLS, as somebody on the way may have planted it.
    let planted = client.cookie?.replacing("__Host-euripus", with: "euripus-80")
    client.cookie = planted
    #expect(try client.request("GET", url, fields: Self.proxied).problem == "no-session")
    let wrong = try client.request("GET", "/models", fields: Self.proxied + [("Origin", "http://a.example")])
    #expect(wrong.problem == "cross-site")
    let other = try client.request("GET", "/models", fields: [("X-Forwarded-Host", "evil.example")])
    #expect(other.problem == "wrong-host" && other.text.contains("'evil.example' is not a name of this server"))
    let both = try client.request("GET", "/models", fields: Self.proxied + [("Forwarded", "for=192.0.2.1")])
    #expect(both.problem == "bad-request")
  }

  @Test func `that is trusted may pass on any host, if the server is told so`() throws {
    let server = try TestServer([.hosting { Counter() }]) {
      $0.trustedProxies = ["127.0.0.1"]
      $0.hostNames = ["*"]
    }
    let client = try server.client()
    for fields in [
      [("X-Forwarded-Host", "b.example")], [("Forwarded", "for=192.0.2.1;host=b.example")], [("Host", "b.example")],
    ] { #expect(try client.request("GET", "/models", fields: fields).status == 200) }
    // Its pages are of that host.
    let foreign = [("X-Forwarded-Host", "b.example"), ("Origin", "http://a.example")]
    #expect(try client.request("GET", "/models", fields: foreign).problem == "cross-site")
    #expect(try client.request("GET", "/models", fields: [("X-Forwarded-Host", "b:x")]).problem == "bad-request")
  }

  @Test func `that is trusted vouches for no host of a request that comes past it`() throws {
    let server = try TestServer([]) {
      $0.trustedProxies = ["10.0.0.0/8"]
      $0.hostNames = ["*", "a.example"]
    }
    let client = try server.client()
    #expect(try client.request("GET", "/models", fields: [("Host", "a.example")]).status == 200)
    for fields in [
      [("Host", "b.example")], [("Host", "*")], [("Host", "b.example"), ("X-Forwarded-Host", "a.example")],
    ] {
      #expect(try client.request("GET", "/models", fields: fields).problem == "wrong-host")
    }
  }
}
