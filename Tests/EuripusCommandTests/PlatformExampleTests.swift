// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

@testable import EuripusNodes

/// The settings of `Examples/Platform/kubernetes.yaml`, in a server that is asked as the platform asks.
@Suite(.timeLimit(.minutes(30))) struct PlatformExampleTests {
  private static let root = #filePath.replacing("Tests/EuripusCommandTests/PlatformExampleTests.swift", with: "")
  private let text: String

  init() throws { text = try String(contentsOfFile: Self.root + "Examples/Platform/kubernetes.yaml", encoding: .utf8) }

  /// The variables that the example sets to a text.
  private var variables: [String: String] {
    Dictionary(
      uniqueKeysWithValues: text.matches(of: #/- \{name: (\w+), value: "(.*?)"\}/#).map { (String($0.1), String($0.2)) }
    )
  }

  /// The numbers and paths behind a key.
  private func values(of key: String) -> [String] {
    text.matches(of: #/([A-Za-z]+): ([\w\/]+)/#).filter { $0.1 == key }.map { String($0.2) }
  }

  @Test func `listens where the example's probes and its service look for it`() {
    #expect(values(of: "path") == ["/readyz", "/healthz"])
    #expect(
      values(of: "port").dropLast() + values(of: "targetPort") + values(of: "containerPort")
        == Array(
          repeating: variables["PORT"] ?? "", count: 4))
  }

  @Test func `has time to drain and to stop before the platform kills it`() throws {
    let rows = SettingRow.rows(of: try Program.run(["config", "--json"], environment: variables).output)
    let drainTime = try #require(rows["drain-time"].flatMap { Int($0.value) })
    let stopGrace = try #require(rows["stop-grace"].flatMap { Int($0.value) })
    let given = try #require(values(of: "terminationGracePeriodSeconds").first.flatMap { Int($0) })
    #expect(given > drainTime + 2 * stopGrace + 10)
  }

  @Test func `is ready and alive for the platform, and serves the ingress by any name`() throws {
    let server = try #require(
      ProcessInfo.processInfo.environment["TEST_POSTGRESQL"],
      "expected TEST_POSTGRESQL, as Scripts/with-postgresql.sh sets it")
    let schema = "test_\(UInt64.random(in: 1 ... .max))"
    try PostgreSQLConnection(server, defaults: [:]).execute(["CREATE SCHEMA \(schema)"])
    let folder = try Folder()
    let list = try #require(text.firstMatch(of: #/args: \[(.*)\]/#)?.1)
    let arguments = list.split(separator: ", ").map {
      String($0).replacing("/usr/share/euripus/Public", with: Self.root + "Public").replacing(
        "/data", with: folder.path)
    }
    // The ingress is this machine, and the port any that is free.
    let platform = [
      "PORT": "0", "POD_IP": "127.0.0.1", "EURIPUS_TRUSTED_PROXY": "127.0.0.1", "EURIPUS_DRAIN_TIME": "0",
    ]
    var environment = variables.merging(platform) { $1 }
    environment["EURIPUS_NODE_URL"] = environment["EURIPUS_NODE_URL"]?
      .replacing("$(POD_IP)", with: "127.0.0.1").replacing("$(PORT)", with: "8080")
    environment["DATABASE_URL"] = "\(server) options='-c search_path=\(schema)'"
    let program = try Program(arguments, environment: environment)
    let client = try program.client()
    let ingress = [
      ("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "app.example"),
    ]
    let opened = try client.request("POST", "/sessions/login", fields: ingress)
    #expect(opened.status == 201)
    #expect(opened["Set-Cookie"]?.hasPrefix("__Host-") == true)
    // An opening waits until the server has the store, and the platform asks until it is ready.
    for path in values(of: "path") {
      let fields = [("Host", "10.244.0.7:8080"), ("User-Agent", "kube-probe/1.31"), ("Connection", "close")]
      let answer = try TestClient(port: client.port).request("GET", path, fields: fields)
      #expect(answer.status == 200, "\(path): \(answer.text)")
    }
    program.stop()
  }
}
