// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// The table in the guide on an app's own database, row by row: each work is begun, is killed with its server, and is
/// looked at in the next one.
@Suite(.timeLimit(.minutes(10))) struct `Work that is killed with its server` {
  private let folder: Folder
  private let first: Program
  private let client: TestClient
  private let url: String

  init() throws {
    folder = try Folder()
    #expect(mkfifo(folder["here"], 0o600) == 0)
    first = try Self.serve(folder)
    client = try first.client()
    url = try client.open("work")
  }

  private static func serve(_ folder: Folder) throws -> Program {
    try Program.serve(["--store", folder["work.db"], "--work", folder.path], of: "BoardApp")
  }

  /// Does an action, waits until its work is in the middle, and kills the server.
  ///
  /// - Returns: the next server, and a client of it.
  private func kill(in action: String) throws -> (Program, TestClient) {
    try client.send("POST", "\(url)/actions/\(action)", fields: [("Idempotency-Key", "tab/1")])
    // The pipe opens when the work is there.
    let here = try #require(FileHandle(forReadingAtPath: folder["here"]))
    #expect(here.readData(ofLength: 4).count == 4)
    first.kill()
    unlink(folder["here"])
    let next = try Self.serve(folder)
    return (next, try next.client(as: client))
  }

  /// Sends the request of the killed action once more.
  private func again(_ action: String, _ client: TestClient) throws -> TestClient.Response {
    let answer = try client.request("POST", "\(url)/actions/\(action)", fields: [("Idempotency-Key", "tab/1")])
    #expect(answer.status == 200, "\(answer.text)")
    return answer
  }

  /// Follows the session until a value is as expected.
  private func wait(_ client: TestClient, for name: String, _ value: JSON) throws {
    var seen = try #require(try client.request("GET", url).json)
    while seen["state"]?[name] != value {
      let version = try String(json: seen["version"] ?? .null)
      _ = try client.request("GET", "\(url)/changes?since=\(version)", fields: [("Prefer", "wait=20")])
      seen = try #require(try client.request("GET", url).json)
    }
  }

  private var taken: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("taken-") } }
  }

  @Test func `in an action with the database: nothing was done, and the request with its key does it once`() throws {
    let (next, back) = try kill(in: "write")
    #expect(try back.request("GET", url).json?["state"]?["status"] == "ready")
    try wait(back, for: "rows", 0)
    let (done, told) = (try again("write", back), try again("write", back))
    #expect(done.text == told.text && done.json?["from"] != nil, "the second one is the answer of the first one")
    #expect(try back.request("GET", url).json?["state"]?["status"] == "written")
    try wait(back, for: "rows", 1)
    next.kill()
  }

  @Test func `in a command that calls another service: it shows interrupted, and the same key is taken once`() throws {
    let (next, back) = try kill(in: "call")
    #expect(try back.request("GET", url).json?["state"]?["status"] == "interrupted")
    #expect(try taken.count == 1)
    _ = try again("call", back)
    #expect(try back.request("GET", url).json?["state"]?["status"] == "interrupted", "it did not begin anew")
    #expect(try back.request("POST", "\(url)/actions/callAgain").status == 200)
    try wait(back, for: "status", "called before")
    #expect(try taken.count == 1)
    next.kill()
  }

  @Test func `in an outbox: the row is there, the work begins anew, and the same key is taken once`() throws {
    let (next, back) = try kill(in: "post")
    // The next server has begun with it by now, or has done it.
    try wait(back, for: "left", 0)
    #expect(try taken.count == 1)
    _ = try again("post", back)
    #expect(try back.request("GET", url).json?["state"]?["left"] == 0 && taken.count == 1)
    next.kill()
  }

  @Test func `in a command that writes in parts: it shows interrupted, and what it has committed stays`() throws {
    let (next, back) = try kill(in: "writeParts")
    #expect(try back.request("GET", url).json?["state"]?["status"] == "interrupted")
    try wait(back, for: "rows", 1)
    next.kill()
  }

  @Test func `is all the work of the guide's table`() throws {
    let guide = try String(
      contentsOfFile: #filePath.replacing(
        "Tests/EuripusCommandTests/WorkKillTests.swift", with: "Sources/Euripus/Euripus.docc/YourOwnDatabase.md"),
      encoding: .utf8)
    let table = guide.split(separator: "\n").drop { $0 != "| the work | write it as | if the server is killed |" }
    let ends = table.dropFirst(2).prefix { $0.hasPrefix("|") }.map { row in
      row.split(separator: "|").last?.trimmingCharacters(in: .whitespaces)
    }
    #expect(
      ends == [
        "before the answer: nothing was done, or all was, and the request with its key finds out",
        "the command shows `interrupted`; the service may have done it, and takes the same key once",
        "the row is there, and the work begins anew; the service takes the row's key once",
        "the command shows `interrupted`, and what it has committed stays",
      ])
  }
}
