// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The page that a server in development makes` {
  private static let navigating = [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")]

  private let folder: PublicFolder

  init() throws { folder = try PublicFolder(["style.css": ""]) }

  private func client(inDevelopment isInDevelopment: Bool = true, _ files: [String: String] = [:]) throws -> TestClient
  {
    for (path, text) in files { try folder.write(path, text) }
    return try TestServer([.hosting { Counter() }, .hosting { SheetOfYear($0) }]) {
      $0.publicDirectory = folder.path
      $0.isInDevelopment = isInDevelopment
    }.client()
  }

  @Test func `is made of the view model's surface, and not stored`() throws {
    let client = try client()
    let page = try client.request("GET", "/models/counter/page")
    #expect((page.status, page["Content-Type"]) == (200, "text/html; charset=utf-8"))
    #expect((page["Cache-Control"], page["Content-Security-Policy"] != nil) == ("no-store", true))
    #expect(page.text.contains(#"data-vm-root="counter""#) && page.text.contains(" page counter`"))
    #expect(try client.request("HEAD", "/models/counter/page").status == 200)
    #expect(try client.request("POST", "/models/counter/page").status == 405)
  }

  @Test func `is not there in a server that is not in development`() throws {
    let client = try client(inDevelopment: false)
    #expect(try client.request("GET", "/models/counter/page").status == 404)
    let root = try client.request("GET", "/", fields: Self.navigating)
    #expect(!root.text.contains("/page"))
  }

  @Test func `is linked from the root for a view model without a page, and for no other`() throws {
    let root = try client(["counter.html": "<p>counter"]).request("GET", "/", fields: Self.navigating).text
    #expect(root.contains(#"<a href="/models/sheet-of-year/page">"#))
    #expect(root.contains(#"<a href="/counter.html">counter</a>"#) && !root.contains("/models/counter/page"))
  }

  @Test func `comes after a file of the app`() throws {
    let own = try client(["models/counter/page.html": "<p>own", "models/sheet-of-year/page": "its own"])
    #expect(try own.request("GET", "/models/counter/page").text == "<p>own")
    #expect(try own.request("GET", "/models/sheet-of-year/page").text == "its own")
  }

  @Test func `asks for the parameters that a session needs, and takes them from its address`() throws {
    let client = try client()
    for query in ["", "?team=a", "?year=x&isOpen=true"] {
      let page = try client.request("GET", "/models/sheet-of-year/page" + query).text
      #expect(page.contains(#"<form class="card" method="get">"#) && !page.contains("data-vm-root"), "\(query)")
      #expect(page.contains(#"<input type="number" step="1" name="year" required>"#))
    }
    let page = try client.request("GET", "/models/sheet-of-year/page?year=2026&team=").text
    #expect(page.contains(#"data-vm-params="={&quot;year&quot;:2026,&quot;isOpen&quot;:false}""#))
    let opened = try client.request("POST", "/sessions/sheet-of-year", #"{"params":{"year":2026,"isOpen":false}}"#)
    #expect(opened.status == 201)
  }

  @Test func `is not found for an unknown view model, with the names that there are`() throws {
    let answer = try client().request("GET", "/models/conter/page")
    #expect(answer.status == 404)
    #expect(answer.text.contains("no view model 'conter'; expected one of: counter, sheet-of-year"))
    #expect(try client().request("GET", "/models/sheet-of-year/page?year=%FF").status == 400)
  }
}
