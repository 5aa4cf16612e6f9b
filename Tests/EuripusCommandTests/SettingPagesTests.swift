// SPDX-License-Identifier: MIT
import Euripus
import Foundation
import Testing

/// The settings in help texts, in PROTOCOL.md and in OPERATIONS.md.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `The settings, as people read them,` {
  private static func help(_ arguments: String...) throws -> String {
    let ended = try Program.run(arguments)
    #expect(ended.status == 0)
    return ended.words
  }

  @Test func `are all in the whole help of the commands`() throws {
    let rows = try SettingRow.printed()
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
    let rows = try SettingRow.config()
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
    let settings = try SettingRow.config()
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
    for row in try SettingRow.printed().values {
      let value = row.default.isEmpty ? "" : "`\(row.default)`" + (row.unit.isEmpty ? "" : " \(row.unit)")
      let line = "| `\(row.name)` | \(value) | \(row.help) |"
      #expect(page.contains(line), "expected the line: \(line)")
    }
  }

  private static func document(_ name: String) throws -> String {
    let path = #filePath.replacing("Tests/EuripusCommandTests/SettingPagesTests.swift", with: "Documentation/\(name)")
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}
