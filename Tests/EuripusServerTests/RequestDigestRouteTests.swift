// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Storing
import Testing

@testable import EuripusServer

@Suite(.timeLimit(.minutes(30))) struct `The stored digest of a request with a key` {
  private func serving(_ body: (EuripusServer, TestClient, _ key: String) throws -> Void) throws {
    var configuration = ServerConfiguration()
    configuration.listener.port = 0
    let server = EuripusServer([.hosting { Counter() }], configuration: configuration)
    try server.start()
    defer { server.stop() }
    let client = try TestClient(port: server.port)
    _ = try client.open("counter")
    let cookie = try #require(client.cookie)
    try body(server, client, String(cookie.drop { $0 != "=" }.dropFirst()))
  }

  @Test func `cannot be told from the request without the client's key`() throws {
    try serving { server, client, key in
      let url = try client.open("counter")
      #expect(try client.request("DELETE", url, fields: [("Idempotency-Key", "a")]).status == 204)
      let id = try #require(url.split(separator: "/").last.map(String.init))
      guard case .closed(.byClient(let request?)) = try server.host.find("counter", id, as: Credential(hashing: key))
      else {
        Issue.record("the session is not remembered as closed by a request with a key")
        return
      }
      let digest = { (key: Digest?, signer: Credential?) in
        Digest(method: "DELETE", path: ["sessions", "counter", id], body: [], key: key, of: signer)
      }
      let credential = Credential(hashing: key)
      #expect(request.digest == digest(Digest.requestKey(of: key), credential))
      #expect(request.digest != digest(nil, credential))
      #expect(request.digest != digest(nil, nil))
    }
  }
}
