// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@testable import EuripusServer

@Suite(.timeLimit(.minutes(30))) struct `A client's key` {
  let server: TestServer
  let client: TestClient

  init() throws {
    server = try TestServer([.hosting { Counter() }])
    client = try server.client()
  }

  /// Opens a session whose client asks for a token. Returns the session's URL and the token.
  private func openByBearer(
    _ client: TestClient, fields: [(String, String)] = []
  ) throws -> (url: String, token: String) {
    let response = try client.request("POST", "/sessions/counter", #"{"auth":"bearer"}"#, fields: fields)
    #expect((response.status, response["Set-Cookie"], response["Cache-Control"]) == (201, nil, "no-store"))
    return (try response.string("url"), try response.string("token"))
  }

  static func bearer(_ token: String) -> [(String, String)] { [("Authorization", "Bearer \(token)")] }

  @Test func `comes once as a token if the client wants one, and opens further sessions without another`() throws {
    let (url, token) = try openByBearer(client)
    #expect(token.hasPrefix("euripus.") && token.utf8.count == 51)
    #expect(try client.request("GET", url).problem == "no-session")
    let read = try client.request("GET", url, fields: Self.bearer(token))
    #expect(read.status == 200 && !read.text.contains(token))
    #expect(try client.request("POST", url + "/actions/add", "1", fields: Self.bearer(token)).status == 200)
    for body in [#"{"auth":"bearer"}"#, nil] {
      let other = try client.request("POST", "/sessions/counter", body, fields: Self.bearer(token))
      #expect(other.status == 201)
      #expect(other.json?["token"] == nil && other["Set-Cookie"] == nil)
    }
    #expect(try openByBearer(client).token != token)
  }

  @Test(arguments: ["bearer ", "BEARER ", "Bearer   "])
  func `as a token is known by a scheme in any case`(scheme: String) throws {
    let (url, token) = try openByBearer(client)
    #expect(try client.request("GET", url, fields: [("Authorization", scheme + token)]).status == 200)
  }

  @Test(arguments: [
    ("Basic dXNlcjpwYXNz", false), ("Bearer", true), ("Bearer ", true), ("Bearer a b", true), ("Bearer a,b", true),
    ("Bearer =", true), ("Bearer a=b", true), ("Bearer \"a\"", true), ("token", false), ("", true),
    ("Bearer\ttoken", true),
  ])
  func `that is malformed, or of another scheme, is refused with a challenge`(field: String, isToken: Bool) throws {
    let url = try client.open("counter")
    let refused = try client.request("GET", url, fields: [("Authorization", field)])
    #expect((refused.status, refused.problem) == (401, "bad-credential"))
    let challenge = isToken ? #"Bearer realm="euripus", error="invalid_token""# : #"Bearer realm="euripus""#
    #expect(refused["WWW-Authenticate"] == challenge)
    #expect(try client.request("POST", "/sessions/counter", fields: [("Authorization", field)]).status == 401)
    #expect(server.sessionCount == 1)
  }

  @Test func `beside another client's is refused, or the same twice, and one that nobody knows is none`() throws {
    let (url, token) = try openByBearer(client)
    let twice = try client.request("GET", url, fields: Self.bearer(token) + Self.bearer(token))
    #expect((twice.status, twice.problem) == (401, "bad-credential"))
    let other = try server.client()
    let otherURL = try other.open("counter")
    let both = try other.request("GET", url, fields: Self.bearer(token))
    #expect((both.status, both.problem) == (401, "bad-credential"))
    #expect(try other.request("GET", otherURL, fields: Self.bearer("unknown")).status == 200)
    client.cookie = "\(name)=unknown"
    #expect(try client.request("GET", url, fields: Self.bearer(token)).status == 200)
  }

  /// The name of the cookie.
  private var name: String { "euripus-\(server.port)" }

  @Test func `is what it was made as: a cookie's is no token, and a token is no cookie's`() throws {
    let (url, token) = try openByBearer(client)
    let other = try server.client()
    let otherURL = try other.open("counter")
    let key = try #require(other.cookie?.drop { $0 != "=" }.dropFirst())
    client.cookie = "\(name)=\(token)"
    #expect(try client.request("GET", url).problem == "no-session")
    client.cookie = nil
    #expect(try client.request("GET", otherURL, fields: Self.bearer(String(key))).problem == "no-session")
    // Beside the cookie, a token that is none does no harm.
    #expect(try other.request("GET", otherURL, fields: Self.bearer(String(key))).status == 200)
  }

  @Test func `as a cookie is the one that is known, of several with one name`() throws {
    let url = try client.open("counter")
    let cookie = try #require(client.cookie)
    for cookies in ["\(name)=planted; \(cookie)", "\(cookie); \(name)=planted", "\(name)=; \(cookie)"] {
      client.cookie = cookies
      #expect(try client.request("GET", url).status == 200)
      // The client goes on with the key that it has.
      #expect(try client.request("POST", "/sessions/counter")["Set-Cookie"] == nil)
    }
    client.cookie = "\(name)=planted; \(name)=other"
    #expect(try client.request("GET", url).problem == "no-session")
    #expect(try client.request("POST", "/sessions/counter")["Set-Cookie"] != nil)
    // The server looks up a few keys of one request, the last ones, and not any number.
    let many = (1...4).map { "\(name)=\($0)" }.joined(separator: "; ")
    for (cookies, status) in [("\(many); \(cookie)", 200), ("\(cookie); \(many)", 404)] {
      client.cookie = cookies
      #expect(try client.request("GET", url).status == status)
    }
    let second = try server.client()
    _ = try second.open("counter")
    client.cookie = "\(cookie); \(try #require(second.cookie))"
    #expect(try client.request("GET", url).problem == "bad-credential")
    // The cookies of another server on this machine are ignored.
    client.cookie = "euripus-1=x; euripus=y; \(cookie)"
    #expect(try client.request("GET", url).status == 200)
  }

  @Test func `that was planted beside another ends with the next opening, as does the other`() throws {
    let thief = try server.client()
    let urls = [try client.open("counter"), try thief.open("counter")]
    let planted = try #require(thief.cookie)
    client.cookie = "\(planted); \(try #require(client.cookie))"
    #expect(try client.request("GET", urls[0]).problem == "bad-credential")
    let opened = try client.request("POST", "/sessions/counter")
    #expect(opened.status == 201)
    let fresh = try #require(opened["Set-Cookie"]?.prefix { $0 != ";" })
    // The browser sends the planted one for ever.
    client.cookie = "\(planted); \(fresh)"
    #expect(try client.request("GET", opened.string("url")).status == 200)
    #expect(try thief.request("GET", urls[1]).problem == "signed-out")
    #expect(server.sessionCount == 1)
  }

  @Test func `that was planted beside another ends nothing while the server drains`() throws {
    let thief = try server.client()
    let urls = [try client.open("counter"), try thief.open("counter")]
    let own = try #require(client.cookie)
    client.cookie = "\(try #require(thief.cookie)); \(own)"
    server.drain()
    #expect(try client.request("POST", "/sessions/counter").problem == "draining")
    client.cookie = own
    #expect(try client.request("GET", urls[0]).status == 200)
    #expect(try thief.request("GET", urls[1]).status == 200)
  }

  @Test(arguments: [
    ("localhost:8080", "euripus-8080"), ("localhost", "euripus-80"), ("[::1]", "euripus-80"), ("[::1]:1", "euripus-1"),
    ("localhost:", "euripus-80"),
  ])
  func `as a cookie has the port in its name`(host: String, name: String) {
    #expect(KeyCookie(isSecure: false, host: host).name == name)
    #expect(KeyCookie(isSecure: true, host: host).name == "__Host-euripus")
  }

  @Test func `that nobody knows is never adopted`() throws {
    let (url, token) = try openByBearer(client, fields: Self.bearer("mine"))
    #expect(token != "mine")
    #expect(try client.request("GET", url, fields: Self.bearer("mine")).problem == "no-session")
    let other = try server.client()
    other.cookie = "\(name)=mine"
    let cookie = try other.request("POST", "/sessions/counter")["Set-Cookie"]
    #expect(cookie != nil && cookie?.contains("=mine;") == false)
  }

  @Test func `that is wrong or missing is answered alike, byte for byte, whether there is a session or not`() throws {
    let url = try client.open("counter")
    let closed = try client.open("counter")
    try client.request("DELETE", closed)
    let other = try server.client()
    _ = try other.open("counter")
    var answers: [String] = []
    for client in [other, try server.client()] {
      for target in [url, closed, "/sessions/counter/AAAAAAAAAAAAAAAAAAAAAA", "/sessions/nope/\(url.suffix(22))"] {
        for (method, path) in [("GET", ""), ("GET", "/changes"), ("POST", "/actions/add"), ("DELETE", "")] {
          let response = try client.request(method, target + path, method == "POST" ? "1" : nil)
          #expect((response.status, response.problem) == (404, "no-session"), "\(method) \(target)\(path)")
          let fields = response.fields.filter { $0.name != "Date" }.map { "\($0.name): \($0.value)" }
          answers.append((fields + [response.text]).joined(separator: "\n"))
        }
      }
    }
    #expect(Set(answers).count == 1)
  }

  @Test func `by the other means is another client's, also with a request's key: each opens a session`() throws {
    let first = try client.open("counter")
    let fields = [("Idempotency-Key", "a")]
    let made = try (0..<2).map { _ in try openByBearer(client, fields: fields) }
    for (url, token) in made {
      #expect(try server.client().request("GET", url, fields: Self.bearer(token)).status == 200)
      #expect(try client.request("GET", url).problem == "no-session")
      #expect(try server.client().request("GET", first, fields: Self.bearer(token)).problem == "no-session")
    }
    #expect(made[0].token != made[1].token)
    #expect(server.sessionCount == 3)
    // The key is still unused by the client that is known by its cookie.
    #expect(try client.request("POST", "/sessions/counter", fields: fields).status == 201)
    let bearer = Self.bearer(made[0].token)
    let cookie = try server.client().request("POST", "/sessions/counter", #"{"auth":"cookie"}"#, fields: bearer)
    #expect(cookie["Set-Cookie"] != nil && cookie.json?["token"] == nil)
  }
}
