// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// The sessions of a client whose user changes, and of a user with several clients.
extension `Signing in` {
  @Test func `out in a command that nobody waits for offers to sign in again at once`() async throws {
    let server = try server()
    let client = try server.client()
    let url = try await client.open("gatehouse")
    client.goOn(with: try key(try await client.request("POST", url + "/actions/enter", #""anna""#)))
    var answer = try await client.request("POST", url + "/actions/leaveLater")
    #expect(answer["Set-Cookie"] == nil)
    while answer.status == 200 { answer = try await client.request("GET", url) }
    #expect(answer.json?["type"] == "/problems/signed-out")
    // The browser may open a new session at once.
    #expect(try await client.request("POST", "/sessions/gatehouse").status == 201)
  }

  @Test func `out ends the sessions that the user has opened, of which the next person has none`() throws {
    let server = try server()
    let client = try server.client()
    let (first, nobodys) = (try client.open("gatehouse"), try client.open("gatehouse"))
    client.goOn(with: try key(client.request("POST", first + "/actions/enter", #""anna""#)))
    let second = try client.open("gatehouse")
    #expect(try state(client, second)["name"] == "anna")
    let reader = try server.client()
    reader.goOn(with: client.cookie)
    let version = try reader.request("GET", second)["ETag"].map { $0.filter { $0 != "\"" } } ?? ""
    try reader.send("GET", "\(second)/changes?since=\(version)", fields: [("Prefer", "wait=50")])
    try client.untilMetric("euripus_polls_waiting 1")
    client.goOn(with: try key(client.request("POST", first + "/actions/leave")))
    #expect(try reader.receive().json?["type"] == "/problems/signed-out")
    for url in [first, nobodys] { #expect(try state(client, url)["name"] == "nobody") }
    #expect([401, 404].contains(try client.request("GET", second).status))
  }

  @Test func `of another user ends what was the one's before, and that of the same user ends nothing`() throws {
    let server = try server()
    let client = try server.client()
    let first = try client.open("gatehouse")
    client.goOn(with: try key(client.request("POST", first + "/actions/enter", #""anna""#)))
    let second = try client.open("gatehouse")
    client.goOn(with: try key(client.request("POST", first + "/actions/enter", #""anna""#)))
    #expect(try state(client, second)["name"] == "anna")
    client.goOn(with: try key(client.request("POST", first + "/actions/enter", #""bert""#)))
    #expect(try state(client, first)["name"] == "bert")
    #expect([401, 404].contains(try client.request("GET", second).status))
  }

  @Test func `gives each client keys of its own in the session of a user, and refuses another body under one`() throws {
    let server = try server()
    let clients = try (0..<2).map { _ in try server.client() }
    var own = ""
    for client in clients {
      let url = try client.open("gatehouse")
      client.goOn(with: try key(client.request("POST", url + "/actions/enter", #""anna""#)))
      own = try client.open("own-notes")
    }
    for (index, client) in clients.enumerated() {
      for key in ["k1", "tab/1"] {
        let fields = [("Idempotency-Key", key)]
        let answer = try client.request("POST", own + "/actions/add", "\"\(index) \(key)\"", fields: fields)
        #expect(answer.status == 200 && answer.json?["replayed"] == nil)
        #expect(
          try client.request("POST", own + "/actions/add", "\"\(index) \(key)\"", fields: fields).json == answer.json)
        let other = try client.request("POST", own + "/actions/add", #""another""#, fields: fields)
        #expect(other.status == 422)
      }
    }
    #expect(try state(clients[0], own)["lines"] == ["0 k1", "0 tab/1", "1 k1", "1 tab/1"])
  }

  @Test func `is ended for another user, by a view model and by the app's own code`() async throws {
    let server = try server()
    var urls: [String] = []
    let clients = try (0..<3).map { _ in try server.client() }
    for (client, user) in zip(clients, ["anna", "bert", "carl"]) {
      let url = try await client.open("gatehouse")
      client.goOn(with: try key(try await client.request("POST", url + "/actions/enter", "\"\(user)\"")))
      urls.append(url)
    }
    let answer = try await clients[0].request("POST", urls[0] + "/actions/dismiss", #""bert""#)
    #expect(answer.status == 200)
    #expect(answer["Set-Cookie"] == nil)
    #expect(try await server.signOut(userWithID: "carl") == 1)
    for (client, url) in zip(clients, urls).dropFirst() {
      #expect(try await client.request("GET", url).json?["type"] == "/problems/signed-out")
    }
    #expect(try await clients[0].request("GET", urls[0]).json?["state"]?["name"] == "anna")
  }
}
