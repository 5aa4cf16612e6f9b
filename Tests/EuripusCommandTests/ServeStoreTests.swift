// SPDX-License-Identifier: MIT
import CFaultyFiles
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// `euripus serve --store` as a process: its words on a store that it cannot have, and the effect of a limit on files.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `euripus serve --store` {
  /// A directory of a test's own, with the path of a store in it.
  private final class Place {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("stored-\(UUID().uuidString)").path
    var path: String { directory + "/state/sessions.db" }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }

    func serve(_ options: String...) throws -> Program {
      let reports = directory + "/crashes"
      return try Program(["serve", "--port", "0", "--store", path, "--crash-reports", reports] + options)
    }

    /// Has a server keep a session, and ends the server. Gives the session's URL and its client's cookie.
    @discardableResult func fill() throws -> (url: String, cookie: String?) {
      let program = try serve()
      let client = try TestClient(port: Program.port(program.line()))
      let url = try client.open("login")
      #expect(try client.request("PUT", "\(url)/state/username", #""maruko""#).status == 200)
      program.process.terminate()
      #expect(program.end().status == 0)
      return (url, client.cookie)
    }
  }

  /// Damages: a name, the words in the message, and the deed.
  static let damages: [(String, String, @Sendable (inout Data) -> Void)] = [
    (
      "its beginning", "its beginning is damaged",
      { $0.replaceSubrange(0..<32, with: Data(repeating: 0x5A, count: 32)) }
    ),
    (
      "its tables", "is damaged: SQLite says",
      { $0.replaceSubrange(100..<200, with: Data(repeating: 0x5A, count: 100)) }
    ),
  ]

  @Test(arguments: [(0, false), (1, true)])
  func `says what to do with a damaged file, leaves it as it is, and ends with status 65, supervised or not`(
    index: Int, isSupervised: Bool
  ) throws {
    let (what, words, damage) = Self.damages[index]
    let place = Place()
    try place.fill()
    var bytes = try place.bytes
    damage(&bytes)
    try bytes.write(to: URL(fileURLWithPath: place.path))
    let program = try isSupervised ? place.serve("--supervise") : place.serve()
    let (status, errors) = program.end()
    #expect(status == 65, "\(what): \(errors)")
    #expect(program.rest().isEmpty)
    #expect(
      errors.hasPrefix("euripus: ") && errors.contains(place.path) && errors.contains(words), "\(what): \(errors)")
    #expect(errors.contains("It was left as it is.") && errors.lowercased().contains("move"), "\(what): \(errors)")
    #expect(errors.filter { $0 == "\n" }.count == 1, "\(what): \(errors)")
    #expect(try place.bytes == bytes, "\(what)")
    let reports = try? FileManager.default.contentsOfDirectory(atPath: place.directory + "/crashes")
    #expect((reports ?? []).isEmpty, "a server that refuses to start has not crashed")
  }

  @Test func `is not started again and again on a file that was damaged while it served`() throws {
    let place = Place()
    let program = try place.serve("--supervise")
    let client = try TestClient(port: Program.port(program.line()))
    _ = try client.open("login")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: place.path))
    try file.write(contentsOf: Data(repeating: 0x5A, count: 100))
    try file.close()
    let children = try String(
      contentsOfFile: "/proc/\(program.process.processIdentifier)/task/\(program.process.processIdentifier)/children",
      encoding: .utf8)
    kill(try #require(Int32(children.split(separator: " ").first ?? "")), SIGKILL)
    let (status, errors) = program.end()
    #expect(status == 65)
    #expect(errors.contains("its beginning is damaged"), "\(errors)")
    #expect(errors.matches(of: #/euripus: /#).count == 1, "\(errors)")
  }

  @Test(arguments: [[], ["--supervise"]])
  func `says which process has the store, and serves once that is gone, however it went`(options: [String]) throws {
    let place = Place()
    let first = try place.serve()
    let client = try TestClient(port: Program.port(first.line()))
    let url = try client.open("login")
    let before = try place.bytes
    let second = try Program(["serve", "--port", "0", "--store", place.path] + options)
    let (status, errors) = second.end()
    #expect(status == 1)
    #expect(
      errors == "euripus: the session store \(place.path) is held by process \(first.process.processIdentifier). "
        + "Stop that server, or give this one another store\n")
    #expect(try place.bytes == before)
    #expect(try client.request("GET", url).status == 200)
    kill(first.process.processIdentifier, SIGKILL)
    _ = first.end()
    let third = try place.serve()
    let again = try TestClient(port: Program.port(third.line()))
    again.goOn(with: client.cookie)
    #expect(try again.request("GET", url).status == 200)
    third.process.terminate()
    #expect(third.end().status == 0)
  }

  @Test func `lives on where its files may not grow, says so, and goes on when they may`() throws {
    let place = Place()
    let (url, cookie) = try place.fill()
    let program = try place.serve()
    let client = try TestClient(port: Program.port(program.line()))
    client.goOn(with: cookie)
    #expect(try client.request("PUT", "\(url)/state/username", #""first""#).status == 200)
    #expect(faulty_files_limit(program.process.processIdentifier, 4_096) == 0)
    for _ in 0..<3 {
      let refused = try client.request("PUT", "\(url)/state/username", #""second""#)
      #expect(refused.status == 507 && refused.json?["type"] == "/problems/store-full", "\(refused.text)")
      #expect(try client.request("GET", url).json?["state"]?["username"] == "first")
    }
    #expect(faulty_files_limit(program.process.processIdentifier, -1) == 0)
    #expect(try client.request("PUT", "\(url)/state/username", #""third""#).status == 200)
    program.process.terminate()
    let (status, errors) = program.end()
    #expect(status == 0)
    #expect(errors.matches(of: #/ error the session store fails .*there is no room/#).count == 1, "\(errors)")
    #expect(errors.contains(" notice the session store works again"))
  }
}
