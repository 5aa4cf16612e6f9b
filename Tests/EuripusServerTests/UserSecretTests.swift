// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Locking
import Logging
import Testing

/// The texts of users and of their credentials, in everything that a server writes.
@Suite(.timeLimit(.minutes(5))) struct `What a server knows of users` {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "euripus-users-\(UUID().uuidString)")

  private func server(_ lines: Locked<[String]>, _ configure: (inout ServerConfiguration) -> Void) throws -> TestServer
  {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return try TestServer([.hosting { Gatehouse($0) }]) { configuration in
      configuration.sessions.storage = .sqlite(directory.appending(path: "sessions.db").path)
      configuration.log.hasRequests = true
      configuration.log.logger = Logger(label: "test") { _ in
        LineLogHandler(.text, level: .trace, write: { line in lines.withLock { $0.append(line) } })
      }
      configure(&configuration)
    }
  }

  /// The bytes of all files of the store.
  private func stored() throws -> String {
    let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    return try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }.joined()
  }

  @Test func `of claims and names nothing is in the log or the metrics, and of tokens nothing in the store`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: directory) }
    let lines = Locked<[String]>([])
    let (token, id, name, claim, group) = ("c4n4ryt0ken", "c4n4ryid", "c4n4ryname", "c4n4ryclaim", "c4n4rygroup")
    let server = try server(lines) {
      $0.trustedProxies = ["127.0.0.1"]
      $0.userHeader = UserHeader("X-User,name=X-Name,groups=X-Groups,mail=X-Mail")
      $0.authenticate = { head in
        head.bearerToken == token ? User(id: id, name: name, roles: [group], claims: ["mail": .string(claim)]) : nil
      }
    }
    let client = try server.client()
    var keys: [String] = []
    let fields = [("X-User", id), ("X-Name", name), ("X-Groups", group), ("X-Mail", claim)]
    let named = try await client.request("POST", "/sessions/gatehouse", fields: fields)
    #expect(named.status == 201)
    keys.append(try #require(client.cookie).split(separator: "=").dropFirst().joined(separator: "="))
    let url = try #require(named["Location"])
    #expect(try await client.request("POST", url + "/actions/add", fields: fields).status == 200)
    // Each of these refusals has a detail, which could give a word away.
    for fields in [[("X-User", id), ("X-User", id)], [("X_User", id)], [("X-User", "other")], []] {
      #expect(try await client.request("GET", url, fields: fields).status >= 400)
    }
    client.cookie = nil
    let opened = try await client.request("POST", "/sessions/gatehouse", fields: [("Authorization", "Bearer \(token)")])
    #expect(opened.status == 201)
    client.cookie = nil
    let bearer = try await client.request("POST", "/sessions/gatehouse", #"{"auth":"bearer"}"#)
    guard case .string(let first)? = bearer.json?["token"] else {
      Issue.record("no token")
      return
    }
    keys.append(first)
    let signed = try await client.request(
      "POST", try #require(bearer["Location"]) + "/actions/enter", "\"\(name)\"",
      fields: [("Authorization", "Bearer \(first)")])
    guard case .string(let second)? = signed.json?["token"] else {
      Issue.record("no new token")
      return
    }
    keys.append(second)
    let metrics = try await client.request("GET", "/metrics").text
    let problems = try await client.request("GET", "/sessions/gatehouse/x", fields: [("Cookie", "euripus=\(second)")])
      .text
    let log = lines.withLock { $0 }.joined(separator: "\n")
    #expect(log.contains("request="))
    let store = try stored()
    // The store has the users, whom a server knows again after a restart. It has nothing that lets anybody in.
    #expect(store.contains(id) && store.contains(claim))
    for (word, texts) in [
      ([id, name, claim, group], [log, metrics, problems]), ([token] + keys, [log, metrics, problems, store]),
    ] {
      for word in word { for text in texts { #expect(!text.contains(word)) } }
    }
  }
}
