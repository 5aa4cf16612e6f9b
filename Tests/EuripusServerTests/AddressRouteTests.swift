// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A library with shelves. Its address says which shelf is open.
final class Shelves: ViewModel {
  final class Shelf: ViewModel {
    @Observed var name: String
    init(_ name: String) { self.name = name }
    static let surface = Surface<Shelf>("shelf", .value("name", \.$name).notStored())
  }

  @Observed var tab = "all"
  @Observed var order = "name"
  @Observed var count = 0
  @Observed var padding = String(repeating: "long enough that the state is longer than one patch. ", count: 12)
  let navigation = Coordinator()

  init() {
    navigation.build(self) { _, path in path.last == "gone" ? nil : Shelf(path.last ?? "root") }
  }

  static let surface = Surface<Shelves>(
    "shelves", .twoWay("tab", \.$tab).inAddress(), .twoWay("order", \.$order).inAddress(.replace),
    .twoWay("count", \.$count), .value("padding", \.$padding),
    .nested("navigation", \.navigation, pages: Shelf.self).inAddress())
}

@Suite(.timeLimit(.minutes(30))) struct `The address of a session` {
  let server: TestServer
  let client: TestClient
  let url: String

  init() throws {
    server = try TestServer([.hosting(at: "/shelves") { Shelves() }, .hosting { Counter() }])
    client = try server.client()
    url = try client.open("shelves")
  }

  private func put(_ address: String, query: String = "", fields: [(String, String)] = []) throws
    -> TestClient.Response
  {
    try client.request("PUT", url + "/address" + query, address, fields: fields)
  }

  @Test func `is read as a JSON string with the version of the state`() throws {
    _ = try client.request("PUT", url + "/state/tab", #""new""#)
    let read = try client.request("GET", url + "/address")
    #expect((read.status, read.text) == (200, #""/shelves?tab=new""#))
    let tag = try #require(read["ETag"])
    #expect(try client.request("GET", url + "/address", fields: [("If-None-Match", tag)]).status == 304)
    #expect(try client.request("HEAD", url + "/address").status == 200)
    #expect(try client.request("GET", url + "/address", fields: [("If-Match", "\"other.1\"")]).status == 412)
  }

  @Test func `is in the answer to opening and in the snapshot`() throws {
    let opened = try client.request("POST", "/sessions/shelves", #"{"address":"/shelves/a/b?tab=new"}"#)
    #expect(opened.status == 201)
    #expect(opened.json?["address"] == "/shelves/a/b?tab=new")
    #expect(opened.json?["state"]?["navigation"]?["path"] == ["a", "b"])
    #expect(opened.json?["state"]?["tab"] == "new")
    #expect(opened["ETag"]?.hasSuffix(".1\"") == true)
    let url = try #require(opened["Location"])
    #expect(try client.request("GET", url).json?["address"] == "/shelves/a/b?tab=new")
  }

  @Test func `is set as one action`() throws {
    let frame = try put(#""/shelves/a?tab=new&order=date""#)
    #expect(frame.status == 200)
    #expect(frame.json?["address"] == "/shelves/a?tab=new&order=date")
    #expect(frame.json?["history"] == "replace")
    #expect(frame.json?["result"] == .null)
    let tag = try #require(frame["ETag"])
    #expect(try client.request("GET", url + "/state/order").text == #""date""#)
    // The same address again changes nothing.
    #expect(try put(#""/shelves/a?tab=new&order=date""#)["ETag"] == tag)
  }

  @Test func `takes the conditions, the key and the since of any change`() throws {
    let first = try client.version(of: url)
    _ = try client.request("PUT", url + "/state/count", "1")
    let frame = try put(#""/shelves?tab=new""#, query: "?since=\(first)", fields: [("Idempotency-Key", "tab/1")])
    #expect(frame.json?["from"] == .string(first))
    let again = try put(#""/shelves?tab=new""#, fields: [("Idempotency-Key", "tab/1")])
    #expect(again.text == frame.text)
    #expect(try put(#""/shelves?tab=old""#, fields: [("Idempotency-Key", "tab/1")]).problem == "key-reused")
    #expect(try put(#""/shelves""#, fields: [("If-Match", "\"\(first)\"")]).problem == "version-moved")
  }

  @Test func `is set among other actions, all or nothing`() throws {
    let frame = try client.request(
      "POST", url + "/actions", #"[{"address":"/shelves/a?tab=new"},{"set":"/count","value":3}]"#)
    #expect(frame.json?["address"] == "/shelves/a?tab=new")
    #expect(frame.json?["results"] == [.null, .null])
    let one = try client.request("POST", url + "/actions", #"{"address":"/shelves/b"}"#)
    #expect(one.json?["address"] == "/shelves/b")
    let refused = try client.request(
      "POST", url + "/actions", #"[{"address":"/shelves/c"},{"address":"/elsewhere"},{"set":"/count","value":4}]"#)
    #expect((refused.status, refused.problem) == (422, "invalid-action"))
    #expect(refused.json?["errors"]?[0]?["pointer"] == "/1/address")
    let bad = try client.request("POST", url + "/actions", #"{"address":"/shelves","value":1}"#)
    #expect(bad.json?["errors"]?[0]?["pointer"] == "/value")
    #expect(try client.request("GET", url + "/address").text == #""/shelves/b""#)
  }

  @Test(arguments: ["5", "null", #"["/shelves"]"#, #""/shelf""#, #""""#, #""/""#, #""https://example.org/shelves""#])
  func `is refused where it is not of the page`(_ address: String) throws {
    let refused = try put(address)
    #expect((refused.status, refused.problem) == (422, "invalid-action"))
    #expect(refused.text.contains("expected an address at or below '/shelves', of 4096 bytes at most"))
    let opening = try client.request("POST", "/sessions/shelves", #"{"address":\#(address)}"#)
    #expect((opening.status, opening.problem) == (422, "invalid-action"))
    #expect(opening.json?["errors"]?[0]?["pointer"] == "/address")
    #expect(try client.request("GET", url + "/address").text == #""/shelves""#)
  }

  @Test func `is refused where it is longer than a target may be`() throws {
    let address = "/shelves?tab=" + String(repeating: "a", count: 4_096 - 13)
    #expect(try put("\"\(address)\"").status == 200)
    #expect(try put("\"\(address)a\"").problem == "invalid-action")
    #expect(try put("").problem == "invalid-action")
    #expect(try put("\"/shelves").problem == "malformed-json")
  }

  @Test func `is taken by a view model that has nothing in it, if it is its page's, and nothing comes of it`() throws {
    let opening = try client.request("POST", "/sessions/counter", #"{"address":"/counter.html"}"#)
    #expect((opening.status, opening.json?["address"]) == (201, nil))
    let url = try opening.string("url")
    let set = try client.request("PUT", url + "/address", #""/counter.html?tab=new""#)
    #expect(set.status == 200 && set.json?["to"] == set.json?["from"])
    #expect(try client.request("PUT", url + "/address", #""/elsewhere""#).problem == "invalid-action")
    #expect(try client.request("GET", url + "/address").problem == "not-found")
    #expect(try client.request("POST", url + "/address").status == 405)
    #expect(try client.request("GET", url).json?["address"] == nil)
  }

  @Test func `may have its page's name without the ending, and then has the ending in the state`() throws {
    let client = try TestServer([.hosting { Fetcher() }]).client()
    let opening = try client.request("POST", "/sessions/fetcher", #"{"address":"/fetcher?count=2"}"#)
    #expect((opening.status, opening.json?["address"]) == (201, "/fetcher.html?count=2"))
    #expect(opening.json?["state"]?["count"] == 2)
    let url = try opening.string("url")
    let set = try client.request("PUT", url + "/address", #""/fetcher/?count=3""#)
    #expect((set.status, set.json?["address"]) == (200, "/fetcher.html?count=3"))
    for other in ["/fetch", "/fetcher.htm", "/fetcher.html.html", "/fetcherX"] {
      #expect(try client.request("PUT", url + "/address", "\"\(other)\"").problem == "invalid-action", "\(other)")
    }
    let text = try client.request("GET", "/models/fetcher/openapi.json").text
    #expect(text.contains(#"^/fetcher(\\.html)?([/?#][!-~]*)?$"#))
  }

  @Test func `lacks the ending only in its place's last segment`() throws {
    let client = try TestServer([.hosting(at: "/old.html/fetcher.html") { Fetcher() }]).client()
    let url = try client.request("POST", "/sessions/fetcher", #"{"address":"/old.html/fetcher?count=2"}"#).string("url")
    for other in ["/old/fetcher", "/old/fetcher.html"] {
      #expect(try client.request("PUT", url + "/address", "\"\(other)\"").problem == "invalid-action", "\(other)")
    }
  }

  @Test func `is described with the page's path`() throws {
    let text = try client.request("GET", "/models/shelves/openapi.json").text
    #expect(text.contains("/sessions/shelves/{id}/address"))
    #expect(text.contains(#"^/shelves([/?#][!-~]*)?$"#))
    #expect(try !client.request("GET", "/models/counter/openapi.json").text.contains("{id}/address"))
  }
}
