// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Locking
import Testing

/// The metrics and log lines that requests to an app's routes leave for operators.
@Suite(.timeLimit(.minutes(30))) struct `A request to a route of an app` {
  @Test func `is counted by its path's form, its method and its status`() throws {
    let server = try TestServer(routes: [
      .get("/reports/{name}.csv") { _ in .csv([]) }, .post("/fail") { _ in throw RouteProblem(409, "no") },
    ])
    let client = try server.client()
    for name in ["a", "b"] { #expect(try client.request("GET", "/reports/\(name).csv").status == 200) }
    #expect(try client.request("POST", "/fail").status == 409)
    #expect(try client.request("PUT", "/fail").status == 405)
    for (route, method, status, count) in [
      ("/reports/{name}.csv", "GET", 200, 2), ("/fail", "POST", 409, 1), ("/fail", "PUT", 405, 1),
    ] {
      let name = #"euripus_http_requests_total{method="\#(method)",route="\#(route)",status="\#(status)"}"#
      #expect(try client.metric(name) == count, "\(route)")
    }
  }

  @Test func `is a line in the log of requests, with the id that its function has`() throws {
    let (lines, ids) = (LogLines(), Locked<[String]>([]))
    let server = try TestServer(
      routes: [
        .get("/things/{name}") { request in
          ids.withLock { $0.append(request.id) }
          return .text("abc")
        }
      ],
      configure: {
        $0.log.hasRequests = true
        $0.log.logger = lines.logger(.json)
      })
    let client = try server.client()
    for _ in 0..<2 { #expect(try client.request("GET", "/things/c4n4ry?c4n4ry=1").status == 200) }
    #expect(try client.request("GET", "/healthz").status == 200)
    let logged = try lines.json
    #expect(logged.map { $0["route"] } == ["/things/{name}", "/things/{name}", "/healthz"])
    #expect(logged.map { $0["bytes"] } == [3, 3, 3] && logged.map { $0["status"] } == [200, 200, 200])
    let known = ids.withLock { $0 }
    #expect(Set(known).count == 2)
    #expect(logged.map { $0["id"] } == known.map { .string($0) } + [nil])
    #expect(!lines.all.joined().contains("c4n4ry"))
  }
}
