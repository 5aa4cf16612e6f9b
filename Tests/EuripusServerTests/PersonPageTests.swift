// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A problem that a browser's navigation meets` {
  private static let navigating = [
    ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8")
  ]

  @Test func `is a page for people, with its status and the rules of pages`() throws {
    let folder = try PublicFolder(["404.html": "<p>not here", "error.html": "<p>failed", "index.html": "<p>index"])
    let client = try TestServer([.hosting { Counter() }]) { $0.publicDirectory = folder.path }.client()
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
    let folder = try PublicFolder(["404.html": "<p>not here", "index.html": "<p>index"])
    let client = try TestServer([.hosting { Counter() }]) { $0.publicDirectory = folder.path }.client()
    for accept in ["*/*", "application/json", "application/problem+json, text/html"] {
      let response = try client.request("GET", "/nothing.html", fields: [("Accept", accept)])
      #expect(response["Content-Type"] == "application/problem+json", "\(accept)")
    }
    #expect(try client.request("GET", "/nothing.html")["Content-Type"] == "application/problem+json")
    let posted = try client.request("POST", "/nothing.html", "", fields: Self.navigating)
    #expect(posted["Content-Type"] == "application/problem+json")
    let ofServer = try client.request("GET", "/models/none/openapi.json", fields: Self.navigating)
    #expect((ofServer.status, ofServer["Content-Type"]) == (404, "application/problem+json"))
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A server in development` {
  @Test func `says so in each answer, so that pages help their author`() throws {
    let client = try TestServer([.hosting { Counter() }]) { $0.isInDevelopment = true }.client()
    for target in ["/models", "/nothing"] { #expect(try client.request("GET", target)["Euripus-Development"] == "?1") }
    #expect(try TestServer([.hosting { Counter() }]).client().request("GET", "/models")["Euripus-Development"] == nil)
  }

  @Test(arguments: ["0.0.0.0", "::", "192.0.2.1", "app.example"])
  func `does not start at an address that others than its machine reach`(host: String) throws {
    var configuration = ServerConfiguration()
    configuration.listener.host = host
    configuration.isInDevelopment = true
    let server = EuripusServer([.hosting { Counter() }], configuration: configuration)
    #expect(throws: ServerError.self) { try server.start() }
  }

  @Test func `knows the addresses of its own machine`() {
    for host in ["localhost", "127.0.0.1", "127.1.2.3", "::1"] { #expect(ServerConfiguration.isOwnMachine(host)) }
    for host in ["", "0.0.0.0", "10.0.0.1", "::", "localhost.example"] {
      #expect(!ServerConfiguration.isOwnMachine(host))
    }
  }
}
