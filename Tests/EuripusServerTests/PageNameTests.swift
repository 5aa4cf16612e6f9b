// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A page without its ending` {
  let folder: PublicFolder

  init() throws {
    folder = try PublicFolder([
      "login.html": "<p>login", "a/b.html": "<p>b", "a/index.html": "<p>a", "a.html": "<p>beside a", "exact": "exact",
      "exact.html": "<p>never", "page.html.html": "<p>twice", ".hidden.html": "<p>hidden", "name.htm": "<p>htm",
      "shelves.html": "<p>shelves", "shelves/login.html": "<p>below",
    ])
  }

  private func client(_ models: [HostedModelType] = [], _ routes: [AppRoute] = []) throws -> TestClient {
    try TestServer(models) { [folder] configuration in
      configuration.publicDirectory = folder.path
      configuration.routes = routes
    }.client()
  }

  @Test(arguments: [
    ("/login", "/login.html"), ("/login?tab=new", "/login.html"), ("/l%6Fgin", "/login.html"), ("/a/b", "/a/b.html"),
    ("/a", "/a.html"), ("/a/index", "/a/"), ("/page.html", "/page.html.html"),
  ])
  func `is the file, with its fields, and for HEAD too`(path: String, file: String) throws {
    let client = try client()
    let (page, whole) = (try client.request("GET", path), try client.request("GET", file))
    #expect((page.status, page.text) == (200, whole.text))
    for name in ["ETag", "Content-Type", "Content-Security-Policy", "Cache-Control", "Accept-Ranges"] {
      #expect(page[name] != nil && page[name] == whole[name], "\(name)")
    }
    let head = try client.request("HEAD", path)
    #expect((head.status, head["Content-Length"], head.body) == (200, "\(whole.body.count)", []))
    let tag = try #require(page["ETag"])
    #expect(try client.request("GET", path, fields: [("If-None-Match", tag)]).status == 304)
    #expect(try client.request("POST", path, "{}").status == 405)
  }

  @Test func `comes after a file of the very name, and leaves folders as they are`() throws {
    let client = try client()
    #expect(try client.request("GET", "/exact").text == "exact")
    #expect(try client.request("GET", "/a/").text == "<p>a")
    #expect(try client.request("GET", "/login.html").text == "<p>login")
  }

  @Test(arguments: [
    "/login/", "/nothing", "/name", "/exact.htm", "/.hidden", "/%2Ehidden", "/a/..", "/a/../login", "/a%2Fb", "/a/.",
    "/..%2Flogin", "//login",
  ])
  func `is not there by another name, or by a way around`(path: String) throws {
    #expect(try client().request("GET", path, fields: [("Accept", "application/problem+json")]).status == 404)
  }

  @Test func `comes after an app's route and the page of a view model`() throws {
    let routes: [AppRoute] = [.get("/login") { _ in .text("a route") }]
    let client = try client([.hosting(at: "/shelves") { Shelves() }], routes)
    #expect(try client.request("GET", "/login").text == "a route")
    #expect(try client.request("GET", "/shelves/login").text == "<p>shelves")
    #expect(try client.request("GET", "/a/b").text == "<p>b")
    #expect(try client.request("GET", "/sessions/login").status == 405)
  }

  @Test func `comes after a page at the root, which has all paths below it`() throws {
    let client = try client([.hosting(at: "/", page: "shelves.html") { Shelves() }])
    #expect(try client.request("GET", "/login").text == "<p>shelves")
    #expect(try client.request("GET", "/login.html").text == "<p>login")
  }
}
