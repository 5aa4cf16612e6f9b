// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Logging
import Testing

/// A room that knows who has acted last.
private final class Witness: ViewModel {
  private let context: SessionContext
  @Observed var client = ""

  init(_ context: SessionContext) { self.context = context }

  func act() { client = context.action?.client ?? "" }

  static let surface = Surface<Witness>("witness", .value("client", \.$client), .action("act", Witness.act))
}

@Suite(.timeLimit(.minutes(30))) struct `The log of requests` {
  private let lines = LogLines()

  private func opened(_ level: Logger.Level, logsRequests: Bool) throws -> Opened {
    try Opened {
      $0.log.hasRequests = logsRequests
      $0.log.logger = lines.logger(.json, level: level)
    }
  }

  private func requests() throws -> [JSON] { try lines.json.filter { $0["message"] == "request" } }

  @Test func `has for each its route, method, status, time, bytes and address, and a number`() throws {
    let opened = try opened(.info, logsRequests: true)
    #expect(try opened.add().status == 200)
    #expect(try opened.client.request("GET", "/healthz").status == 200)
    let lines = try requests()
    #expect(lines.count == 3)
    guard case .object(let members) = lines[1] else {
      Issue.record("\(lines)")
      return
    }
    let names = [
      "time", "level", "message", "address", "bytes", "client", "method", "milliseconds", "request", "route", "session",
      "status",
    ]
    #expect(members.map(\.name) == names)
    for (name, value) in [
      ("route", "/sessions/{model}/{id}/actions/{path}"), ("method", "POST"), ("status", 200),
      ("address", "127.0.0.1"), ("request", 2), ("level", "info"),
    ] as [(String, JSON)] {
      #expect(lines[1][name] == value)
    }
    #expect((lines[2]["route"], lines[2]["bytes"]) == ("/healthz", 3))
  }

  @Test func `names in a session its client as view models know it, and the session by the beginning of its id`() throws
  {
    let server = try TestServer([.hosting(scope: .room) { Witness($0) }]) {
      $0.log.hasRequests = true
      $0.log.logger = lines.logger(.json)
    }
    for _ in 0..<2 {
      let client = try server.client()
      let url = try client.open("witness")
      #expect(try client.request("POST", "\(url)/actions/act").status == 200)
      let line = try #require(try requests().last)
      let seen = try client.request("GET", url).json?["state"]?["client"]
      #expect(line["client"] == seen && seen != "")
      #expect(line["session"] == .string(String(url.split(separator: "/")[2].prefix(8))))
    }
  }

  @Test func `has the address of the client for whom a trusted proxy speaks, and of nobody else's`() throws {
    let server = try TestServer([]) {
      $0.log.hasRequests = true
      $0.trustedProxies = ["127.0.0.1"]
      $0.log.logger = lines.logger(.json)
    }
    let (trusted, other) = (try server.client(), try TestClient(port: server.port, from: "127.0.0.2"))
    for client in [trusted, other] {
      for address in ["192.0.2.1", "2001:db8::7"] {
        #expect(try client.request("GET", "/healthz", fields: [("X-Forwarded-For", address)]).status == 200)
      }
    }
    #expect(try lines.json.map { $0["address"] } == ["192.0.2.1", "2001:db8::7", "127.0.0.2", "127.0.0.2"])
  }

  @Test func `is not there unless it is asked for, or the level is that of a search for mistakes`() throws {
    // A client that goes asks once more for what it saw, where the tests are recorded. So both stay.
    let quiet = try opened(.info, logsRequests: false)
    #expect(try requests().isEmpty)
    let talkative = try opened(.debug, logsRequests: false)
    let levels = try requests().map { $0["level"] }
    #expect(levels == ["debug"])
    withExtendedLifetime((quiet, talkative)) {}
  }

  @Test func `has nothing that a client wrote`() throws {
    let canary = "c4n4ry"
    let opened = try Opened {
      $0.log.hasRequests = true
      $0.log.logger = lines.logger(level: .trace)
    }
    let (client, url) = (opened.client, opened.url)
    _ = try opened.send("PUT", "/state/key", "\"\(canary)\"")
    _ = try opened.send("POST", "/actions/parse", "\"\(canary)\"", [("Idempotency-Key", canary)])
    _ = try opened.get("/state/\(canary)?\(canary)=\(canary)")
    _ = try client.request("GET", "/sessions/\(canary)/\(canary)", fields: [("Cookie", "euripus=\(canary)")])
    _ = try client.request(canary.uppercased(), "/\(canary).html", fields: [(canary, canary), ("Accept", canary)])
    _ = try client.request("POST", "/sessions/counter", "{\"\(canary)\":1}", fields: [("Origin", "http://\(canary)")])
    let text = lines.all.joined(separator: "\n")
    #expect(text.contains("request=6"))
    for secret in [canary, client.cookie ?? "?", url] { #expect(!text.lowercased().contains(secret.lowercased())) }
  }
}
