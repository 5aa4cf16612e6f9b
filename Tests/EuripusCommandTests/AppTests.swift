// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import Testing

/// The program of an app from outside this project.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `An app of one's own` {
  private static func app(_ arguments: String..., environment: [String: String] = [:]) throws -> Program {
    try Program(arguments, environment: environment, of: "BoardApp")
  }

  private static func place() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("board-\(UUID().uuidString)").path
  }

  /// The text on one line.
  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `has help under its own name, with its own options and all settings`() throws {
    let root = try Self.app("--help")
    let overview = Self.words(root.rest())
    #expect(root.end().status == 0)
    #expect(overview.contains("OVERVIEW: A board of votes. USAGE: BoardApp <subcommand>"), "\(overview)")
    for command in ["serve (default)", "config", "types", "health", "store"] {
      #expect(overview.contains(" \(command) "))
    }
    let serve = try Self.app("serve", "--help")
    let help = Self.words(serve.rest())
    #expect(serve.end().status == 0)
    #expect(help.contains("USAGE: BoardApp serve"))
    #expect(help.contains("--title <title> The title of the board. (default: Board)"), "\(help)")
    #expect(help.contains("(default: 8181; EURIPUS_PORT)"), "\(help)")
    #expect(!help.contains("euripus "), "\(help)")
  }

  @Test func `serves at the port of the environment, and one that is taken is one line and status 1`() throws {
    let first = try Self.app(environment: ["EURIPUS_PORT": "0"])
    let port = try Program.port(first.line())
    let second = try Self.app(environment: ["EURIPUS_PORT": "\(port)"])
    let (status, errors) = second.end()
    #expect(status == 1)
    let sentence =
      "Cannot listen on 127.0.0.1:\(port): another process or listener already does. "
      + "Stop it, choose another port, or use port 0 for any free one."
    #expect(errors.hasPrefix("BoardApp: ") && errors.contains(sentence), "\(errors)")
    #expect(errors.filter { $0 == "\n" }.count == 1, "\(errors)")
    #expect(try Self.app("health", environment: ["EURIPUS_PORT": "\(port)"]).end().status == 0)
    first.process.terminate()
    #expect(first.end().status == 0)
  }

  @Test func `says its version, and that of Euripus where it has none`() throws {
    let program = try Self.app("--version")
    #expect(program.line() == "Board 3")
    #expect(program.end().status == 0)
    let demos = try Program("--version")
    #expect(demos.line() == "Euripus 0.1.0")
    #expect(demos.end().status == 0)
  }

  @Test func `refuses an option that there is not with a line, its usage and status 64`() throws {
    let (status, errors) = try Self.app("--tittle", "x").end()
    #expect(status == 64)
    let lines = errors.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("Error: Unknown option '--tittle'"), "\(errors)")
    #expect(lines.dropFirst().first?.hasPrefix("Usage: BoardApp serve") == true, "\(errors)")
  }

  @Test func `reads its own options where it makes its view models`() throws {
    let program = try Self.app("--port", "0", "--title", "Lunch", "--notes")
    let line = program.line()
    #expect(line.hasPrefix("Euripus is serving 2 view models on "))
    let client = try TestClient(port: Program.port(line))
    let url = try client.open("board")
    #expect(try client.request("GET", "\(url)/state/title").text == #""Lunch""#)
    #expect(try client.request("GET", "/title").text == "Lunch")
    _ = try client.open("notes")
    program.process.terminate()
    #expect(program.end().status == 0)
  }

  @Test func `changes the defaults, which options and the environment change back`() throws {
    for (arguments, environment, row) in [
      ([], [:], ["port", "8181", "app", "EURIPUS_PORT"]), ([], [:], ["public", "-", "app", "EURIPUS_PUBLIC"]),
      (["--port", "1"], [:], ["port", "1", "option", "EURIPUS_PORT"]),
      ([], ["EURIPUS_PORT": "2"], ["port", "2", "environment", "EURIPUS_PORT"]),
      (["--title", "x"], [:], ["idle", "1800", "seconds", "default", "EURIPUS_IDLE"]),
    ] as [([String], [String: String], [String])] {
      let program = try Program(["config"] + arguments, environment: environment, of: "BoardApp")
      let rows = program.rest().split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(program.end().status == 0)
      #expect(rows.contains(row), "\(row)")
    }
  }

  @Test(arguments: [
    (["--obstacle", "no database at db.example"], "BoardApp: no database at db.example\n"),
    (
      ["--title", "twice"],
      "BoardApp: two view models have the name 'notes'; expected each surface of 'models' to have a name of its own\n"
    ),
  ])
  func `ends with one line and status 1 where its view models cannot be had`(
    arguments: [String], message: String
  ) throws {
    for supervised in [[], ["--supervise"]] {
      let place = Self.place()
      defer { try? FileManager.default.removeItem(atPath: place) }
      let program = try Program(
        ["serve", "--port", "0", "--crash-reports", place] + supervised + arguments, of: "BoardApp")
      let (status, errors) = program.end()
      #expect(status == 1)
      #expect(errors == message)
    }
  }

  @Test func `keeps its state when its server is killed, and when all of it is`() throws {
    let place = Self.place()
    defer { try? FileManager.default.removeItem(atPath: place) }
    let arguments = [
      "serve", "--port", "0", "--supervise", "--crash-reports", place + "/crashes", "--store",
      place + "/sessions.db",
    ]
    let program = try Program(arguments, of: "BoardApp")
    let port = try Program.port(program.line())
    var client = try TestClient(port: port)
    let url = try client.open("board")
    for votes in 1...3 {
      #expect(try client.request("POST", "\(url)/actions/vote").status == 200)
      #expect(try client.request("GET", "\(url)/state/votes").text == "\(votes)")
      let supervisor = program.process.processIdentifier
      let children = try String(contentsOfFile: "/proc/\(supervisor)/task/\(supervisor)/children", encoding: .utf8)
      kill(try #require(children.split(separator: " ").first.flatMap { Int32($0) }), SIGKILL)
      #expect(client.isClosedByServer())
      client = try Self.client(port, as: client)
      #expect(try client.request("GET", "\(url)/state/votes").text == "\(votes)")
    }
    kill(program.process.processIdentifier, SIGKILL)
    #expect(client.isClosedByServer())
    _ = program.end()
    let next = try Program(arguments, of: "BoardApp")
    client = try Self.client(Program.port(next.line()), as: client)
    let answer = try client.request("GET", "\(url)/state/votes")
    #expect(answer.text == "3", "\(answer)")
    next.process.terminate()
    #expect(next.end().status == 0)
  }

  @Test func `that is an EuripusServer alone says in a line why it cannot start, and exits`() throws {
    let place = Self.place()
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let first = try Program(["0", place + "/first.db"], of: "LedgerServer")
    let port = first.line()
    let second = try Program([port, place + "/second.db"], of: "LedgerServer").end()
    #expect(second.status == 1)
    #expect(second.errors.hasPrefix("LedgerServer: ") && second.errors.contains("127.0.0.1:\(port)"))
    #expect(second.errors.filter { $0 == "\n" }.count == 1, "\(second.errors)")
    try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: place + "/third.db"))
    let third = try Program(["0", place + "/third.db"], of: "LedgerServer").end()
    #expect(third.status == 65)
    #expect(third.errors.hasPrefix("LedgerServer: ") && third.errors.contains("third.db"))
    #expect(third.errors.filter { $0 == "\n" }.count == 1, "\(third.errors)")
    first.process.terminate()
    #expect(first.end().status == 0)
  }

  private static func client(_ port: UInt16, as other: TestClient) throws -> TestClient {
    let client = try TestClient(port: port)
    client.goOn(with: other.cookie)
    return client
  }
}
