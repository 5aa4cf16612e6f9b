// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Testing

@testable import EuripusServer

/// A view model that offers files.
private final class Archive: ViewModel {
  struct Failure: Error {}

  private let (context, directory): (SessionContext, String)
  @Observed var file: FileOffer?

  init(_ context: SessionContext, _ directory: String) { (self.context, self.directory) = (context, directory) }

  func make(_ text: String) throws { file = try context.offer(Array(text.utf8), named: "Übersicht für Mai.csv") }
  func makeNamed(_ name: String) throws { file = try context.offer([], named: name) }
  func makeOnce(_ text: String) throws { file = try context.offer(Array(text.utf8), named: "key.txt", isOnce: true) }
  func lend(_ name: String) throws { file = try context.offer(fileAt: "\(directory)/\(name)") }
  func send(_ text: String) throws { try context.go(to: context.offer(Array(text.utf8), named: "a.pdf").url) }
  func makeMany(_ count: Int) throws {
    for number in 0..<count { _ = try context.offer([], named: "\(number)") }
  }

  func makeAndFail() throws {
    try make("lost")
    throw Failure()
  }

  func takeBack() throws { for offer in context.offers { try context.withdraw(offer) } }

  func takeBackAndFail() throws {
    try takeBack()
    throw Failure()
  }

  nonisolated(nonsending) func report(_ run: CommandRun) async throws {
    await Task.yield()
    file = try context.offer(Array("made by a command".utf8), named: "report.txt")
  }

  static let surface = Surface<Archive>(
    "archive", .value("file", \.$file), .action("make", Archive.make), .action("makeNamed", Archive.makeNamed),
    .action("makeOnce", Archive.makeOnce),
    .action("lend", Archive.lend), .action("send", Archive.send), .action("makeMany", Archive.makeMany),
    .action("makeAndFail", Archive.makeAndFail), .action("takeBack", Archive.takeBack),
    .action("takeBackAndFail", Archive.takeBackAndFail), .command("report", Archive.report))
}

/// A server with an archive, whose files are in a directory of the test's own.
private final class ArchiveServer {
  let server: TestServer
  let client: TestClient
  let url: String
  private let folder: PublicFolder
  var directory: URL { URL(fileURLWithPath: folder.path) }

  /// - Parameter earlier: a server that has stopped, whose session this one goes on with; `nil` for a session of its own.
  init(after earlier: ArchiveServer? = nil, _ configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
    folder = try earlier?.folder ?? PublicFolder(["empty": ""])
    server = try TestServer([.hosting { [path = folder.path] in Archive($0, path) }]) { [path = folder.path] in
      $0.stopTime()
      $0.sessions.uploadDirectory = "\(path)/spool"
      $0.sessions.storage = .sqlite("\(path)/sessions.db")
      configure(&$0)
    }
    client = try server.client()
    if let earlier { client.goOn(with: earlier.client.cookie) }
    url = try earlier?.url ?? client.open("archive")
  }

  func perform(_ action: String, _ value: String? = nil) throws -> TestClient.Response {
    try client.request("POST", "\(url)/actions/\(action)", value)
  }

  /// The address of the file that the state shows.
  var file: String {
    get throws {
      guard case .string(let file)? = try client.request("GET", url).json?["state"]?["file"]?["url"] else { return "" }
      return file
    }
  }

  var session: String { url.split(separator: "/").last.map(String.init) ?? "" }

  private func place(_ name: String) -> URL { directory.appending(path: "spool/\(name)") }

  /// Makes a file in the spool, as a server does.
  func write(_ name: String) throws {
    let place = place(name)
    try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("bytes".utf8).write(to: place)
  }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: place(name).path) }

  /// Makes a file or a directory of the spool old; by default all.
  func age(_ name: String? = nil) throws {
    let names = try name.map { [$0] } ?? FileManager.default.subpathsOfDirectory(atPath: place("").path)
    for name in names {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: place(name).path)
    }
  }

  /// The number of files in the spool.
  var spooled: Int {
    let names = FileManager.default.enumerator(atPath: directory.appending(path: "spool").path)?.allObjects ?? []
    return names.count { ($0 as? String)?.contains("/") == true }
  }
}

