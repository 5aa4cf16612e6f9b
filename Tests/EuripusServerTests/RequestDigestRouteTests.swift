// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Sessions
import Testing

@testable import EuripusServer

@Suite(.timeLimit(.minutes(5))) struct `What is kept of a request with a key` {
  private func serving(_ body: (EuripusServer, TestClient, _ key: String) throws -> Void) throws {
    var configuration = ServerConfiguration()
    configuration.listener.port = 0
    let server = EuripusServer([.hosting { Counter() }], configuration: configuration)
    try server.start()
    defer { server.stop() }
    let client = try TestClient(port: server.port)
    _ = try client.open("counter")
    let cookie = try #require(client.cookie)
    try body(server, client, String(cookie.dropFirst("euripus=".count)))
  }

  @Test func `cannot be told by who knows the request and not the client's key`() throws {
    try serving { server, client, key in
      let url = try client.open("counter")
      #expect(try client.request("DELETE", url, fields: [("Idempotency-Key", "a")]).status == 204)
      let id = try #require(url.split(separator: "/").last.map(String.init))
      guard case .closed(by: let request?) = try server.host.find("counter", id, as: Credential(hashing: key)) else {
        Issue.record("the session is not remembered as closed by a request with a key")
        return
      }
      let digest = { (key: Digest?) in
        Digest(method: "DELETE", path: ["sessions", "counter", id], body: [], key: key)
      }
      #expect(request.digest == digest(Digest.requestKey(of: key)))
      #expect(request.digest != digest(nil))
    }
  }

  @Test func `is the same by whichever means the client's key comes`() throws {
    try serving { server, client, key in
      let url = try client.open("counter")
      let request = ("Idempotency-Key", "a")
      let first = try client.request("POST", url + "/actions/add", "2", fields: [request])
      client.cookie = nil
      let bearer = ("Authorization", "Bearer \(key)")
      let again = try client.request("POST", url + "/actions/add", "2", fields: [request, bearer])
      #expect((first.status, again.status) == (200, 200))
      #expect(again.text == first.text)
      let other = try client.request("POST", url + "/actions/add", "3", fields: [request, bearer])
      #expect(other.problem == "key-reused")
    }
  }
}
