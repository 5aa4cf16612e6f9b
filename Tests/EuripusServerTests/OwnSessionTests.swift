// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// The answers to `GET /sessions` (PROTOCOL §2).
@Suite(.timeLimit(.minutes(30))) struct `The sessions that a client has` {
  private func server(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> TestServer {
    try TestServer(
      [.hosting { Counter() }, .hosting { Gatehouse($0) }, .hosting(scope: .user) { OwnNotes($0) }],
      configure: configure)
  }

  /// The listed sessions: whether the client can use each, by the session's URL.
  private func list(_ client: TestClient, fields: [(String, String)] = []) throws -> [String: JSON] {
    let answer = try client.request("GET", "/sessions", fields: fields)
    #expect(answer.status == 200 && answer["Cache-Control"] == "no-store", "\(answer.text)")
    guard case .array(let sessions)? = answer.json?["sessions"] else { return [:] }
    return sessions.reduce(into: [:]) { list, session in
      guard case .string(let url)? = session["url"], case .integer? = session["age"] else { return }
      #expect(session["model"] == .string(String(url.split(separator: "/")[1])))
      list[url] = session["reachable"]
    }
  }

  @Test func `are listed to it alone, and those that are closed are not`() throws {
    let server = try server()
    let (one, other) = (try server.client(), try server.client())
    let (first, second) = (try one.open("counter"), try one.open("gatehouse"))
    let others = try other.open("counter")
    #expect(try list(one) == [first: true, second: true])
    #expect(try list(other) == [others: true])
    #expect(try one.request("DELETE", first).status == 204)
    #expect(try list(one) == [second: true])
    #expect(try list(server.client()) == [:])
    other.goOn(with: other.cookie.map { "\($0)x" })
    #expect(try list(other) == [:])
    let made = try one.request("POST", "/sessions/counter", #"{"auth":"bearer"}"#)
    let token = [("Authorization", "Bearer \(try made.string("token"))")]
    #expect(try list(server.client(), fields: token) == [made["Location"] ?? "": true])
  }

  @Test func `are also those of its user, from another browser too, and of nobody else`() throws {
    let server = try server()
    let (one, other, stranger) = (try server.client(), try server.client(), try server.client())
    let (first, second, his) = (try one.enter("anna"), try other.enter("anna"), try stranger.enter("ben"))
    let own = try one.open("own-notes")
    #expect(try list(one) == [first: true, own: true, second: false])
    #expect(try list(other) == [first: false, own: true, second: true])
    #expect(try list(stranger) == [his: true])
    // The user's own session opens in the other browser. A session of the other client is not found.
    #expect(try other.open("own-notes") == own)
    #expect(try other.request("GET", first).problem == "no-session")
    let old = other.cookie
    #expect(try other.request("POST", "\(second)/actions/leave").status == 200)
    #expect(try list(other) == [second: true])
    #expect(try list(one) == [first: true, own: true])
    other.goOn(with: old)
    #expect(try other.request("GET", "/sessions").problem == "credential-replaced")
  }

  @Test func `are not told to another site's page, nor compressed, nor used by it`() throws {
    let server = try server()
    let client = try server.client()
    let url = try client.open("counter")
    #expect(try client.request("GET", "/sessions", fields: [("Sec-Fetch-Site", "cross-site")]).problem == "cross-site")
    for _ in 0..<15 { _ = try client.open("counter") }
    let answer = try client.request("GET", "/sessions", fields: [("Accept-Encoding", "gzip")])
    #expect(answer["Content-Encoding"] == nil && answer.text.contains(url) && answer.body.count > 1_024)
    #expect(try client.request("POST", "/sessions").status == 405)
    #expect(try client.request("GET", "/sessions", fields: [("If-None-Match", "*")]).status == 304)
    #expect(try client.request("GET", "/sessions", fields: [("If-Match", #""a""#)]).status == 412)
  }

  @Test func `are those in the store as well, after a restart, and not by a key from before a sign-in`() throws {
    let folder = try PublicFolder(["store/empty": ""])
    let path = "\(folder.path)/store/sessions.db"
    let before = try server { $0.sessions.storage = .sqlite(path) }
    let (one, other, stranger) = (try before.client(), try before.client(), try before.client())
    let plain = try stranger.open("counter")
    let planted = try one.open("gatehouse")
    let old = one.cookie
    #expect(try one.request("POST", "\(planted)/actions/enter", #""anna""#).status == 200)
    let (second, own) = (try other.enter("anna"), try one.open("own-notes"))
    for (client, url) in [(one, planted), (one, own), (other, second), (stranger, plain)] {
      #expect(try client.request("GET", url).status == 200)
    }
    before.stop()
    let after = try server { $0.sessions.storage = .sqlite(path) }
    func again(_ cookie: String?) throws -> TestClient {
      let client = try after.client()
      client.goOn(with: cookie)
      return client
    }
    #expect(try list(again(stranger.cookie)) == [plain: true])
    let client = try again(one.cookie)
    #expect(try list(client) == [planted: true, own: true, second: false])
    // Listing the sessions has brought none into memory.
    #expect(after.sessionCount == 0)
    #expect(try client.request("GET", own).status == 200)
    #expect(try list(client) == [planted: true, own: true, second: false])
    let late = try again(old).request("GET", "/sessions")
    #expect(late.status == 401 || late.json == ["sessions": []], "\(late.text)")
  }

  @Test func `end with the answer to signing out where they are the user's own, and it says so`() throws {
    let server = try server()
    let client = try server.client()
    let (url, own) = (try client.enter("anna"), try client.open("own-notes"))
    let left = try client.request("POST", own + "/actions/leave")
    #expect(left.json?["ended"] == true && left["Set-Cookie"] != nil, "\(left.text)")
    #expect(try client.request("GET", own).problem == "no-session")
    // The one that the client has opened goes on.
    #expect(try client.request("POST", url + "/actions/enter", #""anna""#).json?["ended"] == nil)
    #expect(try client.request("POST", url + "/actions/leave").json?["ended"] == nil)
    // A client that keeps its key by itself has that beside it.
    let opened = try server.client().request("POST", "/sessions/gatehouse", #"{"auth":"bearer"}"#)
    func perform(_ action: String, in session: TestClient.Response, _ token: String, _ value: String? = nil) throws
      -> TestClient.Response
    {
      let url = try #require(session["Location"])
      return try server.client().request(
        "POST", "\(url)/actions/\(action)", value, fields: [("Authorization", "Bearer \(token)")])
    }
    let token = try perform("enter", in: opened, opened.string("token"), #""anna""#).string("token")
    let notes = try server.client().request(
      "POST", "/sessions/own-notes", fields: [("Authorization", "Bearer \(token)")])
    let last = try perform("leave", in: notes, token)
    #expect(last.json?["ended"] == true && last.json?["token"] != nil && last.json?["from"] != nil, "\(last.text)")
  }
}
