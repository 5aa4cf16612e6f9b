// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Locking
import Testing

@testable import EuripusServer

/// A store of an app's, with the sizes of the files in it by their names.
private final class Bucket: UploadStore {
  struct Closed: Error {}
  private let files = Locked<[String: Int]>([:])
  private let isClosed = Locked(false)

  func address(for file: DeclaredUpload) async throws -> UploadAddress {
    if isClosed.withLock(\.self) { throw Closed() }
    return UploadAddress(
      url: "https://store.example/\(file.storedName)?size=\(file.size)", fields: ["x-type": file.type])
  }

  func size(of storedName: String) async throws -> Int? {
    if isClosed.withLock(\.self) { throw Closed() }
    return files.withLock { $0[storedName] }
  }

  func put(_ size: Int, at name: String) { files.withLock { $0[name] = size } }
  func close(_ isClosed: Bool) { self.isClosed.withLock { $0 = isClosed } }
}

private final class Archive: ViewModel {
  struct Failure: Error {}
  let films: Uploads
  @Observed var taken: [String] = []

  init(_ context: SessionContext, _ bucket: Bucket) {
    films = Uploads(context, most: 2, each: .gigabytes(5), types: .only("video/mp4"), at: bucket)
  }

  func take() throws { for film in films.ready { taken.append(try film.take()) } }

  func takeAndFail() throws {
    try take()
    throw Failure()
  }

  func read() throws { for film in films.ready { _ = try film.read() } }

  static let surface = Surface<Archive>(
    "archive", .uploads("films", \.films), .value("taken", \.$taken), .action("take", Archive.take),
    .action("takeAndFail", Archive.takeAndFail), .action("read", Archive.read))
}

/// A server with an archive, whose films go to a bucket.
private final class ArchiveServer {
  let bucket = Bucket()
  let opened: Opened

  init() throws { opened = try Opened([.hosting { [bucket] in Archive($0, bucket) }], "archive") }

  func send(_ method: String, _ key: String, _ body: String?, _ fields: (String, String)...) throws
    -> TestClient.Response
  {
    try opened.send(method, "/uploads/films" + (key.isEmpty ? "" : "/" + key), body, fields)
  }

  /// Declares a film, and gives the name that it has in the bucket.
  func declare(_ key: String, size: Int = 3_000_000_000) throws -> String {
    let answer = try send(
      "PUT", key, "", ("Upload-Complete", "?0"), ("Upload-Length", "\(size)"), ("Content-Type", "video/mp4"))
    #expect(answer.status == 200, "\(answer.text)")
    guard case .string(let url)? = answer.json?["url"] else { throw Archive.Failure() }
    #expect(url.hasSuffix("?size=\(size)"))
    #expect(answer.json?["fields"] == ["x-type": "video/mp4"])
    #expect(answer["Location"] == "\(opened.url)/uploads/films/\(key)")
    #expect(answer["Cache-Control"] == "no-store")
    return String(url.dropFirst("https://store.example/".count).prefix { $0 != "?" })
  }

  /// Says how far a film has come.
  func tell(_ key: String, _ count: Int, isComplete: Bool) throws -> TestClient.Response {
    try send(
      "PATCH", key, "", ("Content-Type", "application/partial-upload"), ("Upload-Offset", "\(count)"),
      ("Upload-Complete", isComplete ? "?1" : "?0"))
  }

  func film(_ key: String) throws -> JSON? {
    try #require(opened.get().json)["state"]?["films"]?["files"]?["items"]?[key]
  }
}

