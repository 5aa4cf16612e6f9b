// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The other resources` {
  @Test func `OPTIONS of the whole server says what is allowed anywhere`() throws {
    let server = try TestServer([.hosting { Counter() }])
    let response = try server.client().request("OPTIONS", "*")
    #expect((response.status, response["Allow"]) == (204, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"))
  }

  @Test func `a top-level navigation from another site reaches a page and nothing else`() throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    let navigation = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]
    for page in ["/login.html", "/problems/not-found"] {
      #expect(try opened.client.request("GET", page, fields: navigation).status == 200)
    }
    #expect(try opened.get("", navigation).problem == "cross-site")
    #expect(try opened.client.request("GET", "/login.html", fields: [navigation[0]]).problem == "cross-site")
  }

  @Test func `the address that the server prints is one that it takes`() throws {
    let server = try TestServer([.hosting { Counter() }]) { $0.listener.host = "127.0.0.2" }
    #expect(server.url == "http://127.0.0.2:\(server.port)/")
    let client = try TestClient(port: server.port, address: "127.0.0.2")
    #expect(try client.request("GET", "/healthz", fields: [("Host", "127.0.0.2:\(server.port)")]).status == 200)
  }
}
