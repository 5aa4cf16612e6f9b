// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// `euripus sessions`, at a server that listens for operators at a Unix socket.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `euripus sessions` {
  /// A directory of a test's own, short enough for the path of a socket.
  private final class Place {
    let directory = "/tmp/operated-\(UUID().uuidString.prefix(8))"
    var environment: [String: String] { ["XDG_STATE_HOME": directory] }
    var socket: String { "\(directory)/euripus/admin.sock" }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func serve(_ options: String...) throws -> Program {
      try Program(["serve", "--port", "0"] + options, environment: environment)
    }

    /// Runs the command to its end.
    func sessions(
      _ arguments: String..., environment more: [String: String] = [:]
    ) throws -> (status: Int32, output: String, errors: String) {
      let program = try Program(["sessions"] + arguments, environment: environment.merging(more) { $1 })
      let output = program.rest()
      let (status, errors) = program.end()
      return (status, output, errors)
    }
  }

  private static func id(_ url: String) -> String { String(url.split(separator: "/").last ?? "") }

  @Test func `lists, shows and ends, with a socket that nobody has to name`() throws {
    let place = Place()
    let server = try place.serve("--admin")
    let client = try TestClient(port: Program.port(server.line()))
    let (one, other) = (try client.open("login"), try client.open("profile"))
    #expect(try client.request("PUT", "\(one)/state/username", #""maruko""#).status == 200)
    let attributes = try FileManager.default.attributesOfItem(atPath: place.socket)
    #expect(attributes[.posixPermissions] as? Int == 0o600)

    let table = try place.sessions("list").output.split(separator: "\n")
    #expect(table.first?.split(separator: " ") == ["id", "model", "user", "unused", "size", "readers", "where"])
    #expect(table.count == 3 && table.allSatisfy { $0.count <= 100 })
    let row = try #require(table.first { $0.hasPrefix(Self.id(one)) })
    #expect(row.wholeMatch(of: #/\S{22}  login +- +\d+ s +\d+ KiB +0 +memory/#) != nil, "\(row)")

    let list = try JSONReader.read(Array(try place.sessions("list", "--model", "login", "--json").output.utf8))
    guard case .array(let sessions) = list else {
      Issue.record("expected an array, got \(list)")
      return
    }
    #expect(sessions.map { $0["id"] } == [.string(Self.id(one))])
    guard case .string(let name)? = sessions.first?["client"] else {
      Issue.record("expected a client, got \(list)")
      return
    }
    #expect(try place.sessions("list", "--client", name).output.split(separator: "\n").count == 3)
    #expect(try place.sessions("list", "--client", "nobody").output.split(separator: "\n").count == 1)

    let shown = try place.sessions("show", "--", Self.id(one))
    #expect(shown.status == 0 && shown.output.contains("model    login"))
    #expect(shown.output.contains(#""username": "maruko""#))
    let json = try JSONReader.read(Array(try place.sessions("show", "--json", "--", Self.id(one)).output.utf8))
    #expect(json["snapshot"] == (try client.request("GET", one).json))

    let ended = try place.sessions("end", "--", Self.id(one))
    #expect((ended.status, ended.output) == (0, "1 session ended\n"))
    #expect(try client.request("GET", one).json?["reason"] == "ended")
    #expect(try client.request("GET", other).status == 200)
    let again = try place.sessions("end", "--", Self.id(one))
    #expect(again.status == 1 && again.errors == "euripus: no session of this server has this id\n")
    #expect(try place.sessions("end", "--model", "profile").output == "1 session ended\n")
    #expect(try place.sessions("end", "--user", "nobody").output == "0 sessions ended\n")
    let last = try Self.id(client.open("login"))
    #expect(try place.sessions("end", "--json", "--", last).output == "{\"ended\":1}\n")
    #expect(try place.sessions("end", "--json", "--model", "login").output == "{\"ended\":0}\n")
    #expect(try place.sessions("end").status == 64)

    #expect(try place.sessions("drain").output == "the server opens no more sessions\n")
    #expect(try place.sessions("drain", "--json").output == "{\"draining\":true}\n")
    #expect(try client.request("GET", "/readyz").status == 503)
    server.process.terminate()
    #expect(server.end().status == 0)
    #expect(!FileManager.default.fileExists(atPath: place.socket))
  }

  @Test func `says in a line that nobody listens, and where it has looked`() throws {
    let place = Place()
    let server = try place.serve()
    _ = server.line()
    for command in ["list", "drain"] {
      let (status, output, errors) = try place.sessions(command)
      #expect(status == 1 && output.isEmpty)
      #expect(errors.hasPrefix("euripus: nobody listens for operators at \(place.socket): No such file"), "\(errors)")
      #expect(errors.filter { $0 == "\n" }.count == 1)
    }
    let elsewhere = try place.sessions("list", environment: ["EURIPUS_ADMIN": "127.0.0.1:1"])
    #expect(elsewhere.status == 1 && elsewhere.errors.contains("at 127.0.0.1:1: Connection refused"))
    let wrong = try place.sessions("list", "--admin", "0.0.0.0:1")
    #expect(wrong.status == 64 && wrong.errors.contains("--admin must be the path of a Unix socket"))
  }

  @Test func `finds sessions that are in the store alone, and ends them`() throws {
    let place = Place()
    let store = "\(place.directory)/sessions.db"
    let first = try place.serve("--store", store)
    let client = try TestClient(port: Program.port(first.line()))
    let url = try client.open("login")
    #expect(try client.request("GET", url).status == 200)
    first.process.terminate()
    #expect(first.end().status == 0)
    let second = try place.serve("--store", store, "--admin")
    let port = try Program.port(second.line())
    let row = try place.sessions("list").output.split(separator: "\n").last
    #expect(row?.hasPrefix(Self.id(url)) == true && row?.hasSuffix("store") == true, "\(row ?? "")")
    #expect(try place.sessions("end", "--model", "login").output == "1 session ended\n")
    let again = try TestClient(port: port)
    again.goOn(with: client.cookie)
    #expect(try again.request("GET", url).json?["reason"] == "ended")
    #expect(try place.sessions("list").output.split(separator: "\n").count == 1)
  }

  @Test func `is refused to a second server, and has the socket of one that was killed replaced`() throws {
    let place = Place()
    let first = try place.serve("--admin")
    _ = first.line()
    let (status, errors) = try place.serve("--admin").end()
    #expect(status == 1)
    #expect(
      errors.hasPrefix("euripus: Cannot listen on the socket '\(place.socket)': another server listens there."),
      "\(errors)")
    #expect(errors.filter { $0 == "\n" }.count == 1)
    #expect(try place.sessions("list").status == 0)
    kill(first.process.processIdentifier, SIGKILL)
    _ = first.end()
    #expect(FileManager.default.fileExists(atPath: place.socket))
    let second = try place.serve("--admin")
    _ = second.line()
    #expect(try place.sessions("list").status == 0)
  }

  @Test func `goes on at the server that takes the place of one that died`() throws {
    let place = Place()
    let supervisor = try place.serve("--supervise", "--admin", "--crash-reports", "\(place.directory)/crashes")
    let client = try TestClient(port: Program.port(supervisor.line()))
    #expect(try place.sessions("list").status == 0)
    let process = supervisor.process.processIdentifier
    let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    let server = try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
    kill(server, SIGKILL)
    // The request waits at the supervisor's socket until the next server serves.
    #expect(try TestClient(port: client.port).request("GET", "/healthz").status == 200)
    #expect(try place.sessions("list").status == 0)
  }

  @Test func `is refused at an address that others reach`() throws {
    for text in ["0.0.0.0:8081", "192.0.2.1:8081", "localhost"] {
      let (status, errors) = try Place().serve("--admin", text).end()
      #expect(status == 64 && errors.contains("--admin must be the path of a Unix socket"), "\(errors)")
    }
    let place = Place()
    let server = try place.serve("--admin", "127.0.0.1:0", "--log-format", "text")
    let line = try #require(server.errorLine())
    let port = try #require(line.firstMatch(of: #/operators are served at=127\.0\.0\.1:(\d+)/#)?.1, "\(line)")
    #expect(try place.sessions("list", "--admin", "127.0.0.1:\(port)").status == 0)
    #expect(try place.sessions("list", environment: ["EURIPUS_ADMIN": "localhost:\(port)"]).status == 0)
  }
}
