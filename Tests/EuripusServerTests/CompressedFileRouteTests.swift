// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import HTTPListening
import Seeded
import Testing
import ViewModels

@testable import EuripusServer

@Suite(.timeLimit(.minutes(30))) struct `A file that gzip makes smaller` {
  private static let gzip = ("Accept-Encoding", "gzip, deflate")
  private static let text = String(repeating: "<p>a line of the page\n", count: 400)

  private let folder: PublicFolder
  private let server: TestServer

  init() throws {
    let folder = try PublicFolder(["page.html": Self.text])
    self.folder = folder
    server = try TestServer([]) { $0.publicDirectory = folder.path }
  }

  private func get(_ path: String, _ fields: [(String, String)] = []) throws -> TestClient.Response {
    try server.client().request("GET", path, fields: fields)
  }

  /// The gzip form of a file, which GzipTests reads.
  private static func zipped(_ text: String) -> [UInt8]? { Gzip.coded(Array(text.utf8), .most) }

  private static func fields(_ response: TestClient.Response) -> [String] {
    response.fields.filter { $0.name != "Date" }.map { "\($0.name): \($0.value)" }
  }

  @Test func `comes as gzip to a client that takes it, and as it is to others`() throws {
    let plain = try get("/page.html")
    #expect((plain.text, plain["Content-Encoding"]) == (Self.text, nil))
    for _ in 0..<2 {
      let coded = try get("/page.html", [Self.gzip])
      #expect((coded.status, coded["Content-Encoding"]) == (200, "gzip"))
      #expect(coded.body == Self.zipped(Self.text))
      #expect(coded.body.count < plain.body.count / 10)
      #expect(coded["ETag"] != nil && coded["ETag"] != plain["ETag"])
      for name in ["Vary", "Content-Type", "Accept-Ranges", "Cache-Control", "Content-Security-Policy"] {
        #expect(coded[name] != nil && coded[name] == plain[name], "\(name)")
      }
    }
    #expect(plain["Vary"] == "Accept-Encoding")
    for refused in ["gzip;q=0", "br", "identity, gzip;q=0.1", ""] {
      let other = try get("/page.html", [("Accept-Encoding", refused)])
      #expect((other.text, other["Content-Encoding"], other["Vary"]) == (Self.text, nil, "Accept-Encoding"))
      #expect(other["ETag"] == plain["ETag"])
    }
  }

  @Test func `answers HEAD with the fields of GET, in each coding`() throws {
    for fields in [[Self.gzip], []] {
      let head = try server.client().request("HEAD", "/page.html", fields: fields)
      #expect((head.status, head.body) == (200, []))
      #expect(try Self.fields(head) == Self.fields(get("/page.html", fields)))
    }
  }

  @Test func `has a tag for each coding, and conditions are about the one that is sent`() throws {
    let codings: [[(String, String)]] = [[], [Self.gzip]]
    let whole = try codings.map { try get("/page.html", $0) }
    let tags = try whole.map { try #require($0["ETag"]) }
    for (index, fields) in codings.enumerated() {
      for known in [tags[index], "\(tags[0]), \(tags[1])", "W/\(tags[index])"] {
        let answer = try get("/page.html", fields + [("If-None-Match", known)])
        #expect((answer.status, answer["ETag"], answer["Vary"]) == (304, tags[index], "Accept-Encoding"))
        #expect((answer["Content-Length"], answer["Content-Encoding"]) == ("\(whole[index].body.count)", nil))
      }
      let other = try get("/page.html", fields + [("If-None-Match", tags[1 - index])])
      #expect((other.status, other.body) == (200, whole[index].body))
      let unmet = try get("/page.html", fields + [("If-Match", tags[1 - index])])
      #expect((unmet.status, unmet["ETag"], unmet["Vary"]) == (412, tags[index], "Accept-Encoding"))
    }
  }

  @Test func `is sent in parts as it lies there`() throws {
    let (plain, coded) = (try get("/page.html"), try get("/page.html", [Self.gzip]))
    let (tag, other) = (try #require(plain["ETag"]), try #require(coded["ETag"]))
    for fields in [[("Range", "bytes=0-6")], [("Range", "bytes=0-6"), ("If-Range", tag)]] {
      let part = try get("/page.html", fields + [Self.gzip])
      #expect((part.status, part.text, part["Content-Encoding"]) == (206, "<p>a li", nil))
      #expect((part["Content-Range"], part["ETag"]) == ("bytes 0-6/\(plain.body.count)", tag))
      #expect(part["Vary"] == "Accept-Encoding")
    }
    for fields in [[("Range", "lines=0-6")], [("Range", "bytes=0-6"), ("If-Range", other)]] {
      let whole = try get("/page.html", fields + [Self.gzip])
      #expect((whole.status, whole.text, whole["Content-Encoding"]) == (200, Self.text, nil))
    }
    let outside = try get("/page.html", [("Range", "bytes=99999-"), Self.gzip])
    #expect((outside.status, outside["Vary"]) == (416, "Accept-Encoding"))
    #expect(outside["Content-Range"] == "bytes */\(plain.body.count)")
  }

  @Test func `is compressed anew when it has changed`() throws {
    let before = try get("/page.html", [Self.gzip])
    try folder.write("page.html", Self.text + "more")
    let after = try get("/page.html", [Self.gzip])
    #expect(after.body == Self.zipped(Self.text + "more"))
    #expect(after["ETag"] != before["ETag"])
  }

  @Test func `is sent in the coding of a file beside it, where there is one that the client takes`() throws {
    try folder.write("page.html", Self.text, age: 10)
    try folder.write("page.html.br", "by brotli", age: 0)
    #expect(try get("/page.html", [("Accept-Encoding", "gzip, br")]).text == "by brotli")
    #expect(try get("/page.html", [Self.gzip]).body == Self.zipped(Self.text))
    try folder.write("page.html.gz", "by gzip", age: 0)
    #expect(try get("/page.html", [Self.gzip]).text == "by gzip")
    // An older one has the bytes of another page.
    try folder.write("page.html.gz", "by gzip", age: 20)
    #expect(try get("/page.html", [Self.gzip]).body == Self.zipped(Self.text))
  }

  @Test func `is none that is small, compressed already, or of no known type, and these do not vary`() throws {
    try folder.write("small.html", String(repeating: "a", count: 1_024))
    for name in ["a.png", "a.woff2", "a.zip", "a.unknown"] {
      try folder.write(name, String(repeating: "a", count: 2_000))
    }
    for name in ["small.html", "a.png", "a.woff2", "a.zip", "a.unknown"] {
      let response = try get("/" + name, [Self.gzip])
      #expect((response.status, response["Content-Encoding"], response["Vary"]) == (200, nil, nil), "\(name)")
    }
  }

  @Test func `is none that would not become smaller, which is sent as it is and varies all the same`() throws {
    var random = SeededGenerator(seed: 1)
    let noise = (0..<4_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    try Data(noise).write(to: URL(fileURLWithPath: folder.path + "/noise.txt"))
    let plain = try get("/noise.txt")
    for _ in 0..<2 {
      let response = try get("/noise.txt", [Self.gzip])
      #expect((response.body, response["Content-Encoding"], response["Vary"]) == (noise, nil, "Accept-Encoding"))
      #expect(response["ETag"] == plain["ETag"])
    }
  }

  @Test func `is compressed as the page of a view model too, and not as the page of a problem`() throws {
    try folder.write("counter.html", Self.text)
    try folder.write("404.html", Self.text)
    let client = try TestServer([.hosting(at: "/counter") { Counter() }]) { $0.publicDirectory = folder.path }.client()
    #expect(try client.request("GET", "/counter/a", fields: [Self.gzip])["Content-Encoding"] == "gzip")
    let missing = try client.request("GET", "/none", fields: [Self.gzip, ("Accept", "text/html")])
    #expect((missing.status, missing.text, missing["Content-Encoding"]) == (404, Self.text, nil))
  }
}
