// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A page of another site` {
  private static let fetches = [
    [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")], [("Origin", "https://evil.example")],
    [("Origin", "null")],
    [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")],
  ]

  private func client() throws -> TestClient {
    try TestServer(routes: [
      .get("/read") { _ in .text("read") }, .post("/do") { _ in .text("done") }, .put("/do") { _ in .text("done") },
      .delete("/do") { _ in .text("done") }, .post("/webhook", crossSite: .allowed) { _ in .text("done") },
      .get("/widget", crossSite: .allowed) { _ in .text("shown") }, .put("/webhook") { _ in .text("done") },
    ]).client()
  }

  @Test func `may not send to a route, as it may not perform actions`() throws {
    let client = try client()
    for fields in Self.fetches {
      for method in ["POST", "PUT", "DELETE"] {
        #expect(try client.request(method, "/do", fields: fields).problem == "cross-site", "\(method) \(fields)")
      }
    }
    #expect(try client.request("POST", "/do").text == "done")
    #expect(try client.request("POST", "/do", fields: [("Sec-Fetch-Site", "same-origin")]).text == "done")
    #expect(try client.request("POST", "/do", fields: [("Origin", "http://127.0.0.1:\(client.port)")]).text == "done")
  }

  @Test func `may send to a route that takes it, by that method alone`() throws {
    let client = try client()
    for fields in Self.fetches {
      #expect(try client.request("POST", "/webhook", fields: fields).text == "done", "\(fields)")
      #expect(try client.request("GET", "/widget", fields: fields).text == "shown", "\(fields)")
      #expect(try client.request("HEAD", "/widget", fields: fields).status == 200, "\(fields)")
      #expect(try client.request("PUT", "/webhook", fields: fields).problem == "cross-site", "\(fields)")
      #expect(try client.request("OPTIONS", "/webhook", fields: fields).problem == "cross-site", "\(fields)")
    }
  }

  @Test func `may lead a person to a route that reads, and not read it itself`() throws {
    let client = try client()
    for (index, fields) in Self.fetches.enumerated() {
      let isNavigation = index == Self.fetches.count - 1
      #expect(try client.request("GET", "/read", fields: fields).status == (isNavigation ? 200 : 403), "\(fields)")
    }
  }

  @Test func `that has its own name lead here reaches no route, whatever that takes`() throws {
    let response = try client().request("POST", "/webhook", fields: [("Host", "evil.example")])
    #expect(response.problem == "wrong-host")
  }
}