@Suite(.timeLimit(.minutes(10))) struct `Files that clients send to the app's store` {
  @Test func `are ready once the store has them, and an action takes their names`() throws {
    let archive = try ArchiveServer()
    #expect(try archive.opened.get().json?["state"]?["films"]?["elsewhere"] == true)
    let name = try archive.declare("a.mp4")
    #expect(name.count == 32)
    #expect(try archive.tell("a.mp4", 1_000_000_000, isComplete: false).status == 204)
    #expect(try archive.film("a.mp4")?["received"] == 1_000_000_000)
    let head = try archive.send("HEAD", "a.mp4", nil)
    #expect((head["Upload-Offset"], head["Upload-Complete"]) == ("1000000000", "?0"))
    #expect(head["Upload-Limit"] == "max-size=3000000000")
    archive.bucket.put(3_000_000_000, at: name)
    #expect(try archive.tell("a.mp4", 3_000_000_000, isComplete: true).status == 204)
    #expect(try archive.film("a.mp4")?["ready"] == true)
    // The answer may have been lost.
    #expect(try archive.tell("a.mp4", 3_000_000_000, isComplete: true).status == 204)
    #expect(try archive.opened.send("POST", "/actions/takeAndFail").status == 500)
    #expect(try archive.film("a.mp4")?["ready"] == true)
    #expect(try archive.opened.send("POST", "/actions/take").status == 200)
    #expect(try archive.opened.get().json?["state"]?["taken"] == [.string(name)])
    #expect(try archive.tell("a.mp4", 3_000_000_000, isComplete: true).status == 410)
  }

  @Test func `are not taken at the server`() throws {
    let archive = try ArchiveServer()
    let type = ("Content-Type", "video/mp4")
    let length = ("Upload-Length", "3")
    for (method, key) in [("PUT", "a.mp4"), ("POST", "")] {
      let whole = try archive.send(method, key, "abc", type)
      #expect(whole.json?["type"] == "/problems/upload-elsewhere", "\(whole.text)")
    }
    let begun = try archive.send("PUT", "a.mp4", "abc", type, length, ("Upload-Complete", "?0"))
    #expect(begun.json?["type"] == "/problems/upload-elsewhere")
    #expect(try archive.film("a.mp4") == nil)
    _ = try archive.declare("a.mp4")
    let part = try archive.send(
      "PATCH", "a.mp4", "abc", ("Content-Type", "application/partial-upload"), ("Upload-Offset", "0"),
      ("Upload-Complete", "?1"))
    #expect(part.json?["type"] == "/problems/upload-elsewhere")
    #expect(try archive.send("PUT", "b.mp4", "", type, ("Upload-Complete", "?0")).status == 400)
    #expect(try archive.film("b.mp4") == nil)
    #expect(try archive.send("GET", "a.mp4", nil).status == 404)
  }

  @Test func `are refused where the store has not as many bytes as were declared`() throws {
    let archive = try ArchiveServer()
    let name = try archive.declare("a.mp4", size: 3)
    for (count, isComplete) in [(2, true), (4, true), (4, false), (3, true)] {
      let answer = try archive.tell("a.mp4", count, isComplete: isComplete)
      #expect(answer.json?["type"] == "/problems/upload-contradiction", "\(count) \(answer.text)")
    }
    // It is not there at all: somebody may be sending it.
    #expect(try archive.film("a.mp4")?["error"] == .null)
    archive.bucket.put(2, at: name)
    #expect(try archive.tell("a.mp4", 3, isComplete: true).json?["type"] == "/problems/upload-contradiction")
    #expect(try archive.film("a.mp4")?["error"] == "The file has not arrived as a whole. Please send it again.")
    #expect(try archive.tell("a.mp4", 3, isComplete: true).json?["type"] == "/problems/upload-refused")
  }

  @Test func `get another name when they are sent anew, whether or not they were there`() throws {
    let archive = try ArchiveServer()
    let names = [try archive.declare("a.mp4"), try archive.declare("a.mp4", size: 4)]
    #expect(Set(names).count == 2)
    // The one who declared it first has sent it, and the one who did so last is still sending.
    archive.bucket.put(4, at: names[0])
    #expect(try archive.tell("a.mp4", 4, isComplete: true).status == 400)
    archive.bucket.put(4, at: names[1])
    #expect(try archive.tell("a.mp4", 4, isComplete: true).status == 204)
    // A request that is refused leaves the one that is ready.
    let fields = [("Upload-Complete", "?0"), ("Upload-Length", "3"), ("Content-Type", "video/mp4")]
    #expect(try archive.opened.send("PUT", "/uploads/films/a.mp4", "abc", fields).status == 409)
    #expect(try archive.film("a.mp4")?["ready"] == true)
    #expect(try archive.send("DELETE", "a.mp4", nil).status == 204)
    // The same request again finds the same file.
    let posted = try (0..<2).map { _ in
      try archive.send(
        "POST", "", "", ("Upload-Complete", "?0"), ("Upload-Length", "3"), ("Content-Type", "video/mp4"),
        ("Idempotency-Key", "film"))
    }
    #expect(posted[0].status == 200 && posted[0].json == posted[1].json)
  }

  @Test func `wait for a store that fails, and the answer says so`() throws {
    let archive = try ArchiveServer()
    archive.bucket.close(true)
    let fields = [("Upload-Complete", "?0"), ("Upload-Length", "3"), ("Content-Type", "video/mp4")]
    let answer = try archive.opened.send("PUT", "/uploads/films/a.mp4", "", fields)
    #expect((answer.status, answer.json?["type"]) == (502, "/problems/upload-store-failed"))
    archive.bucket.close(false)
    archive.bucket.put(3, at: try archive.declare("a.mp4", size: 3))
    archive.bucket.close(true)
    #expect(try archive.tell("a.mp4", 3, isComplete: true).status == 502)
    archive.bucket.close(false)
    #expect(try archive.tell("a.mp4", 3, isComplete: true).status == 204)
    // Its bytes are nowhere at this server.
    #expect(try archive.opened.send("POST", "/actions/read").status == 500)
    #expect(try archive.film("a.mp4")?["ready"] == true)
  }
}
