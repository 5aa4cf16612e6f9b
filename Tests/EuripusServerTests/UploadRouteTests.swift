// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Locking
import Storing
import Testing

@testable import EuripusServer

/// A view model that takes pictures, and keeps one in a directory.
private final class Album: ViewModel {
  struct Failure: Error {}
  let photos: Uploads
  let papers: Uploads
  @Observed var isOpen = true
  private let directory: String

  init(_ context: SessionContext, _ directory: String) {
    photos = Uploads(context, most: 2, each: .kilobytes(200), types: .images)
    papers = Uploads(context, most: 5, each: .megabytes(50))
    self.directory = directory
  }

  func keep() throws {
    for (number, photo) in photos.ready.enumerated() { try photo.move(to: "\(directory)/\(number).png") }
    for paper in papers.ready { try paper.move(to: "\(directory)/paper-\(paper.key)") }
  }

  func keepAndFail() throws {
    try keep()
    throw Failure()
  }

  func close() { isOpen = false }

  static let surface = Surface<Album>(
    "album", .uploads("photos", \.photos, when: \.$isOpen), .uploads("papers", \.papers), .action("keep", Album.keep),
    .action("keepAndFail", Album.keepAndFail), .action("close", Album.close))
}

/// A server with an album, whose files are in a directory of the test's own.
private final class AlbumServer {
  let directory: URL
  let opened: Opened

