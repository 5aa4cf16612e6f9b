// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import EuripusNodes
import Foundation
import Sessions
import Testing

@testable import Demos
@testable import EuripusApp

/// The settings that `euripus config` and `euripus serve` make of options and of the environment.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `The settings` {
  /// An app without the product `EuripusNodes`.
  private struct PlainApp: EuripusApp {
    var models: Models { ProfileViewModel.init }
  }

  private struct Row: Decodable {
    let name, value, unit, source, option, variable, `default`, expected, help: String
  }

  /// The rows of `config --json`.
  private static func config(
    _ options: [String: [String]] = [:], _ environment: [String: String] = [:]
  ) throws -> [String: Row] {
    rows(of: Config<DemosApp>.json(try ResolvedSettings(options: options, environment: environment)))
  }

  /// The rows of the settings that the program prints. Their help has its name.
  private static func printed() throws -> [String: Row] {
    let rows = rows(of: try Program.run("config", "--json").output).filter { !$0.value.variable.isEmpty }
    try #require(rows.count == Setting.table.count)
    return rows
  }

  private static func rows(of json: String) -> [String: Row] {
    let rows = try? JSONDecoder().decode([Row].self, from: Data(json.utf8))
    return Dictionary(uniqueKeysWithValues: (rows ?? []).map { ($0.name, $0) })
  }

  @Test func `come from an option before the environment, and from that before the default`() throws {
    // The one test of these that runs the program: the others make the same rows without it.
    let ended = try Program.run(
      "config", "--json", "--max-body", "1000", "--host-name", "a", "--host-name", "b",
      environment: ["EURIPUS_MAX_BODY": "2000", "EURIPUS_IDLE": "60", "EURIPUS_LOG_REQUESTS": "yes"])
    #expect(ended.status == 0)
    let rows = Self.rows(of: ended.output)
    #expect(rows["max-body"].map { [$0.value, $0.source] } == ["1000", "option"])
    #expect(rows["idle"].map { [$0.value, $0.source, $0.default] } == ["60", "environment", "1800"])
    #expect(rows["port"].map { [$0.value, $0.source, $0.variable] } == ["8080", "default", "EURIPUS_PORT"])
    #expect(rows["host-name"].map { [$0.value, $0.source] } == ["a,b", "option"])
    #expect(rows["log-requests"].map { [$0.value, $0.source] } == ["yes", "environment"])
  }

  @Test func `are lists in the environment with commas, and white space around them`() throws {
    let rows = try Self.config(
      [:],
      ["EURIPUS_HOST_NAME": " a.example , [::1],, ", "EURIPUS_ALLOW_ORIGIN": "https://a.example, http://b:81"])
    #expect(rows["host-name"]?.value == "a.example,[::1]")
    #expect(rows["allow-origin"]?.value == "https://a.example,http://b:81")
  }

  /// Values for the settings that have none by default.
  private static let examples = [
    "host-name": "a.example", "trusted-proxy": "10.0.0.1", "allow-origin": "https://a.example", "loops": "1",
    "max-memory": "1048576", "admin": "/tmp/admin.sock", "store": "sessions.db",
  ]

  @Test func `have an option each, which counts`() throws {
    let flags = ["supervise", "dev", "core-dumps"]
    let arguments = try Self.config().values.flatMap { row in
      let value = row.value.isEmpty ? Self.examples[row.name] ?? "http://10.0.0.7:8080" : row.value
      return flags.contains(row.name) ? [row.option] : [row.option, value]
    }
    let given = try SettingOptions.parse(arguments).given
    #expect(try Self.config(given).values.filter { $0.source != "option" }.map(\.name) == [])
  }

  @Test func `are printed for people, a line each`() throws {
    let settings = try ResolvedSettings(options: [:], environment: ["EURIPUS_IDLE": "60"])
    let lines = Config<DemosApp>.lines(settings).map { $0.split(separator: " ") }
    #expect(lines.contains(["idle", "60", "seconds", "environment", "EURIPUS_IDLE"]))
    #expect(lines.contains(["loops", "-", "default", "EURIPUS_LOOPS"]))
    #expect(lines.count == Setting.table.count)
  }

  @Test(
    arguments: [
      ("max-body", "0", "--max-body must be a whole number from 1 to 16777216, in bytes; got '0'"),
      ("idle", "0", "--idle must be a whole number from 1 to 31536000, in seconds; got '0'"),
      ("idle", "9223372036854775807", "in seconds; got '9223372036854775807'"),
      ("loops", "0", "--loops must be a whole number from 1 to 1024; got '0'"),
      ("EURIPUS_PORT", "65536", "EURIPUS_PORT must be a whole number from 0 to 65535; got '65536'"),
      ("EURIPUS_PORT", "", "EURIPUS_PORT must be a whole number from 0 to 65535; got ''"),
      ("log-format", "xml", "--log-format must be one of text, json; got 'xml'"),
      ("EURIPUS_LOG_REQUESTS", "maybe", "EURIPUS_LOG_REQUESTS must be yes or no; got 'maybe'"),
      ("host-name", "https://a.example", "--host-name must be a name without scheme and port"),
      ("host-name", "a.example:8080", "got 'a.example:8080'"),
      ("host-name", "a b", "--host-name must be a name without"),
      ("host-name", "a.example,b.example", "got 'a.example,b.example'"),
      ("host-name", "::1", "--host-name must be a name without"),
      ("host-name", "[::x]", "--host-name must be a name without"),
      ("EURIPUS_HOST_NAME", "a.example, b:1", "EURIPUS_HOST_NAME must be a name without"),
      ("allow-origin", "https://a.example/", "--allow-origin must be an origin"),
      ("EURIPUS_TRUSTED_PROXY", "10.0.0.0/33", "EURIPUS_TRUSTED_PROXY must be an address in numbers"),
    ])
  func `that cannot be are refused with their name, the expected and the given value`(
    name: String, text: String, message: String
  ) throws {
    let isVariable = name.hasPrefix("EURIPUS_")
    let mistake = #expect(throws: SettingMistake.self) {
      try ResolvedSettings(options: isVariable ? [:] : [name: [text]], environment: isVariable ? [name: text] : [:])
    }
    #expect(mistake?.description.contains(message) == true, "\(mistake?.description ?? "no mistake")")
  }

  @Test(arguments: [
    "postgers://anna:secret-8512@db/x", "POSTGRES://anna:secret-8512@db/x", "password=secret-8512 hosst=db",
    "password = secret-8512 hosst=db",
  ])
  func `that name the store in no known way are refused, and the password in them is not told`(address: String) {
    let standard = StandardSettings.of(DemosApp.parseOrExit([]))
    let mistake = #expect(throws: SettingMistake.self) {
      try ResolvedSettings(options: ["store": [address]], environment: [:], standard: standard)
    }
    #expect(mistake?.description == "--store must be a path, or postgres://USER@HOST/DATABASE")
    let error = #expect(throws: (any Error).self) { try StoreList<DemosApp>.parse([address]) }
    let message = error.map { StoreList<DemosApp>.fullMessage(for: $0) } ?? ""
    #expect(message.contains("the store must be a path") && !message.contains("secret-8512"), "\(message)")
  }

  @Test func `name a database by libpq's keywords in any order`() {
    #expect(
      StoreAddress("password=secret-8512 dbname=x host=db", shared: .postgreSQL).description
        == "PostgreSQL database 'x' on db")
  }

  @Test(arguments: [
    "postgres://anna:secret-8512@db/x", "host=db dbname=x password=secret-8512", "password = secret-8512 host = db",
    "sslmode=require host=db password=secret-8512",
  ])
  func `that name a database are refused by a program without EuripusNodes, which is told what to add`(
    address: String
  ) {
    let serving = #expect(throws: (any Error).self) { try Serve<PlainApp>.parse(["--store", address]) }
    let listing = #expect(throws: (any Error).self) { try StoreList<PlainApp>.parse([address]) }
    let messages = [
      serving.map { Serve<PlainApp>.fullMessage(for: $0) }, listing.map { StoreList<PlainApp>.fullMessage(for: $0) },
    ]
    for message in messages.map({ $0 ?? "" }) {
      #expect(message.contains("EuripusNodes") && message.contains("sharedStore"), "\(message)")
      #expect(!message.contains("secret-8512"), "\(message)")
    }
    #expect(serving.map { Serve<PlainApp>.exitCode(for: $0).rawValue } == 64)
  }

  @Test func `that cannot be end each command with status 64`() throws {
    for command in ["serve", "config"] {
      let ended = try Program.run(command, environment: ["EURIPUS_PORT": "65536"])
      #expect(ended.status == 64)
      #expect(ended.errors.contains("EURIPUS_PORT must be a whole number"), "\(ended.errors)")
    }
  }

  @Test(arguments: [
    (["--tls-cert", "/nonexistent"], "--tls-cert and --tls-key belong together"),
    (["--tls-cert", "/nonexistent.pem", "--tls-key", "/dev/null"], "--tls-cert: cannot read '/nonexistent.pem'"),
    (["--tls-cert", "/dev/null", "--tls-key", "/nonexistent.pem"], "--tls-key: cannot read '/nonexistent.pem'"),
    (["--tls-cert", "/", "--tls-key", "/dev/null"], "--tls-cert: cannot read '/'"),
    (["--public", "/nonexistent"], "--public: cannot read the directory '/nonexistent'"),
  ])
  func `that name a file or a directory are refused by their name, if it cannot be read`(
    options: [String], message: String
  ) {
    let error = #expect(throws: (any Error).self) { try Serve<DemosApp>.parse(options) }
    guard let error else { return }
    #expect(Serve<DemosApp>.message(for: error).contains(message))
    #expect(Serve<DemosApp>.exitCode(for: error).rawValue == 64)
  }

  @Test func `that name a file are refused by the name of their variable too`() throws {
    let ended = try Program.run("serve", environment: ["EURIPUS_PUBLIC": "/nonexistent"])
    #expect(ended.status == 64)
    #expect(ended.errors.contains("EURIPUS_PUBLIC: cannot read the directory '/nonexistent'"), "\(ended.errors)")
  }

  @Test func `have no effect under another name, which is said`() throws {
    let program = try Program.serve(
      ["--log-format", "json"],
      environment: [
        "EURIPUS_MAXBODY": "1", "EURIPUS_NONSENSE_AND_MORE": "1", "EURIPUS_URL": "http://127.0.0.1:1",
        "EURIPUS_CANARY": "c4n4ry", "EURIPUS_RECORDING": "/nonexistent",
      ])
    _ = try program.port()
    let lines = program.stop().split(separator: "\n").filter { $0.contains("is no setting") }
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""nearest":"EURIPUS_MAX_BODY","variable":"EURIPUS_MAXBODY""#) == true)
    #expect(lines.last?.contains(#""variable":"EURIPUS_NONSENSE_AND_MORE""#) == true)
    #expect(lines.last?.contains("nearest") == false)
  }

  private static func help(_ arguments: String...) throws -> String {
    let ended = try Program.run(arguments)
    #expect(ended.status == 0)
    return ended.words
  }

  @Test func `are all in the whole help of the commands`() throws {
    let rows = try Self.printed()
    for command in ["serve", "config"] {
      let help = try Self.help(command, "--help-all")
      for row in rows.values {
        let isFlag = ["supervise", "core-dumps", "dev"].contains(row.name)
        // `--admin` may stand without a value.
        let value = row.name == "admin" ? "[<" : "<"
        #expect(help.contains(isFlag ? "\(row.option)/--no-\(row.name) " : "\(row.option) \(value)"), "\(row.name)")
        #expect(help.contains("\(row.variable))"), "\(row.name)")
        #expect(help.contains("\(row.help)."), "\(row.name)")
      }
    }
  }

  @Test func `that people set most are in the short help, with the way to see the others`() throws {
    let rows = try Self.config()
    for command in ["serve", "config"] {
      let help = try Self.help(command, "--help")
      let shown = rows.values.filter { help.contains("\($0.variable))") }.map(\.name).sorted()
      #expect(
        shown == [
          "admin", "dev", "host", "host-name", "log-format", "log-level", "log-requests", "node-url", "port", "public",
          "store", "supervise", "tls-cert", "tls-key", "trusted-proxy", "user-header",
        ])
      #expect(help.contains("--help-all Show the other settings as well"))
    }
  }

  @Test func `that follow from others are set with them`() throws {
    // By default as many actions at once as in two seconds.
    let settings = try ResolvedSettings(options: ["actions-per-second": ["2"]], environment: [:])
    #expect(settings.values.server.sessions.actionRate?.burst == 4)
  }

  /// The limits in PROTOCOL §7's table that are values of the configuration, and not settings.
  private static let values: [String: Int?] = {
    let standard = ServerConfiguration()
    let listener = standard.listener
    return [
      "handshakes of TLS under way": listener.maxHandshakes,
      "of one address or /64": listener.maxHandshakesPerAddress, "fields": listener.maxHeaderFields,
      "target": listener.maxTargetBytes, "the slowest rate of taking one": listener.minResponseRate,
      "burst (actions)": standard.sessions.actionRate?.burst, "burst (openings)": standard.sessions.openingRate?.burst,
    ]
  }()

  /// The other limits: their names in the table, and their settings.
  private static let limits: [String: String] = [
    "connections": "max-connections", "per address (IPv4) or /64 (IPv6)": "max-connections-per-address",
    "header block": "max-header",
    "complete within (head)": "head-time", "body": "max-body",
    "complete within (body)": "body-time", "actions a session": "actions-per-second",
    "time that the actions of one credential take": "action-time",
    "sessions": "max-sessions", "per credential": "sessions-per-client", "opened per address": "openings-per-minute",
    "state of one session": "max-state", "idempotency memory": "key-memory",
    "one command": "command-limit",
    "a response of which the client takes nothing": "response-time",
    "a connection without a request": "connection-idle",
  ]

  @Test func `have every limit of the protocol, with its value as the default`() throws {
    let text = try Self.document("PROTOCOL.md")
    let table = try #require(text.firstRange(of: "| what | limit |"))
    let rows = text[table.upperBound...].split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }
    var limits: [String: Int] = [:]
    for row in rows {
      let cells = row.split(separator: "|").map {
        $0.split(separator: "·").map { $0.trimmingCharacters(in: .whitespaces) }
      }
      let (names, values) = (cells[0], cells[1])
      try #require(names.count == values.count, "\(row)")
      for (name, value) in zip(names, values) {
        let (name, number) = try Self.limit(name, value, in: names)
        limits[name] = number
        // A text such as "100/s, burst 200".
        if let burst = value.firstMatch(of: #/burst (\d+)/#) {
          limits[name == "actions a session" ? "burst (actions)" : "burst (openings)"] = Int(burst.1)
        }
      }
    }
    #expect(Set(limits.keys) == Set(Self.limits.keys).union(Self.values.keys))
    for (limit, value) in Self.values { #expect(value == limits[limit], "\(limit)") }
    let settings = try Self.config()
    for (limit, name) in Self.limits {
      let setting = try #require(settings[name], "no setting '\(name)' for the limit '\(limit)'")
      #expect(setting.default == limits[limit].map(String.init), "\(limit)")
    }
  }

  private static func limit(_ name: String, _ value: String, in names: [String]) throws -> (String, Int) {
    let match = try #require(value.firstMatch(of: #/([\d,]+)( [KM]iB)?/#), "\(value)")
    let number = try #require(Int(match.1.replacing(",", with: "")))
    let factor =
      switch match.2 {
      case " KiB": 1_024;
      case " MiB": 1_048_576;
      default: 1
      }
    let place = names.contains("header block") ? "(head)" : "(body)"
    return (name == "complete within" ? "\(name) \(place)" : name, number * factor)
  }

  @Test func `are all on the operator's page, with their defaults`() throws {
    let page = try Self.document("OPERATIONS.md")
    for row in try Self.printed().values {
      let value = row.default.isEmpty ? "" : "`\(row.default)`" + (row.unit.isEmpty ? "" : " \(row.unit)")
      let line = "| `\(row.name)` | \(value) | \(row.help) |"
      #expect(page.contains(line), "expected the line: \(line)")
    }
  }

  private static func document(_ name: String) throws -> String {
    let path = #filePath.replacing("Tests/EuripusCommandTests/SettingsTests.swift", with: "Documentation/\(name)")
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}
