// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Locking
import Logging
import Testing

@Suite(.timeLimit(.minutes(5))) struct `The log of requests` {
  /// A server that logs JSON at a level, and a function that reads the logged lines.
  private func opened(
    _ level: Logger.Level, logsRequests: Bool
  ) throws -> (opened: Opened, requests: () throws -> [JSON]) {
    let lines = Locked<[String]>([])
    let opened = try Opened { configuration in
      configuration.log.hasRequests = logsRequests
      configuration.log.logger = Logger(label: "test") { _ in
        LineLogHandler(.json, level: level, write: { line in lines.withLock { $0.append(line) } })
      }
    }
    return (
      opened,
      { try lines.withLock { $0 }.map { try JSONReader.read(Array($0.utf8)) }.filter { $0["message"] == "request" } }
    )
  }

  @Test func `has for each its route, method, status, time, bytes and address, and a number`() throws {
    let (opened, requests) = try opened(.info, logsRequests: true)
    #expect(try opened.client.request("POST", "\(opened.url)/actions/add", "1").status == 200)
    #expect(try opened.client.request("GET", "/healthz").status == 200)
    let lines = try requests()
    #expect(lines.count == 3)
    guard case .object(let members) = lines[1] else {
      Issue.record("\(lines)")
      return
    }
    #expect(
      members.map(\.name) == [
        "time", "level", "message", "address", "bytes", "method", "milliseconds", "request", "route", "status",
      ])
    #expect(lines[1]["route"] == "/sessions/{model}/{id}/actions/{path}")
    #expect(lines[1]["method"] == "POST")
    #expect(lines[1]["status"] == 200)
    #expect(lines[1]["address"] == "127.0.0.1")
    #expect(lines[1]["request"] == 2)
    #expect(lines[1]["level"] == "info")
    #expect(lines[2]["route"] == "/healthz")
    #expect(lines[2]["bytes"] == 3)
  }

  @Test func `has the address of the client for whom a trusted proxy speaks, and of nobody else's`() throws {
    let lines = Locked<[String]>([])
    let server = try TestServer([]) { configuration in
      configuration.log.hasRequests = true
      configuration.trustedProxies = ["127.0.0.1"]
      configuration.log.logger = Logger(label: "test") { _ in
        LineLogHandler(.json, write: { line in lines.withLock { $0.append(line) } })
      }
    }
    let (trusted, other) = (try server.client(), try TestClient(port: server.port, from: "127.0.0.2"))
    for client in [trusted, other] {
      for address in ["192.0.2.1", "2001:db8::7"] {
        #expect(try client.request("GET", "/healthz", fields: [("X-Forwarded-For", address)]).status == 200)
      }
    }
    let addresses = try lines.withLock { $0 }.map { try JSONReader.read(Array($0.utf8))["address"] }
    #expect(addresses == ["192.0.2.1", "2001:db8::7", "127.0.0.2", "127.0.0.2"])
  }

  @Test func `is not there unless it is asked for, and is there for who looks for mistakes`() throws {
    #expect(try opened(.info, logsRequests: false).requests().isEmpty)
    let (opened, requests) = try opened(.debug, logsRequests: false)
    let lines = try withExtendedLifetime(opened) { try requests() }
    #expect(lines.map { $0["level"] } == ["debug"], "\(lines)")
  }

  @Test func `has nothing that a client wrote`() throws {
    let canary = "c4n4ry"
    let lines = Locked<[String]>([])
    let opened = try Opened { configuration in
      configuration.log.hasRequests = true
      configuration.log.logger = Logger(label: "test") { _ in
        LineLogHandler(.text, level: .trace, write: { line in lines.withLock { $0.append(line) } })
      }
    }
    let (client, url) = (opened.client, opened.url)
    _ = try client.request("PUT", "\(url)/state/key", "\"\(canary)\"")
    _ = try client.request("POST", "\(url)/actions/parse", "\"\(canary)\"", fields: [("Idempotency-Key", canary)])
    _ = try client.request("GET", "\(url)/state/\(canary)?\(canary)=\(canary)")
    _ = try client.request("GET", "/sessions/\(canary)/\(canary)", fields: [("Cookie", "euripus=\(canary)")])
    _ = try client.request(canary.uppercased(), "/\(canary).html", fields: [(canary, canary), ("Accept", canary)])
    _ = try client.request("POST", "/sessions/counter", "{\"\(canary)\":1}", fields: [("Origin", "http://\(canary)")])
    let text = lines.withLock { $0 }.joined(separator: "\n")
    #expect(text.contains("request=6"))
    #expect(!text.lowercased().contains(canary), "\(text)")
    #expect(!text.contains(client.cookie ?? "?"))
    #expect(!text.contains(url))
  }
}

extension JSON {
  fileprivate subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }
}
