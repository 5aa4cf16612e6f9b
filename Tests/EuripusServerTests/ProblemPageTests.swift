// SPDX-License-Identifier: MIT
import EuripusTesting
import Testing

@testable import Euripus
@testable import EuripusServer

@Suite(.timeLimit(.minutes(30))) struct `The page of problems` {
  private let server: TestServer
  private let client: TestClient

  init() throws {
    server = try TestServer([.hosting { Counter() }])
    client = try server.client()
  }

  @Test func `has a section for every kind, with its title, its meaning and an example`() throws {
    let page = try client.request("GET", "/problems")
    #expect((page.status, page["Content-Type"]) == (200, "text/html; charset=utf-8"))
    for kind in Problem.Kind.allCases {
      let section = try #require(page.text.split(separator: "<section id=\"\(kind.rawValue)\">").dropFirst().first)
      #expect(section.contains(kind.title) && section.contains("\(kind.status) \(kind.rawValue)"), "\(kind)")
      #expect(section.contains("&quot;type&quot;: &quot;\(kind.path)&quot;"), "\(kind)")
    }
  }

  @Test(arguments: Problem.Kind.allCases)
  func `has a page for each kind alone, where the type of a problem leads`(kind: Problem.Kind) throws {
    let page = try client.request("GET", kind.path, fields: [("Accept", "application/json")])
    #expect((page.status, page["Content-Type"]) == (200, "text/html; charset=utf-8"))
    #expect(
      page.text.contains("<h1>\(kind.title)</h1>") && page.text.contains("<title>\(kind.title) · Euripus</title>"))
    #expect(page.text.contains("\(kind.status) \(kind.rawValue)") && page.text.contains(#"<a href="/problems">"#))
    #expect(page.text.split(separator: "<section").count == 2 && page.text.split(separator: "<h1>").count == 2)
    let tag = try #require(page["ETag"])
    #expect(try client.request("GET", kind.path, fields: [("If-None-Match", tag)]).status == 304)
    let others = Problem.Kind.allCases.filter { $0 != kind }
    for other in others { #expect(!page.text.contains("<section id=\"\(other.rawValue)\">")) }
  }

  @Test func `is not found for a problem that there is not`() throws {
    for name in ["nope", "", "not-found/x"] {
      #expect(try client.request("GET", "/problems/\(name)").problem == "not-found")
    }
  }

  @Test func `names no option, which is for operators alone`() {
    for kind in Problem.Kind.allCases {
      let meaning = kind.row
      let text = "\(meaning.why) \(meaning.remedy) \(meaning.detail)"
      // The option `--json` is curl's, not the server's.
      #expect(text.replacing("--json", with: "").firstMatch(of: #/--[a-z]/#) == nil, "\(kind): \(text)")
    }
  }

  @Test func `is escaped, marks code, and has no scripts or styles of its own`() {
    let page = ProblemPages.page.text
    #expect(page.contains("<code>offset</code>") && page.contains("&quot;offset&quot;: 3"))
    // The Content-Security-Policy would refuse them.
    #expect(!page.contains("<script") && !page.contains("style="))
  }
}
