// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A user that a proxy names` {
  private func server(trusting proxies: [String] = ["127.0.0.1"]) throws -> TestServer {
    try TestServer([.hosting { Gatehouse($0) }, .hosting { Till($0) }, .hosting(scope: .user) { OwnNotes($0) }]) {
      $0.stopTime()
      $0.trustedProxies = proxies
      $0.userHeader = UserHeader("X-User,name=X-Name,groups=X-Groups,mail=X-Mail")
    }
  }

  private func fields(_ id: String, groups: String = "") -> [(String, String)] {
    [("X-User", id), ("X-Name", "Person \(id)"), ("X-Groups", groups)]
  }

  private func state(_ client: TestClient, _ url: String, _ fields: [(String, String)]) throws -> JSON {
    try client.request("GET", url, fields: fields).json?["state"] ?? .null
  }

  /// A client whose gatehouse a proxy has opened for Anna.
  private func opened(_ server: TestServer) throws -> (client: TestClient, url: String) {
    let client = try server.client()
    let opened = try client.request("POST", "/sessions/gatehouse", fields: fields("anna"))
    #expect(opened.status == 201 && opened.json?["state"]?["name"] == "Person anna")
    return (client, try #require(opened["Location"]))
  }

  @Test func `changes in mid-session when a request says otherwise, as a role that is taken away does`() throws {
    let client = try server().client()
    let opened = try client.request("POST", "/sessions/till", fields: fields("anna", groups: "staff, cashier"))
    let url = try #require(opened["Location"])
    #expect(opened.json?["state"] == ["sum": 0])
    #expect(
      try client.request("POST", url + "/actions/add", "5", fields: fields("anna", groups: "cashier")).status == 200)
    let refused = try client.request("POST", url + "/actions/add", "5", fields: fields("anna", groups: "staff"))
    #expect((refused.status, refused.problem) == (403, "not-allowed"))
    #expect(try state(client, url, fields("anna", groups: "staff")) == [:])
  }

  @Test func `is the session's user from the opening on, whom nobody else replaces by the same cookie`() throws {
    let (client, url) = try opened(server())
    #expect(try state(client, url, fields("anna"))["name"] == "Person anna")
    let cookie = client.cookie
    #expect(try client.request("GET", url, fields: fields("bert")).status == 404)
    // The other user gets a client of its own.
    let others = try client.request("POST", "/sessions/gatehouse", fields: fields("bert"))
    #expect(others["Set-Cookie"] != nil)
    client.goOn(with: cookie)
    // The proxy names no user any more, so the person has signed out there and is told so.
    let signedOut = try client.request("GET", url)
    #expect((signedOut.status, signedOut.problem) == (401, "signed-out"))
    #expect(try client.request("GET", url, fields: fields("anna")).status == 200)
  }

  @Test func `is also named by a fold that makes the field, as a proxy that passes folds on has to know`() throws {
    let client = try server().client()
    let head = "POST /sessions/gatehouse HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
    try client.send(raw: "\(head)X-Name: Person anna\r\nX-: anna\r\n User\r\n\r\n")
    let opened = try client.receive()
    #expect(opened.status == 201 && opened.json?["state"]?["name"] == "Person anna", "\(opened.text)")
  }

  @Test func `takes over a client that nobody has signed in with`() throws {
    let client = try server().client()
    let url = try client.open("gatehouse")
    #expect(try state(client, url, [])["name"] == "nobody")
    #expect(try state(client, url, fields("anna"))["name"] == "Person anna")
    // From here on, the cookie needs the user's header beside it.
    #expect(try client.request("GET", url).status == 401)
  }

  @Test func `has one session of a kind that is a user's own, from each device, whatever that opens first`() throws {
    let server = try server()
    let devices = try (0..<2).map { _ in try server.client() }
    let urls = try devices.map { device in
      let opened = try device.request("POST", "/sessions/own-notes", fields: fields("anna"))
      #expect(opened["Set-Cookie"] != nil)
      return try #require(opened["Location"])
    }
    #expect(urls[0] == urls[1])
    for device in devices {
      #expect(try device.request("POST", urls[0] + "/actions/add", #""x""#, fields: fields("anna")).status == 200)
    }
    #expect(try state(devices[0], urls[0], fields("anna")) == ["lines": ["x", "x"], "owner": "anna"])
    #expect(try devices[1].request("GET", urls[0], fields: fields("bert")).status == 404)
  }

  @Test func `is refused from an address that is not trusted, twice, and under a name that is like it`() throws {
    let client = try server().client()
    for fields in [
      [("X-User", "anna"), ("X-User", "bert")], [("X-User", "anna"), ("x-user", "anna")], [("X_User", "anna")],
      [("X-User", "anna"), ("X_Groups", "owner")], [("X-User", String(repeating: "a", count: 300))],
    ] {
      let answer = try client.request("POST", "/sessions/gatehouse", fields: fields)
      #expect((answer.status, answer.problem) == (400, "bad-request"))
    }
    let strange = try self.server(trusting: ["192.0.2.1"])
    for target in ["/models", "/healthz"] {
      #expect(try strange.client().request("GET", target, fields: fields("anna")).status == 400)
    }
    #expect(try strange.client().request("GET", "/models").status == 200)
  }

  @Test(arguments: [nil, "bert"]) func `that has gone sees nothing more in a poll, once a request shows it`(
    _ next: String?
  ) throws {
    let server = try server()
    let (client, url) = try opened(server)
    let reader = try server.poll(url, of: client, fields: fields("anna"))
    try client.untilMetric("euripus_polls_waiting 1")
    #expect(try client.request("GET", url, fields: next.map { fields($0) } ?? []).status == (next == nil ? 401 : 404))
    #expect(try reader.receive().problem == "signed-out")
  }

  @Test(arguments: [
    ("X-User", true), ("X-User,name=X-Name, groups=X-G,mail=X-M", true), ("", false), ("X User", false),
    ("X-User,name", false), ("X-User,name=", false), ("X-User,name=A,name=B", false), ("X-User,=A", false),
    ("X_User", false),
  ]) func `is described by the names of fields`(_ text: String, isOne: Bool) {
    #expect((UserHeader(text) != nil) == isOne)
  }
}

