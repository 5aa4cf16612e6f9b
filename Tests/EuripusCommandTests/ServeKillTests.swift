// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// The recordings of `euripus serve` on disk, when the process is killed.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `The recordings of a server that is killed` {
  private static let page = "navigation/pages/items/root"
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// The library on disk; empty while there is none.
  private var library: String {
    (try? folder.bytes("recordings/store.json")).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func serve() throws -> Program {
    try Program.serve(["--store", folder["sessions.db"], "--recordings", folder["recordings"]])
  }

  @Test func `are all there, if an answer said that they were saved`() throws {
    var last: (url: String, client: TestClient)?
    for life in 1...3 {
      let program = try serve()
      let client = try program.client(as: last?.client)
      let url = try last?.url ?? client.open("recordings")
      last = (url, client)
      // Ten folders, so that saving them takes a while.
      let names = (1...10).map { "folder \(life) \($0)" }
      let changes = names.map { name in
        """
        {"set":"/\(Self.page)/newName","value":"\(name)"},{"do":"/\(Self.page)/createFolder"}
        """
      }
      let answer = try client.request(
        "POST", "\(url)/actions", "[\(changes.joined(separator: ","))]", fields: [("Idempotency-Key", "life/\(life)")])
      program.kill()
      #expect(answer.status == 200, "\(answer.text)")
      let library = library
      for name in names { #expect(library.contains("\"\(name)\""), "\(name) was acknowledged") }
    }
  }

  @Test func `are not acknowledged before, and a retry says that it is not known`() throws {
    // The save opens this pipe, and is stuck there: nobody reads it.
    let stuck = folder["recordings/.store.json.new"]
    try FileManager.default.createDirectory(atPath: folder["recordings"], withIntermediateDirectories: true)
    #expect(mkfifo(stuck, 0o600) == 0)
    let program = try serve()
    let client = try program.client()
    let url = try client.open("recordings")
    let typed = try client.request("PUT", "\(url)/state/\(Self.page)/newName", #""Talks""#)
    let version = try String(json: typed.json?["to"] ?? .null)
    let other = try TestClient(port: client.port)
    other.cookie = client.cookie
    let create = "\(url)/actions/\(Self.page)/createFolder"
    try client.send("POST", create, fields: [("Idempotency-Key", "talks/1")])
    // The action is done: another reader sees it.
    let seen = try other.request("GET", "\(url)/changes?since=\(version)", fields: [("Prefer", "wait=50")])
    #expect(seen.status == 200, "\(seen.text)")
    program.kill()
    #expect(client.isClosedByServer(), "no answer came")
    #expect(library == "")

    unlink(stuck)
    let next = try serve()
    let back = try next.client(as: client)
    let again = try back.request("POST", create, fields: [("Idempotency-Key", "talks/1")])
    #expect(again.status == 200 && again.json?["replayed"] == true, "\(again.text)")
    let state = try back.request("GET", url).json?["state"]
    #expect(state?["problem"] == "the server stopped while this was executing; it was not started again")
    let new = try back.request("PUT", "\(url)/state/\(Self.page)/newName", #""Talks""#)
    #expect(new.status == 200)
    let saved = try back.request("POST", create, fields: [("Idempotency-Key", "talks/2")])
    #expect(saved.status == 200 && library.contains("Talks"), "\(saved.text)")
    next.kill()
  }
}

/// A timer of a server that is killed, and started again on the same store.
@Suite(.timeLimit(.minutes(30))) struct `A timer of a server that is killed` {
  @Test func `acts once when the server is back`() throws {
    let folder = try Folder()
    func serve() throws -> Program {
      try Program.serve(["--reminders", "--store", folder["sessions.db"]], of: "BoardApp")
    }
    let first = try serve()
    let client = try first.client()
    let url = try client.open("reminder")
    // The timer is due while there is no server, or soon after there is one again.
    #expect(try client.request("POST", "\(url)/actions/remind", "500").status == 200)
    first.kill()
    for life in 1...3 {
      let program = try serve()
      let again = try program.client(as: client)
      var seen = try again.request("GET", url)
      while life == 1, seen.json?["state"]?["rings"] == 0, case .string(let version)? = seen.json?["version"] {
        _ = try again.request("GET", "\(url)/changes?since=\(version)", fields: [("Prefer", "wait=30")])
        seen = try again.request("GET", url)
      }
      #expect(seen.json?["state"]?["rings"] == 1, "life \(life): \(seen.text)")
      program.kill()
    }
  }
}

/// A command of a server that ends.
@Suite(.timeLimit(.minutes(30))) struct `A command that is at work as its server ends` {
  enum Ending: CaseIterable { case killed, told, replaced }

  @Test(arguments: Ending.allCases)
  func `is interrupted, and its view model corrects what it left behind`(ending: Ending) throws {
    let folder = try Folder()
    func serve(_ options: [String] = []) throws -> Program {
      try Program.serve(options + ["--chores", "--store", folder["sessions.db"]], of: "BoardApp")
    }
    let program = try serve(ending == .replaced ? ["--supervise", "--crash-reports", folder.path] : [])
    let client = try program.client()
    let url = try client.open("chore")
    #expect(try client.request("POST", "\(url)/actions/begin").status == 200)
    #expect(try client.request("GET", url).json?["state"]?["status"] == "working")
    let next: Program
    let again: TestClient
    switch ending {
    case .killed, .told:
      if ending == .killed { program.kill() } else { program.stop() }
      next = try serve()
      again = try next.client(as: client)
    case .replaced:
      next = program
      kill(program.pid, SIGHUP)
      while let line = program.errorLine(), !line.contains("has taken the server's place") {}
      again = try TestClient(port: client.port)
      again.cookie = client.cookie
    }
    let state = try again.request("GET", url).json?["state"]
    #expect(state?["status"] == "interrupted", "\(state ?? .null)")
    next.stop()
  }
}
