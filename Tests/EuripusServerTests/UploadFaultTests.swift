// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

private final class Tray: ViewModel {
  let papers: Uploads
  init(_ context: SessionContext) { papers = Uploads(context, most: 5, each: .kilobytes(100)) }
  static let surface = Surface<Tray>("tray", .uploads("papers", \.papers))
}

@Suite(.timeLimit(.minutes(10))) struct `A server that takes files` {
  private let folder: PublicFolder

  init() throws { folder = try PublicFolder(["empty": ""]) }

  /// - Parameter spool: the name of the directory for files.
  private func server(spool: String = "spool", actions: Rate? = nil) throws -> TestServer {
    try TestServer([.hosting { Tray($0) }]) {
      $0.stopTime()
      $0.sessions.actionRate = actions
      $0.sessions.uploadDirectory = "\(folder.path)/\(spool)"
      $0.sessions.storage = .sqlite("\(folder.path)/sessions.db")
    }
  }

  private static let fields = [("Content-Type", "text/plain"), ("Idempotency-Key", "paper")]

  @Test func `tells a client nothing of the system's words where a file cannot be written, and the log all of it`()
    throws
  {
    let server = try server()
    let client = try server.client()
    let tray = try client.open("tray")
    // There is a file where the session's directory has to be.
    try folder.write("spool/\(try #require(tray.split(separator: "/").last))", "")
    let refused = try client.request("POST", "\(tray)/uploads/papers", "abc", fields: Self.fields)
    #expect((refused.status, refused.problem) == (500, "internal"), "\(refused.text)")
    #expect(!refused.text.contains("irectory"), "\(refused.text)")
    let id = try refused.string("id")
    #expect(server.log.contains { $0.contains(id) && $0.contains("Not a directory") })
  }

  @Test func `takes a file whose path is written in another way`() throws {
    let client = try server().client()
    let tray = try client.open("tray")
    // The server knows no length by which it could see that the body is not there.
    let fields = [("Content-Type", "text/plain"), ("Upload-Complete", "?0")]
    let sent = try client.request("PUT", "\(tray)/%75ploads/papers/a", "abc", fields: fields)
    #expect((sent.status, sent["Upload-Offset"]) == (201, "3"), "\(sent.text)")
    let part = [("Content-Type", "application/partial-upload"), ("Upload-Offset", "3"), ("Upload-Complete", "?1")]
    #expect(try client.request("PATCH", "\(tray)/u%70loads/papers/a", "def", fields: part).status == 204)
    #expect(try client.request("GET", "\(tray)/uploads/papers/a").text == "abcdef")
  }

  @Test(arguments: ["?1", "?0"])
  func `takes the file of a repeated request anew where another directory has its bytes`(
    complete: String
  ) throws {
    let before = try server()
    let first = try before.client()
    let tray = try first.open("tray")
    let fields = Self.fields + [("Upload-Complete", complete), ("Upload-Length", complete == "?1" ? "3" : "6")]
    #expect(try first.request("POST", "\(tray)/uploads/papers", "abc", fields: fields).status == 201)
    before.stop()
    let second = try server(spool: "another").client()
    second.goOn(with: first.cookie)
    let sent = try second.request("POST", "\(tray)/uploads/papers", "abc", fields: fields)
    #expect((sent.status, sent["Upload-Offset"], sent["Upload-Complete"]) == (201, "3", complete), "\(sent.text)")
  }

  @Test func `finds out after a restart that another directory has none of the files that were ready`() throws {
    let before = try server()
    let first = try before.client()
    let tray = try first.open("tray")
    let sent = try first.request("PUT", "\(tray)/uploads/papers/a", "abc", fields: [("Content-Type", "text/plain")])
    #expect(sent.status == 201)
    before.stop()
    for (spool, isReady) in [("spool", true), ("another", false)] {
      let server = try server(spool: spool)
      let client = try server.client()
      client.goOn(with: first.cookie)
      let file = try client.request("GET", tray).json?["state"]?["papers"]?["files"]?["items"]?["a"]
      #expect(file?["ready"] == .bool(isReady))
      #expect(file?["received"] == (isReady ? 3 : 0))
      server.stop()
    }
  }

  @Test func `counts what it does itself with a file against no limit of the client`() throws {
    let client = try server(actions: Rate(1, per: .seconds(3_600), burst: 1)).client()
    let tray = try client.open("tray")
    let sent = try client.request("PUT", "\(tray)/uploads/papers/a", "abc", fields: [("Content-Type", "text/plain")])
    #expect((sent.status, sent["Upload-Complete"]) == (201, "?1"), "\(sent.text)")
    #expect(try client.request("DELETE", "\(tray)/uploads/papers/a").problem == "too-many-requests")
  }
}
