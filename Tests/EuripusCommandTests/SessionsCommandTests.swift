// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// `euripus sessions`, at a server that listens for operators at a Unix socket.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `euripus sessions` {
  private let folder: Folder
  private var environment: [String: String] { ["XDG_STATE_HOME": folder.path] }
  private var socket: String { folder["euripus/admin.sock"] }

  init() throws { folder = try Folder() }

  private func serve(_ options: String...) throws -> Program {
    try Program.serve(options, environment: environment)
  }

  private func sessions(_ arguments: String..., environment more: [String: String] = [:]) throws -> Program.Ended {
    try Program.run(["sessions"] + arguments, environment: environment.merging(more) { $1 })
  }

  private static func id(_ url: String) -> String { String(url.split(separator: "/").last ?? "") }

  @Test func `lists, shows and ends, with a socket that nobody has to name`() throws {
    let server = try serve("--admin")
    let client = try server.client()
    let (one, other) = (try client.open("login"), try client.open("profile"))
    #expect(try client.request("PUT", "\(one)/state/username", #""maruko""#).status == 200)
    let attributes = try FileManager.default.attributesOfItem(atPath: socket)
    #expect(attributes[.posixPermissions] as? Int == 0o600)

    let list = try sessions("list")
    let table = list.output.split(separator: "\n")
    #expect(list.rows.first == ["id", "model", "user", "unused", "size", "readers", "where", "params"])
    #expect(table.count == 3 && table.dropFirst().allSatisfy { $0.count <= 100 })
    let row = try #require(table.first { $0.hasPrefix(Self.id(one)) })
    #expect(row.wholeMatch(of: #/\S{22}  login +- +\d+ s +\d+ KiB +0 +memory/#) != nil, "\(row)")

    func json(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)) }
    guard case .array(let found) = try json(sessions("list", "--model", "login", "--json").output) else {
      throw CocoaError(.coderReadCorrupt)
    }
    #expect(found.map { $0["id"] } == [.string(Self.id(one))])
    let name = try String(json: found.first?["client"] ?? .null)
    #expect(try sessions("list", "--client", name).rows.count == 3)
    #expect(try sessions("list", "--client", "nobody").rows.count == 1)

    let shown = try sessions("show", "--", Self.id(one))
    #expect(shown.status == 0 && shown.output.contains("model    login"))
    #expect(shown.output.contains(#""username": "maruko""#))
    let snapshot = try json(sessions("show", "--json", "--", Self.id(one)).output)["snapshot"]
    #expect(snapshot == (try client.request("GET", one).json))

    let ended = try sessions("end", "--", Self.id(one))
    #expect(ended == Program.Ended(status: 0, output: "1 session ended\n", errors: ""))
    #expect(try client.request("GET", one).json?["reason"] == "ended")
    #expect(try client.request("GET", other).status == 200)
    let again = try sessions("end", "--", Self.id(one))
    #expect(again.status == 1 && again.errors == "euripus: no session of this server has this id\n")
    #expect(try sessions("end", "--model", "profile").output == "1 session ended\n")
    #expect(try sessions("end", "--user", "nobody").output == "0 sessions ended\n")
    let last = try Self.id(client.open("login"))
    #expect(try sessions("end", "--json", "--", last).output == "{\"ended\":1}\n")
    #expect(try sessions("end", "--json", "--model", "login").output == "{\"ended\":0}\n")
    #expect(try sessions("end").status == 64)

    #expect(try sessions("pardon").output == "the server refuses nothing any more because of a death\n")
    #expect(try sessions("pardon", "--json").output == "{\"pardoned\":true}\n")
    #expect(try sessions("drain").output == "the server opens no more sessions\n")
    #expect(try sessions("drain", "--json").output == "{\"draining\":true}\n")
    #expect(try client.request("GET", "/readyz").status == 503)
    server.stop()
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  @Test func `says in a line that nobody listens, and where it has looked`() throws {
    let server = try serve()
    _ = server.line()
    for command in ["list", "drain", "pardon"] {
      let ended = try sessions(command)
      #expect(ended.status == 1 && ended.output.isEmpty && ended.isOneLine)
      #expect(ended.errors.hasPrefix("euripus: nobody listens for operators at \(socket): No such file"), "\(ended)")
    }
    let elsewhere = try sessions("list", environment: ["EURIPUS_ADMIN": "127.0.0.1:1"])
    #expect(elsewhere.status == 1 && elsewhere.errors.contains("at 127.0.0.1:1: Connection refused"))
    let wrong = try sessions("list", "--admin", "0.0.0.0:1")
    #expect(wrong.status == 64 && wrong.errors.contains("--admin must be the path of a Unix socket"))
  }

  @Test func `finds sessions that are in the store alone, and ends them`() throws {
    let store = folder["sessions.db"]
    let first = try serve("--store", store)
    let client = try first.client()
    let url = try client.open("login")
    #expect(try client.request("GET", url).status == 200)
    first.stop()
    let second = try serve("--store", store, "--admin")
    let again = try second.client(as: client)
    let row = try sessions("list").output.split(separator: "\n").last
    #expect(row?.hasPrefix(Self.id(url)) == true && row?.hasSuffix("store") == true, "\(row ?? "")")
    #expect(try sessions("end", "--model", "login").output == "1 session ended\n")
    #expect(try again.request("GET", url).json?["reason"] == "ended")
    #expect(try sessions("list").rows.count == 1)
  }

  @Test func `is refused to a second server, and has the socket of one that was killed replaced`() throws {
    let first = try serve("--admin")
    _ = first.line()
    let refused = try serve("--admin").end()
    let words = "euripus: Cannot listen on the socket '\(socket)': another server listens there."
    #expect(refused.status == 1 && refused.isOneLine && refused.errors.hasPrefix(words), "\(refused)")
    #expect(try sessions("list").status == 0)
    first.kill()
    #expect(FileManager.default.fileExists(atPath: socket))
    let second = try serve("--admin")
    _ = second.line()
    #expect(try sessions("list").status == 0)
  }

  @Test func `goes on at the server that takes the place of one that died`() throws {
    let supervisor = try serve("--supervise", "--admin", "--crash-reports", "\(folder.path)/crashes")
    let port = try supervisor.port()
    #expect(try sessions("list").status == 0)
    kill(try supervisor.server(), SIGKILL)
    // The request waits at the supervisor's socket until the next server serves.
    #expect(try TestClient(port: port).request("GET", "/healthz").status == 200)
    #expect(try sessions("list").status == 0)
  }

  @Test func `is refused at an address that others reach`() throws {
    for text in ["0.0.0.0:8081", "192.0.2.1:8081", "localhost"] {
      let ended = try serve("--admin", text).end()
      #expect(ended.status == 64 && ended.errors.contains("--admin must be the path of a Unix socket"), "\(ended)")
    }
    let server = try serve("--admin", "127.0.0.1:0", "--log-format", "text")
    let line = try #require(server.errorLine())
    let port = try #require(line.firstMatch(of: #/operators are served at=127\.0\.0\.1:(\d+)/#)?.1, "\(line)")
    #expect(try sessions("list", "--admin", "127.0.0.1:\(port)").status == 0)
    #expect(try sessions("list", environment: ["EURIPUS_ADMIN": "localhost:\(port)"]).status == 0)
  }
}
