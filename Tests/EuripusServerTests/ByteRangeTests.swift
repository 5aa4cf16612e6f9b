// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import Testing

@testable import EuripusServer

@Suite(.timeLimit(.minutes(30))) struct `Parts of files` {
  private static let ten = "0123456789"
  private let folder: PublicFolder
  private let client: TestClient

  init() throws {
    let folder = try PublicFolder(["ten.txt": Self.ten, "empty.txt": ""])
    self.folder = folder
    client = try TestServer([]) { $0.publicDirectory = folder.path }.client()
  }

  @Test(arguments: [
    ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=0-99", 0..<10), ("bytes=9-9", 9..<10), ("bytes=3-", 3..<10),
    ("bytes=-1", 9..<10), ("bytes=-10", 0..<10), ("bytes=-11", 0..<10), ("Bytes=2-3", 2..<4), ("bytes= 2-3 ,", 2..<4),
    ("bytes=5-18446744073709551616", 5..<10), ("bytes=-18446744073709551616", 0..<10),
  ])
  func `are as RFC 9110 says`(field: String, range: Range<Int>) {
    #expect(ByteRange(field, of: 10) == .part(range))
  }

  @Test(arguments: [
    "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=a-b", "bytes=3-2", "bytes=1--2", "bytes=1-2-3", "bytes=+1-2",
    "bytes=1 - 2", "lines=0-1", "bytes=0-1,3-4", "bytes=0-0, 99-", " bytes=0-1",
  ])
  func `that are several, of another unit or malformed are the whole`(field: String) {
    #expect(ByteRange(field, of: 10) == .whole)
  }

  @Test(arguments: ["bytes=10-", "bytes=10-10", "bytes=99-100", "bytes=-0", "bytes=99999999999999999999-"])
  func `with no byte of the file cannot be satisfied`(field: String) {
    #expect(ByteRange(field, of: 10) == .unsatisfiable)
  }

  @Test func `in an empty file are none, or the whole`() {
    #expect(ByteRange("bytes=0-", of: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-5", of: 0) == .whole)
  }

  @Test func `are answered with 206, their place and the tag of the file`() throws {
    let whole = try client.request("GET", "/ten.txt")
    #expect((whole.status, whole["Accept-Ranges"], whole["Content-Range"]) == (200, "bytes", nil))
    let part = try client.request("GET", "/ten.txt", fields: [("Range", "bytes=2-4")])
    #expect((part.status, part.text, part["Content-Range"]) == (206, "234", "bytes 2-4/10"))
    for field in ["ETag", "Cache-Control", "Content-Type", "X-Content-Type-Options", "Content-Security-Policy"] {
      #expect(part[field] == whole[field] && part[field] != nil, "\(field)")
    }
    #expect(try client.request("GET", "/ten.txt", fields: [("Range", "bytes=-3")]).text == "789")
    #expect(try client.request("GET", "/empty.txt").body.isEmpty)
  }

  @Test func `that begin behind the end are 416, with the length`() throws {
    let refused = try client.request("GET", "/ten.txt", fields: [("Range", "bytes=10-")])
    #expect((refused.status, refused.problem) == (416, "range-not-satisfiable"))
    #expect(refused["Content-Range"] == "bytes */10" && refused["Content-Type"] == "application/problem+json")
  }

  @Test(arguments: [
    ("GET", [("Range", "bytes=0-1,3-4")]), ("GET", [("Range", "bytes=0-1"), ("Range", "bytes=3-4")]),
    ("GET", [("Range", "lines=0-1")]), ("HEAD", [("Range", "bytes=0-1")]),
    ("GET", [("Range", "bytes=0-1"), ("If-Range", "\"other\"")]),
    ("GET", [("Range", "bytes=99-"), ("If-Range", "\"other\"")]),
    ("GET", [("Range", "bytes=0-1"), ("If-Range", "Sun, 06 Nov 1994 08:49:37 GMT")]),
    ("GET", [("Range", "bytes=0-1"), ("If-Range", "*")]),
  ])
  func `are the whole where they cannot be one, or may be of another file`(
    method: String, fields: [(String, String)]
  ) throws {
    let response = try client.request(method, "/ten.txt", fields: fields)
    #expect((response.status, response["Content-Length"], response["Content-Range"]) == (200, "10", nil))
  }

  @Test func `come after the conditions, and where If-Range names the file`() throws {
    let tag = try #require(try client.request("GET", "/ten.txt")["ETag"])
    let range = ("Range", "bytes=0-1")
    #expect(try client.request("GET", "/ten.txt", fields: [range, ("If-Range", tag)]).text == "01")
    #expect(try client.request("GET", "/ten.txt", fields: [range, ("If-Range", "W/" + tag)]).text == Self.ten)
    #expect(try client.request("GET", "/ten.txt", fields: [range, ("If-None-Match", tag)]).status == 304)
    #expect(try client.request("GET", "/ten.txt", fields: [range, ("If-Match", "\"other\"")]).status == 412)
    #expect(try client.request("GET", "/ten.txt", fields: [range, ("If-Match", tag)]).status == 206)
  }

  @Test func `count in the log with the bytes that are sent`() throws {
    let server = try TestServer([]) {
      $0.publicDirectory = folder.path
      $0.log.hasRequests = true
    }
    _ = try server.client().request("GET", "/ten.txt", fields: [("Range", "bytes=2-4")])
    server.stop()
    #expect(server.log.contains { $0.contains("status=206") && $0.contains("bytes=3 ") }, "\(server.log)")
  }
}
