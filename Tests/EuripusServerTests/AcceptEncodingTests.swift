// SPDX-License-Identifier: MIT
import EuripusTesting
import Testing

@testable import EuripusServer

@Suite(.timeLimit(.minutes(30))) struct `Content codings of files` {
  @Test(
    arguments: [
      (nil, nil), ("", nil), ("gzip", .gzip), ("br", .brotli), ("gzip, br", .brotli), ("gzip, br;q=0.9", .gzip),
      ("GZIP", .gzip), ("x-gzip", .gzip), ("*", .brotli), ("*, br;q=0", .gzip), ("gzip;q=0", nil), ("*;q=0", nil),
      ("identity", nil), ("identity, gzip;q=0.5", nil), ("identity;q=0.5, gzip;q=0.5", .gzip), ("gzip;q=0.001", .gzip),
      ("identity;q=0", nil), ("identity;q=0, gzip", .gzip), ("*;q=0, gzip", .gzip), ("gzip;q=0.5, *;q=0.1", .gzip),
      ("deflate", nil), ("gzip;q=2", nil), ("gzip;q=x, br", .brotli), ("gzip ; q=1.000 , br ; Q=0.2", .gzip),
    ] as [(String?, ContentCoding?)])
  func `are chosen by their weights, and a body without one where none is taken`(
    field: String?, coding: ContentCoding?
  ) {
    #expect(AcceptEncoding(field).best(of: ContentCoding.allCases) == coding)
  }

  private let folder: PublicFolder
  private let client: TestClient

  init() throws {
    let folder = try PublicFolder([:])
    self.folder = folder
    try folder.write("both.html", "plain", age: 10)
    try folder.write("both.html.gz", "by gzip", age: 10)
    try folder.write("both.html.br", "by brotli", age: 0)
    try folder.write("stale.html", "plain", age: 0)
    try folder.write("stale.html.gz", "by gzip", age: 1)
    try folder.write("alone.html", "plain")
    try folder.write("gone.html.gz", "by gzip")
    client = try TestServer([]) { $0.publicDirectory = folder.path }.client()
  }

  private func get(_ path: String, _ accepted: String?, _ more: [(String, String)] = []) throws -> TestClient.Response {
    try client.request("GET", path, fields: (accepted.map { [("Accept-Encoding", $0)] } ?? []) + more)
  }

  @Test func `are those of the files beside it, each with a tag of its own`() throws {
    let plain = try get("/both.html", nil)
    let gzip = try get("/both.html", "gzip")
    let brotli = try get("/both.html", "gzip, deflate, br")
    #expect((plain.text, plain["Content-Encoding"]) == ("plain", nil))
    #expect((gzip.text, gzip["Content-Encoding"]) == ("by gzip", "gzip"))
    #expect((brotli.text, brotli["Content-Encoding"]) == ("by brotli", "br"))
    for response in [plain, gzip, brotli] {
      #expect(response["Vary"] == "Accept-Encoding" && response["Content-Type"] == "text/html; charset=utf-8")
    }
    #expect(Set([plain, gzip, brotli].map { $0["ETag"] }).count == 3)
    let head = try client.request("HEAD", "/both.html", fields: [("Accept-Encoding", "gzip")])
    #expect((head["Content-Length"], head["Content-Encoding"]) == ("7", "gzip"))
  }

  @Test func `count in conditions and parts`() throws {
    let tag = try #require(try get("/both.html", "gzip")["ETag"])
    let known = try get("/both.html", "gzip", [("If-None-Match", tag)])
    #expect((known.status, known["ETag"], known["Vary"]) == (304, tag, "Accept-Encoding"))
    #expect(try get("/both.html", nil, [("If-None-Match", tag)]).text == "plain")
    let unmet = try get("/both.html", "br", [("If-Match", tag)])
    #expect((unmet.status, unmet["Vary"]) == (412, "Accept-Encoding"))
    let outside = try get("/both.html", "gzip", [("Range", "bytes=99-")])
    #expect((outside.status, outside["Vary"]) == (416, "Accept-Encoding"))
    #expect((outside["Content-Range"], outside["Content-Encoding"]) == ("bytes */7", nil))
    let part = try get("/both.html", "gzip", [("Range", "bytes=3-"), ("If-Range", tag)])
    #expect((part.status, part.text, part["Content-Range"]) == (206, "gzip", "bytes 3-6/7"))
    #expect((part["Content-Encoding"], part["Vary"], part["ETag"]) == ("gzip", "Accept-Encoding", tag))
    #expect(try get("/both.html", "br", [("Range", "bytes=3-"), ("If-Range", tag)]).text == "by brotli")
  }

  @Test func `are not those of an older file, nor of one without its plain one`() throws {
    let stale = try get("/stale.html", "gzip")
    #expect((stale.text, stale["Content-Encoding"], stale["Vary"]) == ("plain", nil, nil))
    #expect(try get("/alone.html", "gzip, br")["Vary"] == nil)
    #expect(try get("/gone.html", "gzip").status == 404)
  }

  @Test func `are not those of a file that is hidden or outside`() throws {
    let outside = try PublicFolder(["page.html.gz": "outside"])
    let folder = try PublicFolder(
      ["page.html": "plain", ".hidden/page.html.br": "hidden"],
      links: [("page.html.gz", "\(outside.path)/page.html.gz"), ("page.html.br", ".hidden/page.html.br")])
    // The plain file is older than both, so their age is no reason to refuse them.
    try folder.write("page.html", "plain", age: 0)
    let client = try TestServer([]) { $0.publicDirectory = folder.path }.client()
    let response = try client.request("GET", "/page.html", fields: [("Accept-Encoding", "gzip, br")])
    #expect((response.text, response["Content-Encoding"], response["Vary"]) == ("plain", nil, nil))
  }

  @Test func `beside a link's file are those of the link`() throws {
    let folder = try PublicFolder(
      ["now/page.html": "plain", "now/page.html.gz": "by gzip", "page.html.gz": "of another"],
      links: [("page.html", "now/page.html")])
    try folder.write("now/page.html", "plain", age: 5)
    let client = try TestServer([]) { $0.publicDirectory = folder.path }.client()
    #expect(try client.request("GET", "/page.html", fields: [("Accept-Encoding", "gzip")]).text == "by gzip")
  }
}
