// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// The recordings of `euripus serve` on disk, when the process is killed.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `The recordings of a server that is killed` {
  private static let page = "navigation/pages/items/root"

  private final class Place {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("killed-\(UUID().uuidString)").path
    var recordings: String { directory + "/recordings" }
    /// The library on disk; empty while there is none.
    var library: String { (try? String(contentsOfFile: recordings + "/store.json", encoding: .utf8)) ?? "" }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func serve() throws -> (program: Program, client: TestClient) {
      let program = try Program(
        "serve", "--port", "0", "--store", directory + "/sessions.db", "--recordings", recordings)
      return (program, try TestClient(port: Program.port(program.line())))
    }

    func end(_ program: Program) {
      kill(program.process.processIdentifier, SIGKILL)
      _ = program.end()
    }
  }

  @Test func `are all there that an answer said were saved`() throws {
    let place = Place()
    var session: (url: String, cookie: String?)?
    for life in 1...3 {
      let (program, client) = try place.serve()
      if let session { client.goOn(with: session.cookie) }
      let url = try session?.url ?? client.open("recordings")
      session = (url, client.cookie)
      // Ten folders, so that saving them takes a while.
      let names = (1...10).map { "folder \(life) \($0)" }
      let changes = names.map { name in
        """
        {"set":"/\(Self.page)/newName","value":"\(name)"},{"do":"/\(Self.page)/createFolder"}
        """
      }
      let answer = try client.request(
        "POST", "\(url)/actions", "[\(changes.joined(separator: ","))]", fields: [("Idempotency-Key", "life/\(life)")])
      place.end(program)
      #expect(answer.status == 200, "\(answer.text)")
      let library = place.library
      for name in names { #expect(library.contains("\"\(name)\""), "\(name) was acknowledged") }
    }
  }

  @Test func `are not acknowledged before, and a retry says that it is not known`() throws {
    let place = Place()
    // The save opens this pipe, and is stuck there: nobody reads it.
    let stuck = place.recordings + "/.store.json.new"
    try FileManager.default.createDirectory(atPath: place.recordings, withIntermediateDirectories: true)
    #expect(mkfifo(stuck, 0o600) == 0)
    let (program, client) = try place.serve()
    let url = try client.open("recordings")
    let typed = try client.request("PUT", "\(url)/state/\(Self.page)/newName", #""Talks""#)
    guard case .string(let version)? = typed.json?["to"] else {
      Issue.record("\(typed.text)")
      return
    }
    let other = try TestClient(port: client.port)
    other.cookie = client.cookie
    let create = "\(url)/actions/\(Self.page)/createFolder"
    try client.send("POST", create, fields: [("Idempotency-Key", "talks/1")])
    // The action is done: another reader sees it.
    let seen = try other.request("GET", "\(url)/changes?since=\(version)", fields: [("Prefer", "wait=50")])
    #expect(seen.status == 200, "\(seen.text)")
    place.end(program)
    #expect(client.isClosedByServer(), "no answer came")
    #expect(place.library == "")

    unlink(stuck)
    let (next, back) = try place.serve()
    back.goOn(with: client.cookie)
    let again = try back.request("POST", create, fields: [("Idempotency-Key", "talks/1")])
    #expect(again.status == 200 && again.json?["replayed"] == true, "\(again.text)")
    let state = try back.request("GET", url).json?["state"]
    #expect(state?["problem"] == "the server stopped while this was executing; it was not started again")
    let new = try back.request("PUT", "\(url)/state/\(Self.page)/newName", #""Talks""#)
    #expect(new.status == 200)
    let saved = try back.request("POST", create, fields: [("Idempotency-Key", "talks/2")])
    #expect(saved.status == 200 && place.library.contains("Talks"), "\(saved.text)")
    place.end(next)
  }
}
