// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A problem that a browser's navigation meets` {
  private static let navigating = [
    ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8")
  ]

  private let folder: PublicFolder
  private let client: TestClient

  init() throws {
    let folder = try PublicFolder(["404.html": "<p>not here", "error.html": "<p>failed", "index.html": "<p>index"])
    self.folder = folder
    client = try TestServer([.hosting { Counter() }]) { $0.publicDirectory = folder.path }.client()
  }

  @Test func `is a page for people, with its status and the rules of pages`() throws {
    let missing = try client.request("GET", "/nothing.html", fields: Self.navigating)
    #expect((missing.status, missing.text) == (404, "<p>not here"))
    #expect(missing["Content-Type"] == "text/html; charset=utf-8")
    #expect(missing["Content-Security-Policy"] != nil)
    #expect(missing["Cache-Control"] == "no-store" && missing["ETag"] == nil)
    let foreign = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")]
    let refused = try client.request("GET", "/index.html", fields: Self.navigating + foreign)
    #expect((refused.status, refused.text) == (403, "<p>failed"))
    #expect(try client.request("GET", "/", fields: Self.navigating).text == "<p>index")
  }

  @Test func `is a problem in JSON for a program, and where there is no such page`() throws {
    for accept in ["*/*", "application/json", "application/problem+json, text/html", nil] {
      let response = try client.request("GET", "/nothing.html", fields: accept.map { [("Accept", $0)] } ?? [])
      #expect(response["Content-Type"] == "application/problem+json", "\(accept ?? "-")")
    }
    for (method, target) in [("POST", "/nothing.html"), ("GET", "/models/none/openapi.json")] {
      let response = try client.request(method, target, fields: Self.navigating)
      #expect(response["Content-Type"] == "application/problem+json", "\(method) \(target)")
    }
    let empty = try PublicFolder(["404.html": "<p>not here", "index.html": "<p>index"])
    let other = try TestServer([.hosting { Counter() }]) { $0.publicDirectory = empty.path }.client()
    let refused = try other.request("GET", "/", fields: Self.navigating + [("Sec-Fetch-Site", "cross-site")])
    #expect((refused.status, refused["Content-Type"]) == (403, "application/problem+json"))
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A server in development` {
  @Test func `says so in each answer, so that pages help their author`() throws {
    let client = try TestServer([.hosting { Counter() }]) { $0.isInDevelopment = true }.client()
    for target in ["/models", "/nothing"] { #expect(try client.request("GET", target)["Euripus-Development"] == "?1") }
    #expect(try TestServer([.hosting { Counter() }]).client().request("GET", "/models")["Euripus-Development"] == nil)
  }

  @Test func `knows the addresses of its own machine`() {
    for host in ["localhost", "127.0.0.1", "127.1.2.3", "::1"] { #expect(ServerConfiguration.isOwnMachine(host)) }
    for host in ["", "0.0.0.0", "10.0.0.1", "::", "localhost.example"] {
      #expect(!ServerConfiguration.isOwnMachine(host))
    }
  }
}
