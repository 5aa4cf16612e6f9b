// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Locking
import Testing

/// A server with a listener for operators, on a port of its own.
private struct Operated {
  let server: TestServer
  let client: TestClient
  let operators: TestClient

  init(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
    server = try TestServer([
      .hosting { Counter() }, .hosting { Gatehouse($0) }, .hosting(scope: .user) { OwnNotes($0) },
    ]) {
      $0.stopTime()
      $0.administration = .address(host: "127.0.0.1", port: 0)
      configure(&$0)
    }
    client = try server.client()
    operators = try TestClient(port: server.administrationPort)
  }

  /// The sessions in the operators' list.
  func list(_ query: String = "") throws -> [JSON] {
    let answer = try operators.request("GET", "/sessions\(query)")
    guard answer.status == 200, case .array(let sessions)? = answer.json?["sessions"] else { throw Opened.Missing() }
    return sessions
  }
}

@Suite(.timeLimit(.minutes(30))) struct `The listener for operators` {
  private func id(_ url: String) -> String { String(url.split(separator: "/").last ?? "") }

  @Test func `lists sessions, with their users, by pages`() throws {
    let operated = try Operated()
    let counter = try operated.client.open("counter")
    let (anna, hers) = try operated.server.signedIn("anna")
    let own = try anna.open("own-notes")
    let all = try operated.list()
    #expect(all.count == 3)
    let first = try #require(all.first { $0["id"] == .string(id(counter)) })
    #expect(first["model"] == "counter" && first["user"] == .null && first["stored"] == false)
    #expect(first["readers"] == 0)
    for url in [hers, own] { #expect(all.first { $0["id"] == .string(id(url)) }?["user"] == "anna") }
    #expect(try operated.list("?user=anna").count == 2)
    #expect(try operated.list("?model=counter").map { $0["id"] } == [.string(id(counter))])
    #expect(try operated.list("?olderThan=3600").isEmpty)
    var (ids, target): ([JSON?], String?) = ([], "/sessions?limit=1")
    while let page = target {
      let answer = try #require(try operated.operators.request("GET", page).json)
      if case .array(let sessions)? = answer["sessions"] { ids += sessions.map { $0["id"] } }
      target = if case .string(let next)? = answer["next"] { "/sessions?limit=1&after=\(next)" } else { nil }
    }
    #expect(ids == all.map { $0["id"] })
  }

  @Test func `shows the snapshot of a session, and nothing by which it could be used`() throws {
    let operated = try Operated()
    let url = try operated.client.open("counter")
    #expect(try operated.client.request("PUT", "\(url)/state/key", #""a secret""#).status == 200)
    #expect(try operated.client.request("POST", "\(url)/actions/add", "2").status == 200)
    let look = try operated.operators.request("GET", "/sessions/\(id(url))")
    #expect(look.json?["snapshot"] == (try operated.client.request("GET", url).json))
    #expect(look.json?["snapshot"]?["state"]?["count"] == 2)
    let key = try #require(operated.client.cookie?.split(separator: "=").last)
    let list = try operated.operators.request("GET", "/sessions")
    for text in [look.text, list.text] { #expect(!text.contains("a secret") && !text.contains(key)) }
    for method in ["PUT", "POST"] {
      #expect(try operated.operators.request(method, "/sessions/\(id(url))", "{}").status == 405)
    }
  }

  @Test func `ends a session, which its client is told`() throws {
    let operated = try Operated()
    let url = try operated.client.open("counter")
    #expect(try operated.operators.request("DELETE", "/sessions/\(id(url))").status == 204)
    let gone = try operated.client.request("GET", url)
    #expect((gone.status, gone.problem, gone.json?["reason"]) == (410, "session-closed", "ended"))
    #expect(try operated.operators.request("DELETE", "/sessions/\(id(url))").problem == "no-session")
    #expect(try operated.operators.request("GET", "/sessions/\(id(url))").problem == "no-session")
    let unknown = try operated.operators.request("DELETE", "/sessions?model=countr")
    #expect(unknown.problem == "not-found" && unknown.text.contains("expected one of: counter"))
    #expect(operated.server.log.contains { $0.contains("an operator ended sessions sessions=1") })
  }

  @Test func `ends all of a user, everywhere and in polls that wait`() throws {
    let operated = try Operated()
    let (one, first) = try operated.server.signedIn("anna")
    let (other, second) = try operated.server.signedIn("anna")
    let own = try one.open("own-notes")
    let (ben, his) = try operated.server.signedIn("ben")
    let reader = try operated.server.poll(first, of: one)
    try ben.untilMetric("euripus_polls_waiting 1")
    let answer = try operated.operators.request("DELETE", "/sessions?user=anna")
    #expect(answer.json == ["ended": 3], "\(answer.text)")
    #expect(try reader.receive().problem == "signed-out")
    for (client, url) in [(one, first), (other, second), (one, own)] {
      #expect(try client.request("GET", url).problem == "signed-out")
    }
    #expect(try ben.request("GET", his).status == 200)
    #expect(try operated.list().count == 1)
    #expect(try operated.operators.request("DELETE", "/sessions?user=anna").json == ["ended": 0])
    #expect(!operated.server.log.contains { $0.contains("anna") })
  }

  @Test func `ends one client, and its credential is worth nothing from then on`() throws {
    let operated = try Operated()
    let (anna, first) = try operated.server.signedIn("anna")
    let (other, second) = try operated.server.signedIn("anna")
    let stranger = try operated.client.open("counter")
    for (client, url) in [(anna, first), (operated.client, stranger)] {
      let listed = try operated.list().first { $0["id"] == .string(id(url)) }
      guard case .string(let name)? = listed?["client"] else { throw Opened.Missing() }
      #expect(try operated.list("?client=\(name)").count == 1)
      #expect(try operated.operators.request("DELETE", "/sessions?client=\(name)").json == ["ended": 1])
      #expect(try client.request("GET", url).problem == "signed-out")
    }
    #expect(try other.request("GET", second).status == 200)
    #expect(try operated.operators.request("DELETE", "/sessions?client=nobody").json == ["ended": 0])
  }

  @Test func `ends all there are, of users and of others`() throws {
    let operated = try Operated()
    let (anna, hers) = try operated.server.signedIn("anna")
    let own = try anna.open("own-notes")
    let stranger = try operated.client.open("counter")
    #expect(try operated.operators.request("DELETE", "/sessions?all=yes").status == 400)
    #expect(try operated.operators.request("DELETE", "/sessions?all=true").json == ["ended": 3])
    for (client, url) in [(anna, hers), (anna, own), (operated.client, stranger)] {
      #expect(try client.request("GET", url).problem == "signed-out")
    }
    #expect(try operated.list().isEmpty)
    #expect(try operated.client.request("POST", "/sessions/counter").status == 201)
  }

  @Test(
    arguments: [
      "DELETE /sessions", "DELETE /sessions?user=a&model=counter", "DELETE /sessions?model=counter&olderThan=60",
      "DELETE /sessions?model=", "DELETE /sessions?model=counter&model=counter", "GET /sessions?usr=anna",
      "GET /sessions?limit=0", "GET /sessions?limit=1001", "GET /sessions?olderThan=-1", "GET /sessions?after=%ff",
    ])
  func `refuses a query that it does not understand, and ends nothing`(request: String) throws {
    let operated = try Operated()
    _ = try operated.client.open("counter")
    let words = request.split(separator: " ").map(String.init)
    #expect(try operated.operators.request(words[0], words[1]).problem == "bad-request")
    #expect(operated.server.sessionCount == 1)
  }

  @Test func `has the server drain`() throws {
    let operated = try Operated()
    #expect(try operated.client.request("GET", "/readyz").status == 200)
    #expect(try operated.operators.request("POST", "/drain").status == 204)
    #expect(try operated.client.request("GET", "/readyz").problem == "draining")
    #expect(try operated.client.request("POST", "/sessions/counter").problem == "draining")
    #expect(try operated.list().isEmpty)
  }

  @Test func `has works done again that are refused, and says so in the log`() throws {
    let pardons = Locked(0)
    let operated = try Operated { $0.pardon = { pardons.withLock { $0 += 1 } } }
    #expect(try operated.operators.request("POST", "/pardon").status == 204)
    #expect(pardons.withLock { $0 } == 1)
    #expect(operated.server.log.contains { $0.contains("an operator has all works done again") })
  }

  @Test func `has nothing of the listener for clients, nor that of it`() throws {
    let operated = try Operated()
    let url = try operated.client.open("counter")
    for target in [url, "\(url)/changes", "/models", "/metrics", "/index.html"] {
      #expect(try operated.operators.request("GET", target).problem == "not-found", "\(target)")
    }
    #expect(try operated.operators.request("POST", "/sessions/counter").status == 405)
    for (method, target) in [
      ("DELETE", "/sessions?model=counter"), ("GET", "/sessions/\(id(url))"),
      ("DELETE", "/sessions/\(id(url))"), ("POST", "/drain"), ("POST", "/pardon"),
    ] {
      let status = try operated.client.request(method, target).status
      #expect(status == 404 || status == 405, "\(method) \(target)")
    }
    #expect(try operated.client.request("GET", url).status == 200)
    let description = try operated.client.request("GET", "/openapi.json").json
    #expect(description?["paths"]?["/sessions"]?["delete"] == nil && description?["paths"]?["/drain"] == nil)
    // A client is told of its own sessions alone, whichever query parameters it sends.
    let stranger = try operated.server.client()
    #expect(try stranger.request("GET", "/sessions?model=counter&all=true").json == ["sessions": []])
    #expect(description?["components"]?["schemas"]?["SessionLook"] == nil)
  }

  @Test func `takes no request of a page, and none to another host`() throws {
    let operated = try Operated()
    let port = operated.server.administrationPort
    for fields in [
      [("Origin", "https://evil.example")], [("Sec-Fetch-Site", "cross-site")],
      [("Sec-Fetch-Site", "same-site"), ("Origin", "http://127.0.0.1:\(operated.server.port)")],
    ] {
      // A token is nobody's here, and lets no page in.
      for token in [[], [("Authorization", "Bearer euripus.a")]] {
        #expect(try operated.operators.request("POST", "/drain", fields: fields + token).problem == "cross-site")
      }
    }
    let rebound = try operated.operators.request("GET", "/sessions", fields: [("Host", "evil.example:\(port)")])
    #expect(rebound.problem == "wrong-host")
  }

  @Test func `describes itself`() throws {
    let operated = try Operated()
    let document = try #require(try operated.operators.request("GET", "/openapi.json").json)
    guard case .object(let paths)? = document["paths"], case .object(let schemas)? = document["components"]?["schemas"]
    else { throw Opened.Missing() }
    #expect(
      paths.map(\.name) == [
        "/sessions", "/sessions/{id}", "/drain", "/pardon", "/openapi.json", "/problems", "/problems/{name}",
      ])
    #expect(Set(schemas.map(\.name)).isSuperset(of: ["Session", "Sessions", "SessionLook", "Ended", "Problem"]))
    #expect(document["components"]?["securitySchemes"] == nil)
    #expect(try operated.operators.request("GET", "/problems").status == 200)
  }

  @Test func `is at an address of this machine or at a socket`() throws {
    #expect(AdministrationPlace("127.0.0.1:81") == .address(host: "127.0.0.1", port: 81))
    #expect(AdministrationPlace("[::1]:81") == .address(host: "::1", port: 81))
    #expect(AdministrationPlace("./a") == .socket(path: "./a"))
    for text in [
      "", "a", "localhost", "0.0.0.0:81", "example.com:81", "127.0.0.1:", "127.0.0.1:65536", ":81",
      "http://127.0.0.1:81",
    ] {
      #expect(AdministrationPlace(text) == nil, "\(text)")
    }
    for text in ["127.0.0.1:81", "[::1]:81", "/run/a.sock"] { #expect(AdministrationPlace(text)?.description == text) }
  }
}