@Suite(.timeLimit(.minutes(10))) struct `Files that a session offers` {
  @Test func `are given as files to keep, in any language, whole and in parts`() throws {
    let archive = try ArchiveServer()
    #expect(try archive.perform("make", #""a,b\r\n1,2\r\n""#).status == 200)
    let shown = try archive.client.request("GET", archive.url).json?["state"]?["file"]
    #expect(shown?["name"] == "Übersicht für Mai.csv")
    #expect(shown?["size"] == 10)
    let file = try archive.file
    let whole = try archive.client.request("GET", file)
    #expect((whole.status, whole.text) == (200, "a,b\r\n1,2\r\n"))
    #expect(whole["Content-Type"] == "text/csv; charset=utf-8")
    #expect(
      whole["Content-Disposition"]
        == #"attachment; filename="_bersicht f_r Mai.csv"; filename*=UTF-8''%C3%9Cbersicht%20f%C3%BCr%20Mai.csv"#)
    #expect(whole["Content-Security-Policy"] == "sandbox; default-src 'none'")
    #expect(whole["X-Content-Type-Options"] == "nosniff")
    #expect(whole["Cache-Control"] == "no-store")
    let part = try archive.client.request("GET", file, fields: [("Range", "bytes=5-7")])
    #expect((part.status, part.text, part["Content-Range"]) == (206, "1,2", "bytes 5-7/10"))
    #expect(part["Cache-Control"] == "no-store")
    #expect(
      try archive.client.request("GET", file, fields: [("Range", "bytes=10-")]).problem == "range-not-satisfiable")
    let tag = try #require(whole["ETag"])
    let same = try archive.client.request("GET", file, fields: [("If-None-Match", tag)])
    #expect((same.status, same["Cache-Control"]) == (304, "no-store"))
    #expect(try archive.client.request("GET", file, fields: [("If-Match", #""x""#)]).problem == "version-moved")
    let head = try archive.client.request("HEAD", file)
    #expect((head.status, head["Content-Length"], head.body.count) == (200, "10", 0))
    #expect(try archive.client.request("POST", file).problem == "method-not-allowed")
  }

  @Test func `have a name that is the last part of a path, and turns no text`() throws {
    let archive = try ArchiveServer()
    for (name, shown) in [("../../etc/passwd", "passwd"), ("report\u{202E}fdp.exe", "reportfdp.exe"), ("..", "file")] {
      _ = try archive.perform("makeNamed", #""\#(name)""#)
      #expect(try archive.client.request("GET", archive.url).json?["state"]?["file"]?["name"] == .string(shown))
    }
  }

  @Test func `are for the session's own clients`() throws {
    let archive = try ArchiveServer()
    _ = try archive.perform("make", #""mine""#)
    let stranger = try archive.server.client()
    let own = try stranger.open("archive")
    #expect(try stranger.request("GET", archive.file).problem == "no-session")
    let key = try archive.file.split(separator: "/").last ?? ""
    #expect(try stranger.request("GET", "\(own)/downloads/\(key)").problem == "no-download")
    #expect(try stranger.request("GET", "\(own)/downloads/..%2f..%2fsessions.db").problem == "no-download")
  }

  @Test func `are where an action sends its client`() throws {
    let archive = try ArchiveServer()
    let answer = try archive.perform("send", #""paper""#)
    guard case .string(let location)? = answer.json?["location"] else {
      Issue.record("no location: \(answer.text)")
      return
    }
    let file = try archive.client.request("GET", location)
    #expect((file.text, file["Content-Type"]) == ("paper", "application/pdf"))
  }

  @Test func `are those of a command too`() async throws {
    let archive = try ArchiveServer()
    let answer = try await archive.client.request(
      "POST", "\(archive.url)/actions/report", fields: [("Prefer", "wait=10")])
    #expect(answer.json?["results"]?["report"]?["succeeded"] == nil, "\(answer.text)")
    #expect(try await archive.client.request("GET", archive.file).text == "made by a command")
  }

  @Test func `are given once where the app says so, and a look does not count`() async throws {
    let archive = try ArchiveServer()
    _ = try archive.perform("makeOnce", #""secret""#)
    let file = try archive.file
    #expect(try await archive.client.request("HEAD", file).status == 200)
    #expect(try await archive.client.request("GET", file, fields: [("Range", "bytes=6-")]).status == 416)
    #expect(try await archive.client.request("GET", file).text == "secret")
    #expect(try await archive.client.request("GET", file).problem == "no-download")
    while archive.spooled > 0 { await Task.yield() }
  }

  @Test func `are undone with an action that fails, and so is their withdrawal`() async throws {
    let archive = try ArchiveServer()
    #expect(try archive.perform("makeAndFail").status == 500)
    while archive.spooled > 0 { await Task.yield() }
    _ = try archive.perform("make", #""kept""#)
    #expect(try archive.perform("takeBackAndFail").status == 500)
    let file = try archive.file
    #expect(try await archive.client.request("GET", file).text == "kept")
    #expect(try archive.perform("takeBack").status == 200)
    #expect(try await archive.client.request("GET", file).problem == "no-download")
    while archive.spooled > 0 { await Task.yield() }
  }

  @Test func `are there after a restart, and go with their session`() async throws {
    let before = try ArchiveServer()
    _ = try before.perform("make", #""kept""#)
    before.server.stop()
    let archive = try ArchiveServer(after: before)
    #expect(try await archive.client.request("GET", archive.file).text == "kept")
    #expect(try await archive.client.request("DELETE", archive.url).status == 204)
    while archive.spooled > 0 { await Task.yield() }
  }

  /// Ids of sessions that the store does not have, and the name of a file that a server has made.
  private static let (nowhere, elsewhere) = (String(repeating: "A", count: 22), String(repeating: "B", count: 22))
  private static let name = String(repeating: "0", count: 32)

  @Test func `outlive a day of a session in the store, and go with one that is nowhere`() async throws {
    let before = try ArchiveServer()
    _ = try before.perform("make", #""kept""#)
    try before.write("\(Self.nowhere)/offer-\(Self.name)")
    try before.write("\(before.session)/offer-\(Self.name)")
    // Somebody has put another file there.
    try before.write("\(Self.nowhere)/offer-mine")
    try before.age()
    // A session that another server has in memory, which keeps the directory young.
    try before.write("\(Self.elsewhere)/offer-\(Self.name)")
    try before.age("\(Self.elsewhere)/offer-\(Self.name)")
    before.server.stop()
    let archive = try ArchiveServer(after: before)
    await archive.server.dropUnoffered().value
    #expect(!archive.has("\(Self.nowhere)/offer-\(Self.name)"))
    #expect(!archive.has("\(archive.session)/offer-\(Self.name)"))
    #expect(archive.has("\(Self.nowhere)/offer-mine"))
    #expect(archive.has("\(Self.elsewhere)/offer-\(Self.name)"))
    #expect(try await archive.client.request("GET", archive.file).text == "kept")
  }

  @Test func `stay as they are while the session is in memory, and others that a kill has left go`() async throws {
    let archive = try ArchiveServer()
    _ = try archive.perform("make", #""kept""#)
    let tag = try await archive.client.request("GET", archive.file)["ETag"]
    try archive.write("\(archive.session)/offer-\(Self.name)")
    try archive.age("\(archive.session)/offer-\(Self.name)")
    await archive.server.dropUnoffered().value
    while archive.has("\(archive.session)/offer-\(Self.name)") { await Task.yield() }
    let kept = try await archive.client.request("GET", archive.file)
    #expect((kept.text, kept["ETag"]) == ("kept", tag))
  }

  @Test func `may stay where the app has them`() throws {
    let archive = try ArchiveServer()
    let path = archive.directory.appending(path: "large.bin")
    try Data("of the app".utf8).write(to: path)
    #expect(try archive.perform("lend", #""large.bin""#).status == 200)
    let file = try archive.file
    #expect(try archive.client.request("GET", file).text == "of the app")
    #expect(archive.spooled == 0)
    try Data("of the app, and longer".utf8).write(to: path)
    #expect(try archive.perform("lend", #""large.bin""#).status == 200)
    #expect(try archive.file == file)
    #expect(try archive.client.request("GET", file).text == "of the app, and longer")
    #expect(try archive.client.request("GET", archive.url).json?["state"]?["file"]?["size"] == 22)
    try FileManager.default.removeItem(at: path)
    #expect(try archive.client.request("GET", file).problem == "no-download")
    #expect(try archive.perform("lend", #""large.bin""#).status == 500)
    #expect(archive.server.log.contains { $0.contains("there is no file at '\(path.path)'") })
  }

  @Test func `are a hundred at most`() throws {
    let archive = try ArchiveServer()
    #expect(try archive.perform("makeMany", "101").status == 500)
    #expect(archive.server.log.contains { $0.contains("the session offers 100 files, which is the limit") })
    _ = try archive.perform("makeOnce", #""given once""#)
    let once = try archive.file
    #expect(try archive.perform("makeMany", "99").status == 200)
    #expect(archive.spooled == 100)
    // A file that is given once makes room.
    #expect(try archive.client.request("HEAD", once).status == 200)
    #expect(try archive.perform("makeMany", "1").status == 200)
    #expect(try archive.client.request("HEAD", once).status == 404)
    #expect(try archive.perform("makeMany", "1").status == 500)
  }

  @Test func `take no more room than there is`() throws {
    let archive = try ArchiveServer { $0.sessions.maxUploadBytes = 400_000 }
    #expect(try archive.perform("makeMany", "4").status == 500)
    #expect(
      archive.server.log.contains { $0.contains("the files that sessions offer take 200000 bytes at most") })
    #expect(try archive.perform("makeMany", "3").status == 200)
  }
}