/// A till whose sum and action are for cashiers alone.
final class Till: ViewModel {
  @Observed var sum = 0
  init(_ context: SessionContext) {}
  func add(_ amount: Int) { sum += amount }
  static let surface = Surface<Till>(
    "till", .value("sum", \.$sum).visible(to: .role("cashier")), .action("add", Till.add).for(.role("cashier")))
}

@Suite(.timeLimit(.minutes(30))) struct `A user that the app knows` {
  private func server(_ known: [String: User], failing: String? = nil) throws -> TestServer {
    try TestServer([.hosting { Gatehouse($0) }]) {
      $0.authenticate = { head in
        if let failing, head.bearerToken == failing { throw Broken() }
        return head.bearerToken.flatMap { known[$0] } ?? head.cookies("sid").first.flatMap { known[$0] }
      }
    }
  }

  struct Broken: Error {}

  @Test func `comes with a token of the app's own, which is the client's key`() async throws {
    let client = try server(["t1": User(id: "7", name: "Anna"), "t2": User(id: "8", name: "Bert")]).client()
    let opened = try await client.request("POST", "/sessions/gatehouse", fields: [("Authorization", "Bearer t1")])
    #expect((opened.status, opened["Set-Cookie"], opened.json?["token"]) == (201, nil, nil))
    #expect(opened.json?["state"]?["name"] == "Anna")
    let url = try #require(opened["Location"])
    #expect(try await client.request("GET", url, fields: [("Authorization", "Bearer t1")]).status == 200)
    for token in ["t2", "t3"] {
      #expect(try await client.request("GET", url, fields: [("Authorization", "Bearer \(token)")]).status == 404)
    }
    #expect(try await client.request("GET", url).status == 404)
  }

  @Test func `comes with a cookie of the app's own, beside the server's`() async throws {
    let client = try server(["s1": User(id: "7", name: "Anna")]).client()
    let opened = try await client.request("POST", "/sessions/gatehouse", fields: [("Cookie", "sid=s1")])
    #expect(opened.json?["state"]?["name"] == "Anna")
    let url = try #require(opened["Location"])
    let key = try #require(client.cookie)
    client.cookie = nil
    #expect(try await client.request("GET", url, fields: [("Cookie", "\(key); sid=s1")]).status == 200)
    #expect(try await client.request("GET", url, fields: [("Cookie", key)]).status == 401)
    #expect(try await client.request("GET", url, fields: [("Cookie", "sid=s1")]).status == 404)
  }

  @Test func `is not known where the app fails, which is no user's fault`() async throws {
    let client = try server([:], failing: "t1").client()
    let answer = try await client.request("POST", "/sessions/gatehouse", fields: [("Authorization", "Bearer t1")])
    #expect(answer.status == 500)
    // A token that the app does not know is nobody's, as on a server whose app knows none.
    let other = try await client.request("POST", "/sessions/gatehouse", fields: [("Authorization", "Bearer t2")])
    #expect(other.status == 201 && other.json?["state"]?["name"] == "nobody")
  }
}
