import Euripus
import EuripusTesting
import Testing

@testable import Starter

/// The second kind of test: a server in this process, and a client that speaks HTTP.
@Suite struct `The list over HTTP` {
  /// The folder of the pages, wherever the tests are run.
  private let pages = #filePath.replacing(#/Tests\/StarterTests\/[^\/]*$/#, with: "Public")

  private func client() throws -> TestClient {
    try TestServer([.hosting { ShoppingList { _ in "list.txt" } }]) { $0.publicDirectory = pages }.client()
  }

  @Test func `is added to by one client, and the frame of it says what changed`() throws {
    let client = try client()
    let url = try client.open("shopping")
    try client.request("PUT", "\(url)/state/thing/value", #""Milk""#)
    let added = try client.request("POST", "\(url)/actions/add")
    #expect(added.status == 200)
    let state = try client.request("GET", url)
    #expect(state.json?["state"]?["left"] == 1)
  }

  @Test func `has a page and its style`() throws {
    let client = try client()
    let page = try client.request("GET", "/")
    #expect(page.status == 200)
    #expect(page.text.contains(#"<main data-vm-root="shopping""#))
    #expect(try client.request("GET", "/style.css").status == 200)
  }
}
