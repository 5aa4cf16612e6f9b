// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import Testing

/// The program of an app from outside this project.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `An app of one's own` {
  @Test func `has help under its own name, with its own options and all settings`() throws {
    let root = try Program.run(["--help"], of: "BoardApp")
    #expect(root.words.contains("OVERVIEW: A board of votes. USAGE: BoardApp <subcommand>"), "\(root)")
    for command in ["serve (default)", "config", "types", "health", "store"] {
      #expect(root.words.contains(" \(command) "))
    }
    let withVariable = try Program.run(["--help"], environment: ["BOARDAPP_TITLE": "Lunch"], of: "BoardApp")
    #expect(withVariable == root)
    let serve = try Program.run(["serve", "--help"], of: "BoardApp")
    #expect([root.status, serve.status] == [0, 0])
    for text in [
      "USAGE: BoardApp serve", "--title <title> The title of the board. (default: Board)",
      "(default: 8181; EURIPUS_PORT)",
    ] { #expect(serve.words.contains(text), "\(serve)") }
    #expect(!serve.words.contains("euripus "), "\(serve)")
  }

  @Test func `serves at the port of the environment, and one that is taken is one line and status 1`() throws {
    let first = try Program([], environment: ["EURIPUS_PORT": "0"], of: "BoardApp")
    let port = ["EURIPUS_PORT": "\(try first.port())"]
    let second = try Program.run([], environment: port, of: "BoardApp")
    let sentence =
      "Cannot listen on 127.0.0.1:\(port["EURIPUS_PORT"] ?? ""): another process or listener already does. "
      + "Stop it, choose another port, or use port 0 for any free one."
    #expect(second.status == 1 && second.isOneLine)
    #expect(second.errors.hasPrefix("BoardApp: ") && second.errors.contains(sentence), "\(second)")
    #expect(try Program.run(["health"], environment: port, of: "BoardApp").status == 0)
    first.stop()
  }

  @Test func `says its version, and that of Euripus where it has none`() throws {
    for (name, version) in [("BoardApp", "Board 3\n"), ("euripus", "Euripus 0.1.0\n")] {
      #expect(try Program.run(["--version"], of: name) == Program.Ended(status: 0, output: version, errors: ""))
    }
  }

  @Test func `refuses an option that there is not with a line, its usage and status 64`() throws {
    let ended = try Program.run(["--tittle", "x"], of: "BoardApp")
    #expect(ended.status == 64)
    let lines = ended.errors.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("Error: Unknown option '--tittle'"), "\(ended)")
    #expect(lines.dropFirst().first?.hasPrefix("Usage: BoardApp serve") == true, "\(ended)")
  }

  @Test func `reads its own options from the environment, under its own name, and an option counts more`() throws {
    let environment = ["BOARDAPP_TITLE": "Dinner, with notes", "BOARDAPP_NOTES": "yes"]
    for (arguments, title) in [([], "Dinner, with notes"), (["--title", "Lunch"], "Lunch")] {
      let program = try Program(["--port", "0"] + arguments, environment: environment, of: "BoardApp")
      let client = try TestClient(port: program.port())
      #expect(try client.request("GET", "/title").text == title)
      let board = try client.open("board")
      #expect(try client.request("GET", "\(board)/state/title").text == "\"\(title)\"")
      _ = try client.open("notes")
      program.stop()
    }
    let config = try Program.run(["config"], environment: environment, of: "BoardApp")
    let words = config.output.split(separator: "\n").first { $0.hasPrefix("title ") }.map { $0.split(separator: " ") }
    #expect(words == ["title", "hidden", "environment", "BOARDAPP_TITLE"], "\(config)")
  }

  @Test(arguments: [
    (["BOARDAPP_TITLE_ROUTE": "no"], [], [404, 404]), (["BOARDAPP_TITLE_ROUTE": "0"], ["--title-route"], [200, 404]),
    (["BOARDAPP_SITE_URL": "1"], [], [200, 200]), (["BOARDAPP_SITE_URL": "TRUE"], ["--disable-site-url"], [200, 404]),
  ])
  func `takes yes and no from the environment for a flag that can be either`(
    environment: [String: String], arguments: [String], statuses: [Int]
  ) throws {
    let program = try Program(["--port", "0"] + arguments, environment: environment, of: "BoardApp")
    let client = try TestClient(port: program.port())
    #expect(try ["/title", "/site"].map { try client.request("GET", $0).status } == statuses)
    program.stop()
  }

  @Test func `refuses another word for a flag, and names the variable`() throws {
    for command in ["serve", "config"] {
      let ended = try Program.run([command], environment: ["BOARDAPP_NOTES": "maybe"], of: "BoardApp")
      #expect(ended.status == 64)
      #expect(ended.errors.hasPrefix("Error: BOARDAPP_NOTES must be yes or no; got 'maybe'\n"), "\(ended)")
    }
  }

  @Test func `has no variable for a flag that is counted, and shows so`() throws {
    let config = try Program.run(["config"], environment: ["BOARDAPP_LOUDNESS": "yes"], of: "BoardApp")
    for row in [["loudness", "hidden", "default", "-"], ["site-url", "hidden", "default", "BOARDAPP_SITE_URL"]] {
      #expect(config.rows.contains(row), "\(config)")
    }
  }

  @Test func `changes the defaults, which options and the environment change back`() throws {
    for (arguments, environment, rows) in [
      ([], [:], [["port", "8181", "app", "EURIPUS_PORT"], ["public", "-", "app", "EURIPUS_PUBLIC"]]),
      (
        ["--port", "1", "--title", "x"], [:],
        [["port", "1", "option", "EURIPUS_PORT"], ["idle", "1800", "seconds", "default", "EURIPUS_IDLE"]]
      ), ([], ["EURIPUS_PORT": "2"], [["port", "2", "environment", "EURIPUS_PORT"]]),
    ] as [([String], [String: String], [[String]])] {
      let ended = try Program.run(["config"] + arguments, environment: environment, of: "BoardApp")
      #expect(ended.status == 0)
      for row in rows { #expect(ended.rows.contains(row), "\(row)") }
    }
  }

  @Test func `shows in config as well which of its own options are set, without their values`() throws {
    let arguments = ["config", "--title", "Lunch", "--notes", "--obstacle", "sakura"]
    let ended = try Program.run(arguments, of: "BoardApp")
    for row in [
      ["title", "hidden", "option", "BOARDAPP_TITLE"], ["notes", "hidden", "option", "BOARDAPP_NOTES"],
      ["later-notes", "hidden", "default", "BOARDAPP_LATER_NOTES"],
      ["obstacle", "hidden", "option", "BOARDAPP_OBSTACLE"],
      ["idle", "1800", "seconds", "default", "EURIPUS_IDLE"],
    ] { #expect(ended.rows.contains(row), "\(row)") }
    let json = try Program.run(arguments + ["--json"], of: "BoardApp").output
    #expect(json.contains(#"{"name":"title","value":"hidden","unit":"","source":"option""#), "\(json)")
    for output in [ended.output, json] {
      for value in ["Lunch", "sakura", "\"Board\""] { #expect(!output.contains(value), "\(value): \(output)") }
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
    let folder = try Folder()
    for supervised in [[], ["--supervise"]] {
      let ended = try Program.serve(["--crash-reports", folder.path] + supervised + arguments, of: "BoardApp").end()
      #expect(ended.status == 1)
      #expect(ended.errors == message)
    }
  }

  @Test func `that is an EuripusServer alone says in a line why it cannot start, and exits`() throws {
    let folder = try Folder()
    let first = try Program(["0", folder["first.db"]], of: "LedgerServer")
    let port = first.line()
    try folder.write(Data(repeating: 7, count: 10_000), to: "third.db")
    for (arguments, status, word) in [
      ([port, folder["second.db"]], 1, "127.0.0.1:\(port)"), (["0", folder["third.db"]], 65, "third.db"),
    ] as [([String], Int32, String)] {
      let ended = try Program.run(arguments, of: "LedgerServer")
      #expect(ended.status == status && ended.isOneLine)
      #expect(ended.errors.hasPrefix("LedgerServer: ") && ended.errors.contains(word), "\(ended)")
    }
    first.stop()
  }
}
