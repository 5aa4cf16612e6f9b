// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing

@testable import Euripus
@testable import EuripusServer

@Suite(.timeLimit(.minutes(5))) struct `The pages of problems` {
  private let server: TestServer
  private let client: TestClient

  init() throws {
    server = try TestServer([.hosting { Counter() }])
    client = try server.client()
  }

  @Test(arguments: Problem.Kind.allCases)
  func `there is one for every type that an answer can have`(kind: Problem.Kind) throws {
    let page = try client.request("GET", "/problems/\(kind.rawValue)", fields: [("Accept", "application/json")])
    #expect(page.status == 200)
    #expect(page.json?["title"] == .string(kind.title) && page.json?["type"] == .string(kind.path))
    #expect(page.json?["status"] == .integer(Int64(kind.status)))
    // The example is what an answer of this kind looks like.
    #expect(page.json?["example"] == kind.example.json)
  }

  @Test func `the type of an answer leads to its page`() throws {
    let problem = try client.request("GET", "/sessions/counter/nope")
    guard case .string(let type)? = problem.json?["type"] else {
      Issue.record("expected a type, got \(problem.text)")
      return
    }
    #expect(try client.request("GET", type).text.contains("There is no such session"))
  }

  @Test func `the list has all of them, in each form`() throws {
    for accept in ProblemPages.types {
      let list = try client.request("GET", "/problems", fields: [("Accept", accept)])
      #expect(list["Content-Type"]?.hasPrefix(accept) == true)
      for kind in Problem.Kind.allCases { #expect(list.text.contains(kind.path), "\(accept) lacks \(kind)") }
    }
  }

  @Test(arguments: [
    ("*/*", "text/plain"), ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
    ("application/json", "application/json"), ("text/*;q=0.5, application/json;q=0.4", "text/plain"),
  ])
  func `a page comes as the client likes it`(accept: String, type: String) throws {
    let page = try client.request("GET", "/problems/not-found", fields: [("Accept", accept)])
    #expect(page["Content-Type"]?.hasPrefix(type) == true)
    #expect(page["Vary"] == "Accept")
    let tag = try #require(page["ETag"])
    let again = try client.request(
      "GET", "/problems/not-found", fields: [("Accept", accept), ("If-None-Match", tag)])
    #expect((again.status, again["Vary"]) == (304, "Accept"))
  }

  @Test func `a client that takes none of the forms is told which there are`() throws {
    let page = try client.request("GET", "/problems/not-found", fields: [("Accept", "image/png")])
    #expect((page.status, page.problem) == (406, "not-acceptable"))
    #expect(page.text.contains("text/html"))
  }

  @Test func `a problem that there is not has no page`() throws {
    for name in ["nope", "", "not-found/x"] {
      #expect(try client.request("GET", "/problems/\(name)").problem == "not-found")
    }
  }

  @Test func `another site may lead a person to one`() throws {
    let navigation = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]
    #expect(try client.request("GET", "/problems/not-found", fields: navigation).status == 200)
  }

  @Test func `HTML is escaped, and code is marked`() {
    let page = ProblemHTML.page(.malformedJSON)
    #expect(page.contains("<code>offset</code>") && page.contains("&quot;offset&quot;: 3"))
    // No page has scripts or styles of its own: the Content-Security-Policy would refuse them.
    for kind in Problem.Kind.allCases {
      #expect(!ProblemHTML.page(kind).contains("<script") && !ProblemHTML.page(kind).contains("style="))
    }
  }
}
