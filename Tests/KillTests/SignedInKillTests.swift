// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Somebody who has signed in, on a server that is killed` {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("euripus-\(UUID().uuidString)")

  private func client(_ server: KilledServer, _ cookie: String?) throws -> TestClient {
    let client = try TestClient(port: server.port)
    client.cookie = cookie
    return client
  }

  @Test func `is known after it, with the parameters of the session, and not by the credential from before`() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = try KilledServer(store: directory.appendingPathComponent("sessions.db").path, options: [])
    let first = try client(server, nil)
    let url = try #require(
      first.request("POST", "/sessions/guest", #"{"params":{"table":7}}"#)["Location"])
    let old = first.cookie
    #expect(try first.request("POST", url + "/actions/enter", #""anna""#).status == 200)
    let new = first.cookie
    #expect(new != old)
    for _ in 0..<2 {
      try server.replace()
      // The old credential comes first, to a server that has read nothing from its store yet.
      let refused = try client(server, old).request("GET", url)
      #expect(refused.status == 401 && refused.json?["type"] == "/problems/credential-replaced")
      let found = try client(server, new).request("GET", url)
      #expect(found.json?["state"] == ["name": "anna", "table": 7, "bill": 0])
      #expect(try client(server, nil).request("GET", url).status == 404)
    }
  }
}
