// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The root of an app without a page there` {
  private static let navigating = [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")]

  private let folder: PublicFolder
  private let client: TestClient

  init() throws {
    let folder = try PublicFolder(["shelves.html": "<p>shelves", "fetcher.html": "<p>fetcher"])
    self.folder = folder
    client = try TestServer([
      .hosting(at: "/shelves") { Shelves() }, .hosting { Fetcher() }, .hosting { Counter() },
    ]) { $0.publicDirectory = folder.path }.client()
  }

  @Test func `lists the view models for a person, each with its page, or with the request that opens it`() throws {
    let page = try client.request("GET", "/", fields: Self.navigating)
    #expect((page.status, page["Content-Type"]) == (200, "text/html; charset=utf-8"))
    #expect(page["Content-Security-Policy"] != nil)
    #expect((page["Cache-Control"], page["ETag"]) == ("no-store", nil))
    for line in [
      #"<li><a href="/shelves">shelves</a></li>"#, #"<li><a href="/fetcher.html">fetcher</a></li>"#,
      "<code>POST /sessions/counter</code>",
    ] { #expect(page.text.contains(line), "\(page.text)") }
    let links = page.text.matches(of: #/<a href="([^"]+)"/#).map { String($0.1) }
    #expect(links == ["/models/counter/openapi.json", "/fetcher.html", "/shelves", "/openapi.json", "/problems"])
    for link in links { #expect(try client.request("GET", link).status == 200, "\(link)") }
    let head = try client.request("HEAD", "/", fields: Self.navigating)
    #expect((head.status, head["Content-Length"], head.body) == (200, "\(page.body.count)", []))
  }

  @Test(arguments: [nil, "*/*", "application/json", "image/png"])
  func `names the view models in JSON for a program`(accept: String?) throws {
    let answer = try client.request("GET", "/", fields: accept.map { [("Accept", $0)] } ?? [])
    #expect((answer.status, answer["Content-Type"]) == (200, "application/json"))
    #expect(answer.json == ["models": ["counter", "fetcher", "shelves"]])
    #expect(try client.request("GET", "/models").json == answer.json)
  }

  @Test func `is found by GET alone, and hides no mistake in another path`() throws {
    #expect(try client.request("POST", "/", "{}").status == 405)
    #expect(try client.request("GET", "/nothing", fields: Self.navigating).status == 404)
    #expect(try client.request("GET", "//", fields: Self.navigating).status == 404)
  }

  @Test func `is the app's own where it has a file, a page of a view model, or a route there`() throws {
    try folder.write("index.html", "<p>index")
    #expect(try client.request("GET", "/", fields: Self.navigating).text == "<p>index")
    let other = try PublicFolder(["shelves.html": "<p>shelves"])
    let page = try TestServer([.hosting(at: "/", page: "shelves.html") { Shelves() }]) {
      $0.publicDirectory = other.path
    }
    #expect(try page.client().request("GET", "/", fields: Self.navigating).text == "<p>shelves")
    let route = try TestServer([.hosting { Counter() }]) { $0.routes = [.get("/") { _ in .text("a route") }] }
    #expect(try route.client().request("GET", "/", fields: Self.navigating).text == "a route")
  }

  @Test func `says what there is without files, and without view models`() throws {
    let bare = try TestServer([.hosting { Counter() }]).client().request("GET", "/", fields: Self.navigating)
    #expect(bare.status == 200 && bare.text.contains("<code>POST /sessions/counter</code>"))
    let empty = try TestServer([]).client()
    #expect(try empty.request("GET", "/", fields: Self.navigating).text.contains("It hosts no view model."))
    #expect(try empty.request("GET", "/").json == ["models": []])
  }
}
