// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(5))) struct `The other resources` {
  @Test func `health and models answer without a session`() throws {
    let server = try TestServer([.hosting { Counter() }, .hosting { try Broken() }])
    let client = try server.client()
    #expect(try client.request("GET", "/healthz").text == "ok\n")
    #expect(try client.request("GET", "/models").json == ["models": ["broken", "counter"]])
    #expect(server.sessionCount == 0)
  }

  @Test func `static files come with their type, a tag, and the security fields`() throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    let page = try opened.client.request("GET", "/login.html")
    #expect(page.status == 200)
    #expect(page["Content-Type"] == "text/html; charset=utf-8")
    #expect(page["X-Content-Type-Options"] == "nosniff")
    #expect(page["Referrer-Policy"] == "no-referrer")
    #expect(page["Cross-Origin-Resource-Policy"] == "same-origin")
    #expect(page["Cross-Origin-Opener-Policy"] == "same-origin")
    #expect(page["Content-Security-Policy"]?.contains("require-trusted-types-for 'script'") == true)
    #expect(page["Server"] == nil)
    let tag = try #require(page["ETag"])
    #expect(try opened.client.request("GET", "/login.html", fields: [("If-None-Match", tag)]).status == 304)
    #expect(try opened.client.request("GET", "/euripus.js")["Content-Type"] == "text/javascript; charset=utf-8")
    #expect(try opened.client.request("GET", "/").body == opened.client.request("GET", "/index.html").body)
    #expect(try opened.client.request("GET", "/login.html?x=1").body == page.body)
  }

  @Test func `OPTIONS of the whole server says what is allowed anywhere`() throws {
    let server = try TestServer([.hosting { Counter() }])
    let response = try server.client().request("OPTIONS", "*")
    #expect((response.status, response["Allow"]) == (204, "GET, HEAD, POST, PUT, DELETE, OPTIONS"))
  }

  @Test func `a top-level navigation from another site reaches a page and nothing else`() throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    let navigation = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]
    #expect(try opened.client.request("GET", "/login.html", fields: navigation).status == 200)
    #expect(try opened.client.request("GET", opened.url, fields: navigation).problem == "cross-site")
    #expect(try opened.client.request("GET", "/login.html", fields: [navigation[0]]).problem == "cross-site")
    #expect(try opened.client.request("GET", opened.url, fields: [("Sec-Fetch-Site", "same-origin")]).status == 200)
    #expect(
      try opened.client.request("GET", opened.url, fields: [("Origin", "http://127.0.0.1:\(opened.server.port)")])
        .status == 200)
  }

  @Test func `a host name that was configured is let in`() throws {
    let server = try TestServer([.hosting { Counter() }]) { $0.hostNames = ["Demo.Example"] }
    let client = try server.client()
    #expect(try client.request("GET", "/healthz", fields: [("Host", "demo.example:8080")]).status == 200)
    let refused = try client.request("GET", "/healthz", fields: [("Host", "other.example")])
    #expect(refused.text.contains("'other.example' is not a name of this server"))
    #expect(try client.request("GET", "http://demo.example/healthz", fields: [("Host", "demo.example")]).status == 200)
  }

  @Test func `the address that the server prints is one that it takes`() throws {
    let server = try TestServer([.hosting { Counter() }]) { $0.listener.host = "127.0.0.2" }
    #expect(server.url == "http://127.0.0.2:\(server.port)/")
    let client = try TestClient(port: server.port, address: "127.0.0.2")
    #expect(try client.request("GET", "/healthz", fields: [("Host", "127.0.0.2:\(server.port)")]).status == 200)
  }

  @Test func `a directory of static files that is not there is an error at the start`() throws {
    let failure = #expect(throws: ServerError.self) {
      _ = try TestServer([.hosting { Counter() }]) { $0.publicDirectory = "/nonexistent" }
    }
    #expect(failure.map { "\($0)" }?.contains("'/nonexistent'") == true)
  }

  @Test func `a client that vanishes while it waits frees its session for expiry`() throws {
    // A session lives as long as a poll waits in it. When the client is gone, the session's idle time begins.
    try Passing.end { client, url in
      let tag = try #require(try client.request("GET", url)["ETag"])
      let version = tag.trimmingPrefix("\"").dropLast()
      try client.send("GET", "\(url)/changes?since=\(version)", fields: [("Prefer", "wait=55")])
      client.leave()
    }
  }
}
