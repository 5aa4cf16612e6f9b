// SPDX-License-Identifier: MIT
import Euripus
import EuripusPasswords
import EuripusTesting
import JSONPatching
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(30))) struct `The page of a signed-in user` {
  private let directory = TemporaryDirectory()
  private let recordings = TemporaryDirectory()

  private func server() throws -> TestServer {
    let users = UserStore(directory: directory.path, cost: .least) { Issue.record("logged: \($0)") }
    return try TestServer(all(recordings: recordings.open(), users: users))
  }

  /// Performs something, and takes the new credential that the answer brings.
  @discardableResult
  private func perform(_ action: String, _ client: TestClient, _ url: String) async throws -> TestClient.Response {
    let answer = try await client.request("POST", "\(url)/actions/\(action)", fields: [("Prefer", "wait=55")])
    #expect(answer.status == 200)
    if let cookie = answer["Set-Cookie"] { client.goOn(with: String(cookie.prefix { $0 != ";" })) }
    return answer
  }

  @discardableResult
  private func logIn(_ name: String, _ client: TestClient) async throws -> String {
    let url = try await client.open("login")
    try await client.request("PUT", "\(url)/state/username", "\"\(name)\"")
    try await client.request("PUT", "\(url)/state/password", "\"123456\"")
    let old = client.cookie
    let answer = try await perform("loginTouched", client, url)
    #expect(answer.json?["patch"] == [["op": "replace", "path": "/instruction", "value": "登录成功(*^▽^*)"]])
    #expect(client.cookie != old)
    return url
  }

  private func refusal(_ client: TestClient) async throws -> JSON? {
    let answer = try await client.request("POST", "/sessions/account")
    return answer.status == 401 ? answer.json?["type"] : nil
  }

  private func state(_ client: TestClient, _ url: String) async throws -> JSON {
    try await client.request("GET", url).json?["state"] ?? .null
  }

  @Test func `keeps a note that is saved, beyond the session`() async throws {
    let server = try server()
    let client = try server.client()
    try await logIn("maruko", client)
    let url = try await client.open("account")
    #expect(try await client.request("POST", "\(url)/actions/save").status == 409)
    try await client.request("PUT", "\(url)/state/note", #""mine""#)
    try await perform("save", client, url)
    #expect(try await state(client, url)["isChanged"] == false)
    try await client.request("PUT", "\(url)/state/note", #""forgotten""#)
    #expect(try await client.request("DELETE", url).status == 204)
    #expect(try await state(client, client.open("account"))["note"] == "mine")
  }

  @Test func `is closed to a client that signs out, and to all if everywhere, until the next login`() async throws {
    let server = try server()
    let clients = try (0..<3).map { _ in try server.client() }
    var login = ""
    for client in [2, 0, 1] { login = try await logIn("maruko", clients[client]) }
    let url = try await clients[0].open("account")
    _ = try await clients[1].open("account")
    try await perform("signOut", clients[2], clients[2].open("account"))
    #expect(try await clients[2].request("GET", url).status == 404)
    #expect(try await refusal(clients[2]) == "/problems/sign-in-needed")
    #expect(try await state(clients[1], url)["name"] == "maruko")
    try await perform("signOutEverywhere", clients[0], url)
    #expect(try await refusal(clients[0]) == "/problems/sign-in-needed")
    #expect(try await clients[1].request("GET", url).json?["type"] == "/problems/signed-out")
    #expect(try await clients[1].request("GET", login).json?["type"] == "/problems/signed-out")
    try await logIn("maruko", clients[1])
    #expect(try await state(clients[1], clients[1].open("account"))["name"] == "maruko")
  }
}
