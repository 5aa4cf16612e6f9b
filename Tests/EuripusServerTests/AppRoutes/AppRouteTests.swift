// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

extension TestServer {
  /// A server with routes of an app's own, and only the given view models.
  convenience init(
    routes: [AppRoute], _ models: [HostedModelType] = [], configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws {
    try self.init(models) {
      $0.routes = routes
      configure(&$0)
    }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A route of an app` {
  @Test func `gets the parameters of its path, decoded`() throws {
    let server = try TestServer(routes: [
      .get("/reports/{year}/{name}.csv") { request in
        .text("\(try request.parameter("year") as Int) \(try request.parameter("name"))")
      }
    ])
    let client = try server.client()
    for (path, text) in [
      ("/reports/2026/a.csv", "2026 a"), ("/reports/-1/a%2Fb%20%C3%BC.csv?x=1", "-1 a/b ü"),
      ("/reports/2026/a.csv.csv", "2026 a.csv"), ("/%72eports/2026/.%63sv.csv", "2026 .csv"),
      ("/reports/7/%CC%81.csv", "7 \u{301}"),
    ] {
      let response = try client.request("GET", path)
      #expect((response.status, response.text) == (200, text), "\(path)")
    }
    for path in ["/reports/2026/.csv", "/reports/2026/a.csv/", "/reports//a.csv", "/reports/2026/a.CSV", "/reports"] {
      #expect(try client.request("GET", path).problem == "not-found", "\(path)")
    }
    let wrong = try client.request("GET", "/reports/now/a.csv")
    #expect(wrong.status == 404 && wrong.text.contains("expected Int in place of {year}"), "\(wrong.text)")
  }

  @Test func `gets the query, the fields, the body, the address and an id`() throws {
    let server = try TestServer(routes: [
      .put("/echo") { request in
        .json([
          "method": .string(request.method), "path": .string(request.path), "first": .string(request.query("a") ?? "-"),
          "query": .array(request.query.map { .string("\($0.name)=\($0.value)") }),
          "field": .string(request.field("x-SIGNATURE") ?? "-"),
          "fields": .array(request.fields.map { .string("\($0.name): \($0.value)") }),
          "body": .string(String(decoding: request.body, as: UTF8.self)), "address": .string(request.clientAddress),
          "secure": .bool(request.isSecure), "id": .integer(Int64(request.id.utf8.count)),
        ])
      }
    ]) { $0.trustedProxies = ["127.0.0.1"] }
    let fields = [
      ("Host", "localhost"), ("X-Forwarded-For", "192.0.2.7"), ("X-Forwarded-Proto", "https"),
      ("X-Signature", "t=1"), ("X-Signature", "t=2"), ("Content-Type", "text/odd"),
    ]
    let echo = try server.client().request("PUT", "/ec%68o?a=1&b=%C3%BC+x&a=2&c", "{]", fields: fields).json
    #expect(echo?["method"] == "PUT" && echo?["path"] == "/ec%68o" && echo?["first"] == "1")
    #expect(echo?["query"] == ["a=1", "b=ü x", "a=2", "c="])
    #expect(echo?["field"] == "t=1")
    let sent = fields.map { JSON.string("\($0): \($1)") } + ["Content-Length: 2"]
    #expect(echo?["fields"] == .array(sent))
    #expect(echo?["body"] == "{]" && echo?["address"] == "192.0.2.7" && echo?["secure"] == true)
    #expect(echo?["id"] == 8)
  }

  @Test func `reads a body as JSON or as a form, and tells the client of a mistake in it`() throws {
    let server = try TestServer(routes: [
      .post("/sum") { request in .json(try (request.json() as [Int]).reduce(0, +)) },
      .post("/form") { request in .text(try request.form().map { "\($0.name)=\($0.value)" }.joined(separator: ";")) },
    ])
    let client = try server.client()
    #expect(try client.request("POST", "/sum", "[1, 2]").json == 3)
    #expect(try client.request("POST", "/sum", "[1, 2").problem == "malformed-json")
    let mismatch = try client.request("POST", "/sum", #"[1, "2"]"#)
    #expect(mismatch.status == 422 && mismatch.json?["detail"] == "expected integer, got string at /1")
    #expect(try client.request("POST", "/form", "a=1&b=%26+%3D").text == "a=1;b=& =")
    #expect(try client.request("POST", "/form", "a=%F").status == 400)
    #expect(try client.request("GET", "/sum?a=%FF").status == 405)
  }

  @Test func `says its media type, is kept by no cache and guessed by no browser, unless it says so`() throws {
    let server = try TestServer(routes: [
      .get("/text") { _ in .text("a") }, .get("/page") { _ in .html("<p>") }, .get("/empty") { _ in .empty },
      .get("/picture") { _ in .bytes([1, 2], type: "image/svg+xml") },
      .get("/own") { _ in
        .html("").adding("cache-control", "max-age=60").adding("content-security-policy", "default-src *")
      },
      .get("/csv") { _ in .csv([["a", "b,\"c\""], ["d\n", "", "=1"]]) },
      .get("/cells") { _ in .csv([["=1", "+a", "-1", "@a", "\t=1", "a=1", "-1+1"]], escapingFormulas: true) },
      .get("/away") { _ in .redirect(to: "/text") },
      .get("/untyped") { _ in RouteResponse(body: Array("<p>".utf8)) },
    ])
    let client = try server.client()
    let text = try client.request("GET", "/text")
    #expect(text["Content-Type"] == "text/plain; charset=utf-8" && text["X-Content-Type-Options"] == "nosniff")
    #expect(text["Cache-Control"] == "no-store" && text["Content-Security-Policy"] == nil)
    for path in ["/page", "/picture"] {
      let page = try client.request("GET", path)
      #expect(page["Content-Security-Policy"] == ContentSecurityPolicy.strict.text, "\(path)")
      #expect(page["Referrer-Policy"] == "no-referrer", "\(path)")
    }
    let own = try client.request("GET", "/own").fields.filter { $0.name.lowercased().hasPrefix("c") }
    #expect(own.filter { $0.name.lowercased() == "cache-control" }.map(\.value) == ["max-age=60"])
    #expect(own.filter { $0.name.lowercased() == "content-security-policy" }.map(\.value) == ["default-src *"])
    let untyped = try client.request("GET", "/untyped")
    #expect(untyped["Content-Type"] == "application/octet-stream" && untyped["X-Content-Type-Options"] == "nosniff")
    let empty = try client.request("GET", "/empty")
    #expect(empty.status == 204 && empty["Cache-Control"] == "no-store" && empty["Content-Type"] == nil)
    #expect(try client.request("GET", "/csv").text == "a,\"b,\"\"c\"\"\"\r\n\"d\n\",,=1\r\n")
    #expect(try client.request("GET", "/cells").text == "'=1,'+a,-1,'@a,'\t=1,a=1,'-1+1\r\n")
    let away = try client.request("GET", "/away")
    #expect((away.status, away["Location"]) == (303, "/text"))
  }

  @Test func `with an entity tag answers conditions, and without one leaves them to its function`() throws {
    let server = try TestServer(routes: [
      .get("/tagged") { _ in
        var response = RouteResponse.text("a")
        response.entityTag = "v1"
        return response
      },
      .get("/own") { request in .text(request.field("If-None-Match") ?? "-") },
    ])
    let client = try server.client()
    #expect(try client.request("GET", "/tagged")["ETag"] == "\"v1\"")
    let known = try client.request("GET", "/tagged", fields: [("If-None-Match", "\"v1\"")])
    #expect(known.status == 304 && known["Cache-Control"] == "no-store")
    #expect(try client.request("GET", "/tagged", fields: [("If-Match", "\"v2\"")]).problem == "version-moved")
    let own = try client.request("GET", "/own", fields: [("If-None-Match", "\"v1\""), ("If-Match", "\"v2\"")])
    #expect(own.text == "\"v1\"")
  }

  @Test func `is not compressed, as there may be a secret in it`() throws {
    let server = try TestServer(routes: [.get("/long") { _ in .text(String(repeating: "a", count: 4_096)) }])
    let response = try server.client().request("GET", "/long", fields: [("Accept-Encoding", "gzip")])
    #expect(response.body.count == 4_096 && response["Content-Encoding"] == nil)
  }

  @Test func `is asked before files, and by text before parameters`() throws {
    let folder = try PublicFolder(["a.txt": "file", "b.txt": "file", "c/x": "file"])
    let server = try TestServer(
      routes: [
        .get("/c/{name}") { _ in .text("any") }, .get("/c/{name}.txt") { _ in .text("text") },
        .get("/c/new") { _ in .text("new") }, .get("/a.txt") { _ in .text("route") },
        .post("/b.txt") { _ in .text("route") }, .get("/{page}/only") { _ in .text("page") },
        .get("/") { _ in .text("root") },
      ], configure: { $0.publicDirectory = folder.path })
    let client = try server.client()
    for (path, text) in [
      ("/c/x", "any"), ("/c/x.txt", "text"), ("/c/new", "new"), ("/a.txt", "route"), ("/", "root"), ("/c/only", "any"),
      ("/d/only", "page"), ("/healthz", "ok\n"),
    ] {
      #expect(try client.request("GET", path).text == text, "\(path)")
    }
    // The route has the path for all methods: GET is refused, though a file has this name.
    #expect(try client.request("GET", "/b.txt").status == 405)
  }
}

/// The methods of a path of an app's routes, which answers them as the server's own paths do.
@Suite(.timeLimit(.minutes(30))) struct `A path of an app's routes` {
  private let client: TestClient

  init() throws {
    client = try TestServer(routes: [
      .get("/things/{id}") { request in .text("\(request.method) \(try request.parameter("id"))") },
      .delete("/things/{id}") { _ in .empty }, .post("/things") { _ in .text("made", status: 201) },
    ]).client()
  }

  @Test func `answers HEAD as GET, without the body`() throws {
    let (get, head) = (try client.request("GET", "/things/1"), try client.request("HEAD", "/things/1"))
    #expect(get.text == "GET 1" && head.body.isEmpty)
    #expect((head.status, head["Content-Type"]) == (200, get["Content-Type"]))
    #expect(head["Content-Length"] == "6")
    #expect(try client.request("HEAD", "/things").status == 405)
  }

  @Test func `answers OPTIONS, and refuses another method, with the methods that it takes`() throws {
    for (path, allowed) in [("/things/1", "GET, HEAD, DELETE, OPTIONS"), ("/things", "POST, OPTIONS")] {
      let response = try client.request("OPTIONS", path)
      #expect((response.status, response["Allow"]) == (204, allowed))
      for method in ["PUT", "PATCH"] {
        let refused = try client.request(method, path)
        #expect((refused.problem, refused["Allow"]) == ("method-not-allowed", allowed), "\(method) \(path)")
      }
    }
    #expect(try client.request("GET", "/things").problem == "method-not-allowed")
    #expect(try client.request("BREW", "/things").problem == "not-implemented")
  }

  @Test func `is in no OpenAPI description`() throws {
    #expect(try !client.request("GET", "/openapi.json").text.contains("/things"))
  }
}
