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

  @Test func `come from an option before the environment, and from that before the default`() throws {
    // The one test of these that runs the program: the others make the same rows without it.
    let ended = try Program.run(
      "config", "--json", "--max-body", "1000", "--host-name", "a", "--host-name", "b",
      environment: ["EURIPUS_MAX_BODY": "2000", "EURIPUS_IDLE": "60", "EURIPUS_LOG_REQUESTS": "yes"])
    #expect(ended.status == 0)
    let rows = SettingRow.rows(of: ended.output)
    #expect(rows["max-body"].map { [$0.value, $0.source] } == ["1000", "option"])
    #expect(rows["idle"].map { [$0.value, $0.source, $0.default] } == ["60", "environment", "1800"])
    #expect(rows["port"].map { [$0.value, $0.source, $0.variable] } == ["8080", "default", "EURIPUS_PORT"])
    #expect(rows["host-name"].map { [$0.value, $0.source] } == ["a,b", "option"])
    #expect(rows["log-requests"].map { [$0.value, $0.source] } == ["yes", "environment"])
  }

  @Test func `are lists in the environment with commas, and white space around them`() throws {
    let rows = try SettingRow.config(
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
    let arguments = try SettingRow.config().values.flatMap { row in
      let value = row.value.isEmpty ? Self.examples[row.name] ?? "http://10.0.0.7:8080" : row.value
      return flags.contains(row.name) ? [row.option] : [row.option, value]
    }
    let given = try SettingOptions.parse(arguments).given
    #expect(try SettingRow.config(given).values.filter { $0.source != "option" }.map(\.name) == [])
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
    (["--host-name", "*"], "--host-name: the host name '*' stands for each by which a trusted proxy is reached"),
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

  @Test func `take the variables of hosting platforms, after the program's own`() throws {
    let platform = ["PORT": "5000", "DATABASE_URL": "sessions.db"]
    let rows = try SettingRow.config([:], platform)
    #expect(rows["port"].map { [$0.value, $0.source, $0.variable] } == ["5000", "platform", "PORT"])
    #expect(rows["store"].map { [$0.value, $0.source, $0.variable] } == ["sessions.db", "platform", "DATABASE_URL"])
    let own = try SettingRow.config(
      ["port": ["5001"]], platform.merging(["EURIPUS_STORE": "other.db"]) { $1 })
    #expect(own["port"].map { [$0.value, $0.source] } == ["5001", "option"])
    #expect(own["store"].map { [$0.value, $0.source, $0.variable] } == ["other.db", "environment", "EURIPUS_STORE"])
  }

  @Test func `take a platform's port before that of the app`() throws {
    var standard = ServeSettings()
    standard.server.listener.port = 8081
    let settings = try ResolvedSettings(options: [:], environment: ["PORT": "5000"], standard: standard)
    #expect(settings.values.server.listener.port == 5000)
  }

  @Test(
    arguments: [
      ([:], [:], "0.0.0.0"), (["host": ["::1"]], [:], "::1"), ([:], ["EURIPUS_HOST": "127.0.0.2"], "127.0.0.2"),
      (["port": ["0"]], [:], "127.0.0.1"), ([:], ["EURIPUS_DEV": "yes"], "127.0.0.1"),
    ] as [([String: [String]], [String: String], String)])
  func `listen on all addresses where a platform says the port, unless a host is given or it is for an author`(
    options: [String: [String]], environment: [String: String], host: String
  ) throws {
    let rows = try SettingRow.config(options, environment.merging(["PORT": "5000"]) { $1 })
    #expect(rows["host"]?.value == host)
  }

  @Test func `take an empty variable of a platform for none`() throws {
    let rows = try SettingRow.config([:], ["PORT": "", "DATABASE_URL": ""])
    #expect(["port", "host", "store"].map { rows[$0]?.source } == ["default", "default", "default"])
  }

  @Test(arguments: [
    ("PORT", "tcp://10.0.0.1:80", "PORT must be a whole number from 0 to 65535; got 'tcp://10.0.0.1:80'"),
    ("DATABASE_URL", "mysql://anna:secret-8512@db/x", "DATABASE_URL must be a path, or postgres://USER@HOST/DATABASE"),
  ])
  func `refuse a platform's variable by its name`(variable: String, text: String, message: String) {
    let mistake = #expect(throws: SettingMistake.self) {
      try ResolvedSettings(options: [:], environment: [variable: text])
    }
    #expect(mistake?.description == message)
  }

  @Test func `start a server on all addresses where a platform says the port, and it says so`() throws {
    let program = try Program(["serve"], environment: ["PORT": "0"])
    let line = program.line()
    #expect(line.hasSuffix("/ (PORT is set, so on all addresses)"), "\(line)")
    let port = try Program.port(line)
    #expect(try Program.run("health", "--host", "127.0.0.3", environment: ["PORT": "\(port)"]).status == 0)
    program.stop()
  }

  @Test func `that a platform says are refused by a program without EuripusNodes, if they name a database`() throws {
    let ended = try Program.run(
      ["serve"], environment: ["DATABASE_URL": "postgres://anna:secret-8512@db/x"], of: "GatehouseApp")
    #expect(ended.status == 64)
    #expect(ended.errors.contains("DATABASE_URL: this program can keep sessions only in files"), "\(ended.errors)")
    #expect(ended.errors.contains("EURIPUS_STORE counts more than DATABASE_URL"), "\(ended.errors)")
    #expect(!ended.errors.contains("secret-8512"), "\(ended.errors)")
  }

  @Test func `that follow from others are set with them`() throws {
    // By default as many actions at once as in two seconds.
    let settings = try ResolvedSettings(options: ["actions-per-second": ["2"]], environment: [:])
    #expect(settings.values.server.sessions.actionRate?.burst == 4)
  }
}
