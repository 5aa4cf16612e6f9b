// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Logging
import Testing

/// The texts of users and of their credentials, in everything that a server writes.
@Suite(.timeLimit(.minutes(30))) struct `A server's knowledge of users` {
  @Test func `is not in the log or the metrics, and the store has users but no tokens`() async throws {
    let (folder, lines) = (try PublicFolder(["empty": ""]), LogLines())
    let (token, id, name, claim, group) = ("c4n4ryt0ken", "c4n4ryid", "c4n4ryname", "c4n4ryclaim", "c4n4rygroup")
    let server = try TestServer([.hosting { Gatehouse($0) }]) {
      $0.sessions.storage = .sqlite("\(folder.path)/sessions.db")
      $0.log.hasRequests = true
      $0.log.logger = lines.logger(level: .trace)
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
    let first = try bearer.string("token")
    let signed = try await client.request(
      "POST", try #require(bearer["Location"]) + "/actions/enter", "\"\(name)\"",
      fields: [("Authorization", "Bearer \(first)")])
    let second = try signed.string("token")
    keys += [first, second]
    let metrics = try await client.request("GET", "/metrics").text
    let problems = try await client.request("GET", "/sessions/gatehouse/x", fields: [("Cookie", "euripus=\(second)")])
      .text
    let log = lines.all.joined(separator: "\n")
    #expect(log.contains("request="))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).map { "\(folder.path)/\($0)" }
    let store = try files.map { String(decoding: try Data(contentsOf: URL(filePath: $0)), as: UTF8.self) }.joined()
    // The store has the users, whom a server knows again after a restart. It has nothing that lets anybody in.
    #expect(store.contains(id) && store.contains(claim))
    for (word, texts) in [
      ([id, name, claim, group], [log, metrics, problems]), ([token] + keys, [log, metrics, problems, store]),
    ] {
      for word in word { for text in texts { #expect(!text.contains(word)) } }
    }
  }
}
