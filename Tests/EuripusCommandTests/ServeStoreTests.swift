// SPDX-License-Identifier: MIT
import CFaultyFiles
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// `euripus serve --store` as a process: its words on a store that it cannot have, and the effect of a limit on files.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `euripus serve --store` {
  private static let store = "state/sessions.db"
  private let folder: Folder

  init() throws { folder = try Folder() }

  private var bytes: Data { get throws { try folder.bytes(Self.store) } }

  private func serve(_ options: [String] = []) throws -> Program {
    try Program.serve(["--store", folder[Self.store], "--crash-reports", folder["crashes"]] + options)
  }

  /// Has a server keep a session, and ends the server. Gives the session's URL and its client.
  @discardableResult private func fill() throws -> (url: String, client: TestClient) {
    let program = try serve()
    let client = try program.client()
    let url = try client.open("login")
    #expect(try client.request("PUT", "\(url)/state/username", #""maruko""#).status == 200)
    program.stop()
    return (url, client)
  }

  @Test(arguments: [(0..<32, "its beginning is damaged", []), (100..<200, "is damaged: SQLite says", ["--supervise"])])
  func `leaves a damaged file as it is, names the remedy, and ends with status 65, supervised or not`(
    place: Range<Int>, words: String, options: [String]
  ) throws {
    try fill()
    var damaged = try bytes
    damaged.replaceSubrange(place, with: Data(repeating: 0x5A, count: place.count))
    try folder.write(damaged, to: Self.store)
    let program = try serve(options)
    let ended = program.end()
    #expect(ended.status == 65 && ended.isOneLine, "\(ended)")
    #expect(program.rest().isEmpty)
    for part in ["euripus: ", folder[Self.store], words, "It was left as it is.", "move"] {
      #expect(ended.errors.lowercased().contains(part.lowercased()), "\(ended)")
    }
    #expect(try bytes == damaged)
    let reports = try? FileManager.default.contentsOfDirectory(atPath: folder["crashes"])
    #expect((reports ?? []).isEmpty, "a server that refuses to start has not crashed")
  }

  @Test(arguments: [[], ["--supervise"]])
  func `names the process that has the store, and serves once that is gone, however it went`(options: [String]) throws {
    let first = try serve()
    let client = try first.client()
    let url = try client.open("login")
    let before = try bytes
    let second = try Program.serve(["--store", folder[Self.store]] + options).end()
    let sentence = "euripus: the session store \(folder[Self.store]) is held by process \(first.pid). "
    #expect(second.status == 1)
    #expect(second.errors == sentence + "Stop that server, or give this one another store\n")
    #expect(try bytes == before)
    #expect(try client.request("GET", url).status == 200)
    first.kill()
    let third = try serve()
    #expect(try third.client(as: client).request("GET", url).status == 200)
    third.stop()
  }

  @Test func `lives on where its files may not grow, says so, and goes on when they may`() throws {
    let (url, earlier) = try fill()
    let program = try serve()
    let client = try program.client(as: earlier)
    func name(_ text: String) throws -> TestClient.Response {
      try client.request("PUT", "\(url)/state/username", "\"\(text)\"")
    }
    #expect(try name("first").status == 200)
    #expect(faulty_files_limit(program.pid, 4_096) == 0)
    for _ in 0..<3 {
      let refused = try name("second")
      #expect(refused.status == 507 && refused.json?["type"] == "/problems/store-full", "\(refused.text)")
      #expect(try client.request("GET", url).json?["state"]?["username"] == "first")
    }
    #expect(faulty_files_limit(program.pid, -1) == 0)
    #expect(try name("third").status == 200)
    let errors = program.stop()
    #expect(errors.matches(of: #/ error the session store fails .*there is no room/#).count == 1, "\(errors)")
    #expect(errors.contains(" notice the session store works again"))
  }
}
