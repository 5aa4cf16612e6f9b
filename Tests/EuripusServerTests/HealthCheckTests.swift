// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A health check` {
  @Test(arguments: ["10.0.0.7:8080", "[fd00::7]:8080"])
  func `names the server by any address, where everything else is of another host, and no page of another site asks`(
    address: String
  ) throws {
    let server = try TestServer([.hosting { Counter() }])
    let client = try server.client()
    let host = [("Host", address)]
    for target in ["/healthz", "/readyz"] {
      #expect(try client.request("GET", target, fields: host).status == 200)
      #expect(try client.request("HEAD", target, fields: host).status == 200)
      #expect(try client.request("OPTIONS", target, fields: host).problem == "wrong-host")
      #expect(try client.request("POST", target, fields: host).problem == "wrong-host")
      #expect(try client.request("GET", target, fields: [("Host", "evil.example")]).problem == "wrong-host")
      let foreign = host + [("Sec-Fetch-Site", "cross-site")]
      #expect(try client.request("GET", target, fields: foreign).problem == "cross-site")
    }
    for target in ["/", "/models", "/metrics", "/healthz/", "/nope.html"] {
      #expect(try client.request("GET", target, fields: host).problem == "wrong-host", "\(target)")
    }
    #expect(try client.request("POST", "/sessions/counter", fields: host).problem == "wrong-host")
  }
}