  init(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    self.directory = directory
    opened = try Opened([.hosting { [path = directory.path] in Album($0, path) }], "album") {
      $0.sessions.uploadDirectory = directory.appending(path: "spool").path
      configure(&$0)
    }
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func send(
    _ method: String, _ path: String, _ body: String? = nil, _ fields: (String, String)...
  ) throws -> TestClient.Response {
    let type = fields.contains { $0.0 == "Content-Type" } ? [] : [("Content-Type", "application/octet-stream")]
    let response = try opened.send(method, "/uploads/" + path, body, fields + type)
    #expect(response.fields.filter { $0.name == "Cache-Control" }.map(\.value) == ["no-store"], "\(method) \(path)")
    return response
  }

  func files(_ name: String) throws -> JSON {
    try #require(opened.get().json)["state"]?[name]?["files"]?["items"] ?? .null
  }

  /// The names of the files in the spool.
  var spooled: [String] {
    (FileManager.default.enumerator(atPath: directory.appending(path: "spool").path)?.allObjects ?? []).compactMap {
      $0 as? String
    }
    .filter { $0.contains("/") }
  }

  func kept(_ name: String) -> String? {
    (try? Data(contentsOf: directory.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The signature of a GIF, and some more.
private let picture = "GIF89a picture"

@Suite(.timeLimit(.minutes(10))) struct `Files that clients send` {
  @Test func `come whole by PUT, and an action takes them`() throws {
    let album = try AlbumServer()
    let response = try album.send("PUT", "photos/beach.gif", picture)
    #expect(response.status == 201, "\(response.text)")
    #expect(response["Upload-Complete"] == "?1")
    #expect(response["Upload-Limit"] == "max-size=14, max-age=3600")
    let file = try album.files("photos")["beach.gif"]
    #expect(
      file == [
        "name": "beach.gif", "size": 14, "type": "image/gif", "received": 14, "ready": true, "error": .null,
      ], "\(file ?? .null)")
    #expect(try album.opened.send("POST", "/actions/keep").status == 200)
    #expect(album.kept("0.png") == picture)
    #expect(try album.files("photos") == [:])
    #expect(album.spooled == [])
    // A repetition of the request does not bring it a second time.
    #expect(try album.send("PUT", "photos/beach.gif", picture).status == 410)
  }

  @Test func `are in the list as before after an action that fails, and nowhere else`() throws {
    let album = try AlbumServer()
    _ = try album.send("PUT", "photos/a.gif", picture)
    #expect(try album.opened.send("POST", "/actions/keepAndFail").status == 500)
    #expect(album.kept("0.png") == nil)
    #expect(try album.files("photos")["a.gif"]?["ready"] == true)
    #expect(try album.opened.send("POST", "/actions/keep").status == 200)
    #expect(album.kept("0.png") == picture)
  }

  @Test func `come in parts, each from the byte at which the one before it has ended`() throws {
    let album = try AlbumServer()
    let begun = try album.send(
      "POST", "papers", "abc", ("Upload-Complete", "?0"), ("Upload-Length", "9"), ("Idempotency-Key", "paper-1"),
      ("Content-Disposition", #"attachment; filename="a.txt""#))
    #expect(begun.status == 201)
    let location = try #require(begun["Location"])
    #expect(location == "\(album.opened.url)/uploads/papers/paper-1")
    let head = try album.send("HEAD", "papers/paper-1")
    #expect((head["Upload-Offset"], head["Upload-Complete"], head["Upload-Length"]) == ("3", "?0", "9"))
    let part = ("Content-Type", "application/partial-upload")
    let late = try album.send("PATCH", "papers/paper-1", "ghi", part, ("Upload-Offset", "6"), ("Upload-Complete", "?1"))
    #expect(late.status == 409)
    #expect(late.json?["expected-offset"] == 3)
    #expect(
      try album.send("PATCH", "papers/paper-1", "def", part, ("Upload-Offset", "3"), ("Upload-Complete", "?0"))[
        "Upload-Offset"] == "6")
    #expect(try album.files("papers")["paper-1"]?["received"] == 6)
    let last = try album.send("PATCH", "papers/paper-1", "ghi", part, ("Upload-Offset", "6"), ("Upload-Complete", "?1"))
    #expect((last.status, last["Upload-Complete"]) == (204, "?1"))
    // The answer may have been lost.
    let again = try album.send("PATCH", "papers/paper-1", "", part, ("Upload-Offset", "9"), ("Upload-Complete", "?1"))
    #expect((again.status, again["Upload-Complete"]) == (204, "?1"))
    #expect(try album.opened.client.request("GET", location).text == "abcdefghi")
    #expect(try album.files("papers")["paper-1"]?["name"] == "a.txt")
  }

  @Test func `come by a form of a browser, several at once`() throws {
    let album = try AlbumServer()
    let form = [
      "--line", #"Content-Disposition: form-data; name="note""#, "", "no file", "--line",
      #"Content-Disposition: form-data; name="file"; filename="ä.txt""#, "Content-Type: text/plain; charset=utf-8", "",
      "first\r\nline", "--line", #"Content-Disposition: form-data; name="file"; filename="b.txt""#, "", "", "--line--",
      "",
    ].joined(separator: "\r\n")
    let response = try album.send(
      "POST", "papers", form, ("Content-Type", "multipart/form-data; boundary=line"), ("Idempotency-Key", "form"))
    #expect(response.status == 201, "\(response.text)")
    let files = try album.files("papers")
    #expect((files["form"]?["name"], files["form"]?["size"], files["form"]?["type"]) == ("ä.txt", 11, "text/plain"))
    #expect((files["form-2"]?["name"], files["form-2"]?["size"], files["form-2"]?["ready"]) == ("b.txt", 0, true))
    #expect(try album.send("GET", "papers/form").text == "first\r\nline")
  }

  @Test func `are refused where they are too many, too large, or of another type`() throws {
    let album = try AlbumServer()
    #expect(try album.send("PUT", "photos/a.gif", picture).status == 201)
    #expect(try album.send("PUT", "photos/a.txt", "text").json?["type"] == "/problems/wrong-file-type")
    let wrong = try album.send("PUT", "photos/b.png", picture)
    #expect(wrong.json?["type"] == "/problems/wrong-file-type")
    #expect(try album.files("photos")["b.png"]?["error"] == "The file is not what it says that it is: image/png.")
    #expect(try album.send("HEAD", "photos/b.png").status == 409)
    #expect(try album.send("PUT", "photos/c.gif", picture).json?["type"] == "/problems/too-many-uploads")
    #expect(try album.send("DELETE", "photos/b.png").status == 204)
    let long = "GIF89a" + String(repeating: "x", count: 200_000)
    #expect(try album.send("PUT", "photos/c.gif", long).json?["type"] == "/problems/body-too-large")
    #expect(try album.files("photos")["c.gif"] == nil)
    #expect(album.spooled.count == 1)
  }

  @Test func `are refused where they are not what was declared`() throws {
    let album = try AlbumServer()
    let short = try album.send("PUT", "papers/a.txt", "abc", ("Upload-Complete", "?1"), ("Upload-Length", "4"))
    #expect(short.json?["type"] == "/problems/upload-contradiction")
    let long = try album.send("PUT", "papers/a.txt", "abcde", ("Upload-Complete", "?1"), ("Upload-Length", "4"))
    #expect(long.json?["type"] == "/problems/body-too-large")
    // The SHA-256 of "abc" (FIPS 180-4, example B.1).
    let digest = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"
    #expect(try album.send("PUT", "papers/b.txt", "abc", ("Repr-Digest", digest)).status == 201)
    let damaged = try album.send("PUT", "papers/c.txt", "abd", ("Repr-Digest", digest))
    #expect(damaged.json?["type"] == "/problems/upload-contradiction")
    #expect(try album.files("papers")["c.txt"]?["ready"] == false)
    let part = try album.send("PUT", "papers/d.txt", "abd", ("Content-Digest", digest), ("Upload-Complete", "?0"))
    #expect(part.status == 400)
    #expect(try album.send("HEAD", "papers/d.txt")["Upload-Offset"] == "0")
  }

  @Test func `are given back as files to keep, in parts too, and never as pages`() throws {
    let album = try AlbumServer()
    _ = try album.send(
      "PUT", "papers/p", "<script>alert(1)</script>", ("Content-Disposition", #"x; filename="a/../ü\".html""#))
    let response = try album.send("GET", "papers/p")
    #expect(response["Content-Type"] == "application/octet-stream")
    #expect(response["X-Content-Type-Options"] == "nosniff")
    #expect(response["Content-Security-Policy"]?.hasPrefix("sandbox") == true)
    #expect(response["Content-Disposition"] == #"attachment; filename="__.html"; filename*=UTF-8''%C3%BC%22.html"#)
    let part = try album.send("GET", "papers/p", nil, ("Range", "bytes=1-6"))
    #expect((part.status, part.text) == (206, "script"))
    let tag = try #require(response["ETag"])
    #expect(try album.send("GET", "papers/p", nil, ("If-None-Match", tag)).status == 304)
  }

  @Test func `begin only while the entry's condition holds`() throws {
    let album = try AlbumServer()
    let begun = try album.send("PUT", "photos/a.gif", "GIF8", ("Upload-Complete", "?0"), ("Upload-Length", "14"))
    #expect(begun.status == 201)
    #expect(try album.opened.send("POST", "/actions/close").status == 200)
    #expect(try album.send("PUT", "photos/b.gif", picture).json?["type"] == "/problems/action-disabled")
    // One that has begun goes on.
    let rest = try album.send(
      "PATCH", "photos/a.gif", "9a picture", ("Content-Type", "application/partial-upload"), ("Upload-Offset", "4"),
      ("Upload-Complete", "?1"))
    #expect(rest.status == 204, "\(rest.text)")
  }

  @Test func `lead nowhere where the path takes none`() throws {
    let album = try AlbumServer()
    for path in ["none/a", "photos/files/a", "keep/a"] {
      let response = try album.send("PUT", path, picture)
      #expect(response.json?["type"] == "/problems/no-upload", "\(path): \(response.text)")
    }
    #expect(try album.send("HEAD", "photos/none").status == 404)
    #expect(try album.send("DELETE", "photos/none").status == 404)
    let stranger = try album.opened.server.client()
    let url = "\(album.opened.url)/uploads/photos/a.gif"
    #expect(try stranger.request("PUT", url, picture, fields: [("Content-Type", "image/gif")]).status == 404)
  }

  @Test func `go on with the later of two senders`() async throws {
    let album = try AlbumServer()
    _ = try album.send("PUT", "papers/a", "", ("Upload-Complete", "?0"), ("Upload-Length", "6"))
    let head = { (offset: Int) in
      """
      PATCH \(album.opened.url)/uploads/papers/a HTTP/1.1\r\nHost: 127.0.0.1:\(album.opened.server.port)\r
      Cookie: \(album.opened.client.cookie ?? "")\r\nContent-Type: application/partial-upload\r\nUpload-Offset: \(offset)\r
      Upload-Complete: ?1\r\nContent-Length: \(6 - offset)\r\n\r\n
      """
    }
    let (slow, quick) = (try album.opened.server.client(), try album.opened.server.client())
    try slow.send(raw: head(0) + "abc")
    while try album.send("HEAD", "papers/a")["Upload-Offset"] != "3" { await Task.yield() }
    try quick.send(raw: head(3) + "def")
    #expect(try await quick.receive().status == 204)
    try slow.send(raw: "xyz")
    #expect(try await slow.receive().status == 409)
    #expect(try album.send("GET", "papers/a").text == "abcdef")
  }

  @Test func `are no path, whatever their names and keys are`() throws {
    let album = try AlbumServer()
    for key in ["..", ".", "..%2f..%2fetc", "%2fetc", "a%5cb", String(repeating: "x", count: 101)] {
      #expect(try album.send("PUT", "papers/\(key)", "abc").status == 400, "\(key)")
    }
    #expect(try album.send("POST", "papers", "abc", ("Idempotency-Key", "")).status == 400)
    // A key of requests may be longer, and have a number behind a slash.
    for key in ["tab/3", String(repeating: "x", count: 101)] {
      let sent = try (0..<2).map { _ in try album.send("POST", "papers", "abc", ("Idempotency-Key", key)) }
      #expect(sent.map(\.status) == [201, 201])
      #expect(sent[0]["Location"] != nil && sent[0]["Location"] == sent[1]["Location"])
    }
    let named = try album.send(
      "PUT", "papers/x~0y", "abc", ("Content-Disposition", "x; filename*=UTF-8''..%2Fa%7F%0Ab"))
    #expect(named.status == 201)
    #expect(try album.files("papers")["x~y"]?["name"] == "ab")
    #expect(try album.send("GET", "papers/x~0y")["Content-Disposition"] == #"attachment; filename="ab""#)
    let posted = try album.send("POST", "papers", "abc", ("Idempotency-Key", "x~0z"))
    #expect(try album.opened.client.request("GET", try #require(posted["Location"])).text == "abc")
  }

  @Test func `that are not there any more are sent anew`() throws {
    let album = try AlbumServer()
    _ = try album.send("PUT", "papers/a", "abc")
    try FileManager.default.removeItem(at: album.directory.appending(path: "spool"))
    let head = try album.send("HEAD", "papers/a")
    #expect((head["Upload-Offset"], head["Upload-Complete"]) == ("0", "?0"))
    #expect(try album.files("papers")["a"]?["ready"] == false)
    let rest = try album.send(
      "PATCH", "papers/a", "abc", ("Content-Type", "application/partial-upload"), ("Upload-Offset", "0"),
      ("Upload-Complete", "?1"))
    #expect((rest.status, rest["Upload-Complete"]) == (204, "?1"), "\(rest.text)")
    #expect(try album.send("GET", "papers/a").text == "abc")
    let more = try album.send(
      "PATCH", "papers/a", "d", ("Content-Type", "application/partial-upload"), ("Upload-Offset", "3"),
      ("Upload-Complete", "?1"))
    #expect(more.json?["type"] == "/problems/upload-contradiction")
  }

  @Test func `leave nothing behind where their form breaks off`() throws {
    let album = try AlbumServer()
    let form = "--b\r\nContent-Disposition: form-data; filename=a\r\n\r\nabc"
    let broken = try album.send("POST", "papers", form, ("Content-Type", "multipart/form-data; boundary=b"))
    #expect(broken.status == 400)
    #expect(try album.files("papers") == [:])
    #expect(album.spooled == [])
  }

  @Test func `go when nobody takes them in time`() async throws {
    let clock = Locked(ContinuousClock.now)
    let expiry = Locked(Recurrence(every: .seconds(60), from: clock.withLock(\.self)))
    #expect(expiry.withLock { $0.isDue(clock.withLock(\.self)) } == false)
    clock.withLock { $0 += .seconds(61) }
    #expect(expiry.withLock { $0.isDue(clock.withLock(\.self)) })
    #expect(expiry.withLock { $0.isDue(clock.withLock(\.self)) } == false)
    let album = try AlbumServer()
    _ = try album.send("PUT", "papers/a", "abc")
    album.opened.server.expireUploads(after: .seconds(-10))
    while try album.files("papers")["a"]?["ready"] == true { await Task.yield() }
    #expect(try album.files("papers")["a"]?["error"] != nil)
    #expect(album.spooled == [])
    #expect(try album.send("PUT", "papers/a", "abc").status == 201)
  }

  @Test func `take no more room than there is`() throws {
    let album = try AlbumServer { $0.sessions.maxUploadBytes = 1_000_000 }
    let large = try album.send("PUT", "papers/a", "", ("Upload-Complete", "?0"), ("Upload-Length", "300000"))
    #expect(large.status == 507)
    #expect(large.json?["limit"] == "max-uploads")
    #expect(try album.files("papers") == [:])
    for key in ["a", "b", "c"] {
      #expect(
        try album.send("PUT", "papers/\(key)", "", ("Upload-Complete", "?0"), ("Upload-Length", "70000")).status == 201)
    }
    #expect(try album.send("PUT", "papers/d", "x").status == 507)
    #expect(try album.send("DELETE", "papers/a").status == 204)
    #expect(try album.send("PUT", "papers/d", "x").status == 201)
  }

  @Test func `are known by their path alone`() {
    for (target, isOne) in [
      ("/sessions/album/x/uploads/a", true), ("http://h/sessions/album/x/uploads/a", true),
      ("/sessions/album/x/actions/uploads", false), ("/sessions/uploads/x/state", false), ("/uploads/", false),
      ("", true),
    ] { #expect(RouteTable.mayBeOfFiles(target) == isOne, "\(target)") }
  }

  @Test func `go with their session`() throws {
    let album = try AlbumServer()
    _ = try album.send("PUT", "papers/a", "abc")
    #expect(album.spooled.count == 1)
    #expect(try album.opened.send("DELETE").status == 204)
    #expect(album.spooled == [])
  }
}
