// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `Compressed answers` {
  /// A view model with a state longer than 1 KiB.
  private final class Long: ViewModel {
    let text = Observable(String(repeating: "a text ", count: 400))
    let add = Observer<String>()
    init() { add.handle(self) { $0.text.value += $1 } }
    static let surface = Surface<Long>("long", .twoWay("text", \.text), .action("add", \.add))
  }

  private static let gzip = ("Accept-Encoding", "gzip")
  private let server: TestServer

  init() throws { server = try TestServer([.hosting { Long() }]) { $0.publicDirectory = publicDirectory } }

  private func bearer() throws -> (client: TestClient, url: String, fields: [(String, String)]) {
    let client = try server.client()
    let opened = try client.request("POST", "/sessions/long", #"{"auth":"bearer"}"#, fields: [Self.gzip])
    #expect((opened.status, opened["Content-Encoding"]) == (201, nil))
    return (client, try opened.string("url"), [("Authorization", "Bearer \(try opened.string("token"))"), Self.gzip])
  }

  @Test(arguments: ["/openapi.json", "/models/long/openapi.json", "/problems", "/problems/poisoned", "/metrics"])
  func `are those that are the same for all, where they are long`(target: String) throws {
    let client = try server.client()
    let plain = try client.request("GET", target)
    let coded = try client.request("GET", target, fields: [Self.gzip])
    #expect((plain["Content-Encoding"], coded["Content-Encoding"]) == (nil, "gzip"))
    #expect(coded.body.starts(with: [0x1F, 0x8B]) && coded.body.count < plain.body.count)
    #expect(plain["Content-Type"] == coded["Content-Type"])
    let head = try client.request("HEAD", target, fields: [Self.gzip])
    #expect(head["Content-Encoding"] == "gzip")
    for refused in ["gzip;q=0", "br", "identity, gzip;q=0.1", ""] {
      #expect(try client.request("GET", target, fields: [("Accept-Encoding", refused)])["Content-Encoding"] == nil)
    }
  }

  @Test(arguments: ["/openapi.json", "/models/long/openapi.json", "/problems"])
  func `that may be kept have a tag of their own for conditions`(target: String) throws {
    let client = try server.client()
    let plain = try client.request("GET", target)
    let coded = try client.request("GET", target, fields: [Self.gzip])
    #expect(plain["Vary"] == "Accept-Encoding" && coded["Vary"] == "Accept-Encoding")
    let (tag, other) = (try #require(coded["ETag"]), try #require(plain["ETag"]))
    #expect(tag != other)
    let known = try client.request("GET", target, fields: [Self.gzip, ("If-None-Match", tag)])
    #expect((known.status, known["ETag"], known["Vary"]) == (304, tag, "Accept-Encoding"))
    #expect((known["Content-Length"], known["Content-Encoding"]) == ("\(coded.body.count)", nil))
    #expect(try client.request("GET", target, fields: [Self.gzip, ("If-None-Match", other)]).status == 200)
    #expect(try client.request("GET", target, fields: [("If-None-Match", tag)]).status == 200)
    let unmet = try client.request("GET", target, fields: [("If-Match", tag)])
    #expect((unmet.status, unmet["Vary"], unmet["ETag"]) == (412, "Accept-Encoding", other))
  }

  @Test func `are not those of a client that is known by its cookie`() throws {
    let client = try server.client()
    let url = try client.open("long")
    for target in [url, url + "/state/text"] {
      let read = try client.request("GET", target, fields: [Self.gzip])
      #expect(read.status == 200 && read.body.count > 1_024 && read["Content-Encoding"] == nil)
    }
    // A request with a token and a cookie is not compressed: a browser may have added the cookie for a page.
    let (_, other, fields) = try bearer()
    let both = try client.request("GET", other, fields: fields)
    #expect(both["Content-Encoding"] == nil)
  }

  @Test func `are those of a session that a bearer reads, but for streams and the answer with the token`() throws {
    let (client, url, fields) = try bearer()
    for target in [url, url + "/changes", url + "/state/text"] {
      let read = try client.request("GET", target, fields: fields)
      #expect((read.status, read["Content-Encoding"]) == (200, "gzip"), "\(target)")
    }
    let again = try client.request("POST", "/sessions/long", fields: fields)
    #expect((again.status, again["Content-Encoding"]) == (201, nil))
    try client.send("GET", url + "/changes", fields: fields + [("Accept", "text/event-stream")])
    let stream = try client.receive(hasBody: false)
    #expect((stream["Content-Type"], stream["Content-Encoding"]) == ("text/event-stream", nil))
  }

  @Test func `are not the short streams of a server that drains, which no proxy is to transform either`() throws {
    let (client, url, fields) = try bearer()
    server.drain()
    let stream = try client.request("GET", url + "/changes", fields: fields + [("Accept", "text/event-stream")])
    #expect(stream.status == 200 && stream.body.count > 1_024)
    #expect((stream["Content-Type"], stream["Content-Encoding"]) == ("text/event-stream", nil))
    #expect(stream["Cache-Control"] == "no-store, no-transform")
    #expect(try client.request("GET", url + "/changes", fields: fields)["Content-Encoding"] == "gzip")
  }

  @Test func `have the version as their tag, and every place that takes one takes it`() throws {
    let (client, url, fields) = try bearer()
    let tag = try #require(try client.request("GET", url, fields: fields)["ETag"])
    let plain = try #require(try client.request("GET", url, fields: [fields[0]])["ETag"])
    #expect(tag == plain.dropLast() + "-gzip\"")
    for tag in [tag, plain] {
      #expect(try client.request("GET", url, fields: fields + [("If-None-Match", tag)]).status == 304)
      #expect(try client.request("GET", url + "/state/text", fields: fields + [("If-None-Match", tag)]).status == 304)
      #expect(try client.request("GET", url, fields: fields + [("If-Match", tag)]).status == 200)
      let version = tag.dropFirst().dropLast()
      #expect(try client.request("GET", "\(url)/changes?since=\(version)", fields: fields).status == 204)
    }
    let changed = try client.request("POST", url + "/actions/add", #""x""#, fields: fields + [("If-Match", tag)])
    #expect(changed.status == 200)
    #expect(
      try client.request("POST", url + "/actions/add", #""x""#, fields: fields + [("If-Match", tag)]).status == 412)
    #expect(
      try client.request("GET", url, fields: fields + [("If-None-Match", tag), ("Prefer", "wait=1")]).status == 200)
  }

  @Test func `count in the log with the bytes that are sent`() throws {
    let server = try TestServer([.hosting { Long() }]) { $0.log.hasRequests = true }
    let count = try server.client().request("GET", "/metrics", fields: [Self.gzip]).body.count
    server.stop()
    #expect(server.log.contains { $0.contains("bytes=\(count) ") }, "\(server.log)")
  }
}
