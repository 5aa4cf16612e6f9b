// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Seeded
import Testing

@Suite(.timeLimit(.minutes(30))) struct `Signing in` {
  private let server: TestServer

  init() throws {
    server = try TestServer([.hosting { Gatehouse($0) }, .hosting(scope: .user) { OwnNotes($0) }]) { $0.stopTime() }
  }

  private func state(_ client: TestClient, _ url: String) throws -> JSON {
    try client.request("GET", url).json?["state"] ?? .null
  }

  /// Performs an action that gives the client another key, with which it goes on.
  private func perform(_ action: String, _ body: String? = nil, _ client: TestClient, _ url: String) throws {
    client.goOn(with: try client.request("POST", "\(url)/actions/\(action)", body).key)
  }

  @Test func `replaces the credential in that very answer, and the old one ends`() throws {
    let client = try server.client()
    let url = try client.open("gatehouse")
    let old = client.cookie
    let answer = try client.request("POST", url + "/actions/enter", #""anna""#)
    #expect(answer.status == 200)
    let new = try answer.key
    #expect(new != old)
    #expect(answer["Set-Cookie"]?.contains("HttpOnly; SameSite=Strict") == true)
    client.goOn(with: old)
    let refused = try client.request("GET", url)
    #expect((refused.status, refused.problem) == (401, "credential-replaced"))
    // The server sets no other cookie either: it would take the place of the new one in a browser.
    #expect(try client.request("POST", "/sessions/gatehouse").status == 401)
    client.goOn(with: new)
    #expect(try state(client, url)["name"] == "anna")
  }

  @Test func `brings a client that keeps its key by itself another token, and no cookie`() throws {
    let client = try server.client()
    let opened = try client.request("POST", "/sessions/gatehouse", #"{"auth":"bearer"}"#)
    let url = try #require(opened["Location"])
    let token = try opened.string("token")
    client.goOn(with: nil)
    let answer = try client.request(
      "POST", url + "/actions/enter", #""anna""#, fields: [("Authorization", "Bearer \(token)")])
    let next = try answer.string("token")
    #expect(answer["Set-Cookie"] == nil)
    #expect(next != token && next.hasPrefix("euripus."))
    #expect(answer.json?["from"] != nil)
    for (sent, status) in [(token, 401), (next, 200)] {
      #expect(try client.request("GET", url, fields: [("Authorization", "Bearer \(sent)")]).status == status)
    }
    // No key is taken from a URL.
    for name in ["token", "access_token", "key", "Authorization"] {
      #expect(try client.request("GET", "\(url)?\(name)=\(next)").status == 404)
    }
  }

  @Test func `counts in all sessions of the client, whose waiting readers come again`() throws {
    let client = try server.client()
    let (first, second) = (try client.open("gatehouse"), try client.open("gatehouse"))
    let reader = try server.poll(second, of: client)
    // Wait until the poll waits, so that the action comes after it.
    try client.untilMetric("euripus_polls_waiting 1")
    try perform("enter", #""anna""#, client, first)
    let released = try reader.receive()
    #expect(released.status == 204)
    #expect(released["Retry-After"] != nil)
    #expect(try reader.request("GET", second).status == 401)
    #expect(try state(client, second)["name"] == "anna")
  }

  @Test func `is undone with its action, and the credential stays`() throws {
    let client = try server.client()
    let url = try client.open("gatehouse")
    let answer = try client.request("POST", url + "/actions/fail", #""anna""#)
    #expect((answer.status, answer["Set-Cookie"]) == (500, nil))
    #expect(try state(client, url)["name"] == "nobody")
  }

  @Test func `in a command needs a request that waits, which gets the key`() async throws {
    let client = try server.client()
    let url = try await client.open("gatehouse")
    let answer = try await client.request(
      "POST", url + "/actions/enterLater", #""anna""#, fields: [("Prefer", "wait=55")])
    client.goOn(with: try answer.key)
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

  @Test func `out everywhere ends the other clients of the user, and their waiting readers`() throws {
    let ((client, url), (second, held), (other, others)) = try (
      server.signedIn("anna"), server.signedIn("anna"), server.signedIn("bert")
    )
    let reader = try server.poll(held, of: second)
    try other.untilMetric("euripus_polls_waiting 1")
    try perform("leaveEverywhere", nil, client, url)
    let released = try reader.receive()
    #expect((released.status, released.problem) == (401, "signed-out"))
    #expect(try second.request("GET", held).problem == "signed-out")
    // The client may begin anew.
    #expect(try second.request("POST", "/sessions/gatehouse").status == 201)
    #expect(try state(client, url)["name"] == "nobody")
    #expect(try state(other, others)["name"] == "bert")
  }

  @Test func `opens the one session that a user has, from every client of the user`() throws {
    #expect(try server.client().request("POST", "/sessions/own-notes").problem == "sign-in-needed")
    let clients = try ["anna", "anna", "bert"].map { try server.signedIn($0).client }
    let urls = try clients.map { try $0.open("own-notes") }
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

  @Test func `out of a user's own session ends the readers that this client has in it, and no other`() throws {
    let clients = try (0..<2).map { _ in try server.signedIn("anna").client }
    let own = try clients.map { try $0.open("own-notes") }[0]
    let readers = try clients.map { try server.poll(own, of: $0) }
    try clients[1].untilMetric("euripus_polls_waiting 2")
    try perform("leave", nil, clients[0], own)
    let released = try readers[0].receive()
    #expect((released.status, released.problem) == (401, "signed-out"))
    #expect(try clients[0].request("GET", own).problem == "no-session")
    // The other client's reader waits on, and gets the news.
    #expect(try clients[1].request("POST", own + "/actions/add", #""one""#).status == 200)
    #expect(try readers[1].receive().status == 200)
  }

  @Test func `out everywhere ends a request that waits for a command`() async throws {
    let ((first, url), (second, held)) = try (server.signedIn("anna"), server.signedIn("anna"))
    try second.send("POST", held + "/actions/wait", fields: [("Prefer", "wait=55")])
    // Wait until the command is at work, so that the other client signs out after that.
    try first.untilMetric(#"euripus_commands_executing{model="gatehouse"} 1"#)
    #expect(try await first.request("POST", url + "/actions/leaveEverywhere").status == 200)
    let answer = try await second.receive()
    #expect((answer.status, answer.problem) == (401, "signed-out"))
  }

  @Test func `in a request with a key takes effect once, also when it comes again with the new credential`() throws {
    let client = try server.client()
    let url = try client.open("gatehouse")
    let fields = [("Idempotency-Key", "k1")]
    let first = try client.request("POST", url + "/actions/enter", #""anna""#, fields: fields)
    client.goOn(with: try first.key)
    let again = try client.request("POST", url + "/actions/enter", #""anna""#, fields: fields)
    #expect((again.status, again["Set-Cookie"]) == (200, nil))
    #expect(again.json?["replayed"] == true)
    #expect(again.json?["version"] == first.json?["to"])
  }

  @Test func `shows nothing after it to a reader of snapshots, or to a client that waits for a command`() async throws {
    let client = try server.client()
    let url = try await client.open("gatehouse")
    let (reader, waiter) = (try server.client(as: client), try server.client(as: client))
    try waiter.send("POST", url + "/actions/wait?since=aaaaaaaa.1", fields: [("Prefer", "wait=55")])
    try client.untilMetric(#"euripus_commands_executing{model="gatehouse"} 1"#)
    let tag = try #require(try await client.request("GET", url)["ETag"])
    try reader.send("GET", url, fields: [("Prefer", "wait=55"), ("If-None-Match", tag)])
    try client.untilMetric("euripus_polls_waiting 1")
    #expect(try await client.request("POST", url + "/actions/enter", #""anna""#).status == 200)
    for other in [reader, waiter] {
      let answer = try await other.receive()
      #expect(answer.status == 401)
      #expect(!answer.text.contains("anna"))
    }
  }

  @Test func `out in a command that nobody waits for offers to sign in again at once`() async throws {
    let (client, url) = try server.signedIn("anna")
    var answer = try await client.request("POST", url + "/actions/leaveLater")
    #expect(answer["Set-Cookie"] == nil)
    while answer.status == 200 { answer = try await client.request("GET", url) }
    #expect(answer.problem == "signed-out")
    // The browser may open a new session at once.
    #expect(try await client.request("POST", "/sessions/gatehouse").status == 201)
  }

  @Test func `out ends the sessions that the user has opened, so that the next person has none of them`() throws {
    let client = try server.client()
    let (first, nobodys) = (try client.open("gatehouse"), try client.open("gatehouse"))
    try perform("enter", #""anna""#, client, first)
    let second = try client.open("gatehouse")
    #expect(try state(client, second)["name"] == "anna")
    let reader = try server.poll(second, of: client)
    try client.untilMetric("euripus_polls_waiting 1")
    try perform("leave", nil, client, first)
    #expect(try reader.receive().problem == "signed-out")
    for url in [first, nobodys] { #expect(try state(client, url)["name"] == "nobody") }
    #expect([401, 404].contains(try client.request("GET", second).status))
  }

  @Test func `as another user ends the first user's sessions, and as the same user ends nothing`() throws {
    let (client, first) = try server.signedIn("anna")
    let second = try client.open("gatehouse")
    try perform("enter", #""anna""#, client, first)
    #expect(try state(client, second)["name"] == "anna")
    try perform("enter", #""bert""#, client, first)
    #expect(try state(client, first)["name"] == "bert")
    #expect([401, 404].contains(try client.request("GET", second).status))
  }

  @Test func `gives each client keys of its own in the session of a user, and refuses another body under one`() throws {
    let clients = try (0..<2).map { _ in try server.signedIn("anna").client }
    let own = try clients.map { try $0.open("own-notes") }[0]
    for (index, client) in clients.enumerated() {
      for key in ["k1", "tab/1"] {
        let add = { (line: String) in
          try client.request("POST", own + "/actions/add", "\"\(line)\"", fields: [("Idempotency-Key", key)])
        }
        let answer = try add("\(index) \(key)")
        #expect(answer.status == 200 && answer.json?["replayed"] == nil)
        #expect(try add("\(index) \(key)").json == answer.json)
        #expect(try add("another").status == 422)
      }
    }
    #expect(try state(clients[0], own)["lines"] == ["0 k1", "0 tab/1", "1 k1", "1 tab/1"])
  }

  @Test func `is ended for another user, by a view model and by the app's own code`() async throws {
    let ((client, url), bert, carl) = try (server.signedIn("anna"), server.signedIn("bert"), server.signedIn("carl"))
    let answer = try await client.request("POST", url + "/actions/dismiss", #""bert""#)
    #expect((answer.status, answer["Set-Cookie"]) == (200, nil))
    #expect(try await server.signOut(userWithID: "carl") == 1)
    for (client, url) in [bert, carl] { #expect(try await client.request("GET", url).problem == "signed-out") }
    #expect(try await client.request("GET", url).json?["state"]?["name"] == "anna")
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A sign-in among other requests of its client` {
  @Test func `is shown to none that has the key from before, in 1,000 of them`() throws {
    let server = try TestServer(
      routes: [.get("/me") { .text($0.user?.id ?? "nobody") }], [.hosting { Gatehouse($0) }],
      configure: { $0.stopTime() })
    let (client, others) = (try server.client(), try (0..<3).map { _ in try server.client() })
    var random = SeededGenerator(seed: SeededGenerator.seed)
    for number in 1...1_000 {
      client.goOn(with: nil)
      let url = try client.open("gatehouse")
      let requests = try [
        ("POST", "/sessions/gatehouse"), ("POST", url + "/actions/add"), ("GET", "/me"),
        ("GET", url + "/changes?since=\(client.version(of: url))"), ("GET", url + "/changes"),
      ]
      let name = "person \(number)"
      var (asked, streams): ([TestClient], [TestStream]) = ([], [])
      let signingIn = Int.random(in: 0...others.count, using: &random)
      for (index, other) in others.enumerated() {
        other.goOn(with: client.cookie)
        if index == signingIn { try client.send("POST", url + "/actions/enter", "\"\(name)\"") }
        let (method, target) = requests[Int.random(in: requests.indices, using: &random)]
        if target == url + "/changes" {
          streams.append(try TestStream(target, of: other))
        } else {
          try other.send(method, target, fields: [("Prefer", "wait=55")])
          asked.append(other)
        }
      }
      if signingIn == others.count { try client.send("POST", url + "/actions/enter", "\"\(name)\"") }
      #expect(try client.receive().text.contains(name))
      for other in asked {
        let answer = try other.receive()
        #expect(!answer.text.contains(name), "seed \(SeededGenerator.seed), sign-in \(number): \(answer.text)")
      }
      for stream in streams { while let event = try stream.nextEvent() { #expect(!event.data.contains(name)) } }
    }
  }
}
