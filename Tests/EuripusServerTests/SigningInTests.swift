// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Signing in` {
  func server(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> TestServer {
    try TestServer(
      [
        .hosting { Gatehouse($0) }, .hosting(scope: .user) { OwnNotes($0) },
      ], configure: configure)
  }

  /// The key in a response's cookie.
  func key(_ response: TestClient.Response) throws -> String {
    String(try #require(response["Set-Cookie"]).prefix { $0 != ";" })
  }

  func state(_ client: TestClient, _ url: String) throws -> JSON {
    try client.request("GET", url).json?["state"] ?? .null
  }

  @Test func `replaces the credential in that very answer, and the old one ends`() throws {
    let server = try server()
    let client = try server.client()
    let opened = try client.request("POST", "/sessions/gatehouse")
    let old = try key(opened)
    let url = try #require(opened["Location"])
    let answer = try client.request("POST", url + "/actions/enter", #""anna""#)
    #expect(answer.status == 200)
    let new = try key(answer)
    #expect(new != old)
    #expect(answer["Set-Cookie"]?.contains("HttpOnly; SameSite=Strict") == true)
    client.goOn(with: old)
    let refused = try client.request("GET", url)
    #expect(refused.status == 401)
    #expect(refused.json?["type"] == "/problems/credential-replaced")
    // The server sets no other cookie either: it would take the place of the new one in a browser.
    #expect(try client.request("POST", "/sessions/gatehouse").status == 401)
    client.goOn(with: new)
    #expect(try state(client, url)["name"] == "anna")
  }

  @Test func `brings a client that keeps its key by itself another token, and no cookie`() throws {
    let server = try server()
    let client = try server.client()
    let opened = try client.request("POST", "/sessions/gatehouse", #"{"auth":"bearer"}"#)
    let url = try #require(opened["Location"])
    guard case .string(let token)? = opened.json?["token"] else {
      Issue.record("no token")
      return
    }
    client.goOn(with: nil)
    let answer = try client.request(
      "POST", url + "/actions/enter", #""anna""#, fields: [("Authorization", "Bearer \(token)")])
    #expect(answer["Set-Cookie"] == nil)
    guard case .string(let next)? = answer.json?["token"] else {
      Issue.record("no token")
      return
    }
    #expect(next != token && next.hasPrefix("euripus."))
    #expect(answer.json?["from"] != nil)
    for (sent, status) in [(token, 401), (next, 200)] {
      #expect(try client.request("GET", url, fields: [("Authorization", "Bearer \(sent)")]).status == status)
    }
  }

  @Test func `is of all sessions of the client, whose waiting readers come again`() throws {
    let server = try server()
    let client = try server.client()
    let first = try client.open("gatehouse")
    let second = try client.open("gatehouse")
    let old = client.cookie
    let reader = try server.client()
    reader.goOn(with: old)
    let version = try reader.request("GET", second)["ETag"].map { $0.filter { $0 != "\"" } } ?? ""
    try reader.send("GET", "\(second)/changes?since=\(version)", fields: [("Prefer", "wait=50")])
    // Wait until the poll waits, so that the action comes after it.
    try client.untilMetric("euripus_polls_waiting 1")
    let answer = try client.request("POST", first + "/actions/enter", #""anna""#)
    let released = try reader.receive()
    #expect(released.status == 204)
    #expect(released["Retry-After"] != nil)
    #expect(try reader.request("GET", second).status == 401)
    client.goOn(with: try key(answer))
    #expect(try state(client, second)["name"] == "anna")
  }

  @Test func `is undone with its action, and the credential stays`() throws {
    let server = try server()
    let client = try server.client()
    let url = try client.open("gatehouse")
    let answer = try client.request("POST", url + "/actions/fail", #""anna""#)
    #expect(answer.status == 500)
    #expect(answer["Set-Cookie"] == nil)
    #expect(try state(client, url)["name"] == "nobody")
  }

  @Test func `in a command needs a request that waits, which gets the key`() async throws {
    let server = try server()
    let client = try server.client()
    let url = try await client.open("gatehouse")
    let answer = try await client.request(
      "POST", url + "/actions/enterLater", #""anna""#, fields: [("Prefer", "wait=30")])
    #expect(answer.status == 200)
    client.goOn(with: try key(answer))
    #expect(try await client.request("GET", url).json?["state"]?["name"] == "anna")
    // If the request does not wait, the command fails, and nobody is signed in.
    let other = try server.client()
    let own = try await other.open("gatehouse")
    #expect(try await other.request("POST", own + "/actions/enterLater", #""bert""#)["Set-Cookie"] == nil)
    var shown = try await other.request("GET", own).json?["state"]
    while shown?["enterLater"]?["executing"] == true { shown = try await other.request("GET", own).json?["state"] }
    #expect(shown?["name"] == "nobody")
    #expect(shown?["enterLater"]?["error"] != .null)
  }

  @Test func `out ends the credential as well`() throws {
    let server = try server()
    let client = try server.client()
    let url = try client.open("gatehouse")
    let first = try key(client.request("POST", url + "/actions/enter", #""anna""#))
    client.goOn(with: first)
    let second = try key(client.request("POST", url + "/actions/leave"))
    client.goOn(with: first)
    #expect(try client.request("GET", url).status == 401)
    client.goOn(with: second)
    #expect(try state(client, url)["name"] == "nobody")
  }

  @Test func `out everywhere ends the other clients of the user, whoever waits there`() throws {
    let server = try server()
    let clients = try (0..<3).map { _ in try server.client() }
    var urls: [String] = []
    for (client, user) in zip(clients, ["anna", "anna", "bert"]) {
      let url = try client.open("gatehouse")
      client.goOn(with: try key(client.request("POST", url + "/actions/enter", "\"\(user)\"")))
      urls.append(url)
    }
    let version = try clients[1].request("GET", urls[1])["ETag"].map { $0.filter { $0 != "\"" } } ?? ""
    try clients[1].send("GET", "\(urls[1])/changes?since=\(version)", fields: [("Prefer", "wait=50")])
    try clients[2].untilMetric("euripus_polls_waiting 1")
    let answer = try clients[0].request("POST", urls[0] + "/actions/leaveEverywhere")
    let released = try clients[1].receive()
    #expect(released.status == 401)
    #expect(released.json?["type"] == "/problems/signed-out")
    #expect(try clients[1].request("GET", urls[1]).json?["type"] == "/problems/signed-out")
    // The client may begin anew.
    #expect(try clients[1].request("POST", "/sessions/gatehouse").status == 201)
    clients[0].goOn(with: try key(answer))
    #expect(try state(clients[0], urls[0])["name"] == "nobody")
    #expect(try state(clients[2], urls[2])["name"] == "bert")
  }

  @Test func `opens the one session that a user has, from every client of the user`() throws {
    let server = try server()
    let clients = try (0..<3).map { _ in try server.client() }
    #expect(try clients[0].request("POST", "/sessions/own-notes").json?["type"] == "/problems/sign-in-needed")
    var urls: [String] = []
    for (client, user) in zip(clients, ["anna", "anna", "bert"]) {
      let url = try client.open("gatehouse")
      client.goOn(with: try key(client.request("POST", url + "/actions/enter", "\"\(user)\"")))
      urls.append(try client.open("own-notes"))
    }
    #expect(urls[0] == urls[1])
    #expect(urls[0] != urls[2])
    _ = try clients[0].request("POST", urls[0] + "/actions/add", #""one""#)
    #expect(try state(clients[1], urls[1]) == ["lines": ["one"], "owner": "anna"])
    #expect(try clients[2].request("GET", urls[0]).status == 404)
    // A client has closed the session for good, so the next opening makes a new one.
    #expect(try clients[1].request("DELETE", urls[1]).status == 204)
    #expect(try clients[0].request("GET", urls[0]).status == 410)
    let again = try clients[0].open("own-notes")
    #expect(again != urls[0])
    #expect(try clients[1].open("own-notes") == again)
  }

  @Test func `out everywhere ends a request that waits for a command`() async throws {
    let server = try server()
    let (first, second) = (try server.client(), try server.client())
    for client in [first, second] {
      let url = try await client.open("gatehouse")
      client.goOn(with: try key(try await client.request("POST", url + "/actions/enter", #""anna""#)))
    }
    let held = try await second.open("gatehouse")
    try second.send("POST", held + "/actions/wait", fields: [("Prefer", "wait=50")])
    let url = try await first.open("gatehouse")
    // Wait until the command is at work, so that the other client signs out after that.
    while try await !first.request("GET", "/metrics").text.contains(#"euripus_commands_executing{model="gatehouse"} 1"#)
    {}
    #expect(try await first.request("POST", url + "/actions/leaveEverywhere").status == 200)
    let answer = try await second.receive()
    #expect(answer.status == 401)
    #expect(answer.json?["type"] == "/problems/signed-out")
  }

  @Test func `in a request with a key takes effect once, also when it comes again with the new credential`() throws {
    let server = try server()
    let client = try server.client()
    let url = try client.open("gatehouse")
    let fields = [("Idempotency-Key", "k1")]
    let first = try client.request("POST", url + "/actions/enter", #""anna""#, fields: fields)
    client.goOn(with: try key(first))
    let again = try client.request("POST", url + "/actions/enter", #""anna""#, fields: fields)
    #expect(again.status == 200)
    #expect(again.json?["replayed"] == true)
    #expect(again["Set-Cookie"] == nil)
    #expect(again.json?["version"] == first.json?["to"])
  }

  @Test func `shows nothing of what comes after it to a reader of snapshots, nor to who waits for a command`()
    async throws
  {
    let server = try server()
    let client = try server.client()
    let url = try await client.open("gatehouse")
    let (reader, waiter) = (try server.client(), try server.client())
    for other in [reader, waiter] { other.goOn(with: client.cookie) }
    try waiter.send("POST", url + "/actions/wait?since=aaaaaaaa.1", fields: [("Prefer", "wait=50")])
    try client.untilMetric(#"euripus_commands_executing{model="gatehouse"} 1"#)
    let tag = try #require(try await client.request("GET", url)["ETag"])
    try reader.send("GET", url, fields: [("Prefer", "wait=50"), ("If-None-Match", tag)])
    try client.untilMetric("euripus_polls_waiting 1")
    #expect(try await client.request("POST", url + "/actions/enter", #""anna""#).status == 200)
    for other in [reader, waiter] {
      let answer = try await other.receive()
      #expect(answer.status == 401)
      #expect(!answer.text.contains("anna"))
    }
  }

  @Test func `takes no key from a URL`() async throws {
    let server = try server()
    let client = try server.client()
    let opened = try await client.request("POST", "/sessions/gatehouse", #"{"auth":"bearer"}"#)
    guard case .string(let token)? = opened.json?["token"], let url = opened["Location"] else {
      Issue.record("no token")
      return
    }
    for name in ["token", "access_token", "key", "Authorization"] {
      #expect(try await client.request("GET", "\(url)?\(name)=\(token)").status == 404)
    }
  }

}
