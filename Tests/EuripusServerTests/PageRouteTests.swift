// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The page of a view model` {
  let folder: PublicFolder

  init() throws {
    folder = try PublicFolder([
      "shelves.html": "<p>shelves", "shelves.html.gz": "zipped", "other.html": "<p>other", "index.html": "<p>index",
      "shelves/file.txt": "a file", "style.css": "p{}",
    ])
    try folder.write("shelves.html", "<p>shelves", age: 10)
  }

  private func server(_ models: [HostedModelType], routes: [AppRoute] = []) throws -> TestServer {
    try TestServer(models) { [folder] configuration in
      configuration.publicDirectory = folder.path
      configuration.routes = routes
    }
  }

  @Test(arguments: ["/shelves", "/shelves/", "/shelves/a/b?tab=new", "/shelves/file.txt", "/shelves/%2F..%2F"])
  func `is its file at its path and below`(_ target: String) throws {
    let client = try server([.hosting(at: "/shelves") { Shelves() }]).client()
    let page = try client.request("GET", target)
    let file = try client.request("GET", "/shelves.html")
    #expect((page.status, page.text) == (200, "<p>shelves"))
    for name in [
      "ETag", "Content-Type", "Content-Security-Policy", "Cache-Control", "Vary", "Accept-Ranges", "Referrer-Policy",
      "Cross-Origin-Opener-Policy",
    ] {
      #expect(page[name] == file[name], "\(name)")
    }
    #expect(page["Content-Security-Policy"] != nil)
    #expect(try client.request("HEAD", target).status == 200)
    let tag = try #require(page["ETag"])
    #expect(try client.request("GET", target, fields: [("If-None-Match", tag)]).status == 304)
    #expect(try client.request("GET", target, fields: [("Range", "bytes=0-2")]).text == "<p>")
    let zipped = try client.request("GET", target, fields: [("Accept-Encoding", "gzip")])
    #expect((zipped.text, zipped["Content-Encoding"]) == ("zipped", "gzip"))
    #expect(try client.request("POST", target, "{}").status == 405)
    let foreign = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]
    #expect(try client.request("GET", target, fields: foreign).status == 200)
    #expect(try client.request("GET", target, fields: [("Sec-Fetch-Site", "cross-site")]).status == 403)
  }

  @Test func `may be another file, or one that is not there`() throws {
    let server = try server([
      .hosting(at: "/list", page: "other.html") { Shelves() }, .hosting(at: "/counter") { Counter() },
    ])
    let client = try server.client()
    #expect(try client.request("GET", "/list/a").text == "<p>other")
    let missing = try client.request("GET", "/counter/a")
    #expect((missing.status, missing.problem) == (404, "not-found"))
    #expect(missing.text.contains("counter.html"))
    let warnings = server.log.filter { $0.contains("a page is missing") }
    #expect(warnings.count == 1 && warnings[0].contains("/counter.html"), "\(warnings)")
  }

  @Test func `comes after an app's routes, and before files`() throws {
    let route = AppRoute.get("/{first}/report") { _ in .text("a report") }
    let client = try server([.hosting(at: "/shelves") { Shelves() }], routes: [route]).client()
    #expect(try client.request("GET", "/shelves/report").text == "a report")
    #expect(try client.request("GET", "/shelves/file.txt").text == "<p>shelves")
    #expect(try client.request("GET", "/style.css").text == "p{}")
    #expect(try client.request("GET", "/shelvesX").status == 404)
  }

  @Test func `within the path of another is the deeper one's`() throws {
    let client = try server([
      .hosting(at: "/a") { Shelves() }, .hosting(at: "/a/b", page: "other.html") { Counter() },
    ]).client()
    #expect(try client.request("GET", "/a/c").text == "<p>shelves")
    #expect(try client.request("GET", "/a/b/c").text == "<p>other")
  }

  @Test func `at the root is there where nothing else is`() throws {
    let client = try server([.hosting(at: "/") { Shelves() }]).client()
    #expect(try client.request("GET", "/").text == "<p>index")
    #expect(try client.request("GET", "/style.css").text == "p{}")
    #expect(try client.request("GET", "/a/b").text == "<p>shelves")
    // A misspelled style is not that page.
    for name in ["/styel.css", "/a/icon.svg"] { #expect(try client.request("GET", name).status == 404, "\(name)") }
    #expect(try client.request("GET", "/v1.2/b").text == "<p>shelves")
    #expect(try client.request("GET", "/healthz").text == "ok\n")
    #expect(try client.request("GET", "/sessions/a/b/c").status == 404)
    let opened = try client.request("POST", "/sessions/shelves", #"{"address":"/a/b?tab=new"}"#)
    #expect(opened.json?["address"] == "/a/b?tab=new")
  }

  @Test func `at the root may be index.html`() throws {
    let server = try server([.hosting(at: "/") { Counter() }])
    #expect(try server.client().request("GET", "/a/b").text == "<p>index")
    #expect(!server.log.contains { $0.contains("a page is missing") })
  }

  @Test(arguments: [
    ("/sessions", "the server has '/sessions' for itself"), ("/healthz/a", "the server has '/healthz/a' for itself"),
    ("shelves", "expected a slash at its beginning"), ("/a/", "expected something after each slash"),
    ("/a/../b", "no client sends the part '..'"), ("/{a}", "a page has one path"), ("/a%20b", "not encoded"),
  ])
  func `at a path that cannot be is a sentence at start`(_ path: String, _ fault: String) throws {
    let failure = #expect(throws: ServerError.self) { _ = try server([.hosting(at: path) { Shelves() }]) }
    let text = failure.map { "\($0)" } ?? ""
    #expect(text.hasPrefix("the page of 'shelves' cannot be served: "))
    #expect(text.contains(fault), "\(text)")
  }

  @Test func `beside another at one path is a sentence at start`() throws {
    let failure = #expect(throws: ServerError.self) {
      _ = try server([.hosting(at: "/a") { Shelves() }, .hosting(at: "/a") { Counter() }])
    }
    #expect(
      failure.map { "\($0)" }
        == "the page of 'counter' cannot be served: the page of 'shelves' is at '/a' as well")
  }
}
