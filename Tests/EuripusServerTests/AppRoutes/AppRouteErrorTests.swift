// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `An error that a route throws` {
  private struct Secret: Error, CustomStringConvertible { let description = "the password is hunter2" }
  private struct Shown: PresentableError {
    let type = "sold-out"
    let detail = "there are no tickets left"
  }

  private func thrown(_ error: any Error) throws -> (response: TestClient.Response, log: [String]) {
    let server = try TestServer(routes: [.post("/fail/{how}") { _ in throw error }])
    let response = try server.client().request("POST", "/fail/now")
    return (response, server.log)
  }

  @Test func `is a problem without details, with the id of the line in the log that has them`() throws {
    let (response, log) = try thrown(Secret())
    #expect((response.status, response.problem, response["Cache-Control"]) == (500, "internal", "no-store"))
    #expect(!response.text.contains("hunter2"))
    let id = try response.string("id")
    let line = log.first { $0.contains("a route failed") }
    #expect(line?.contains("hunter2") == true && line?.contains("id=\(id)") == true, "\(log)")
    #expect(line?.contains("POST /fail/{how}") == true)
  }

  @Test func `that is for the client is told with its status, its detail and its fields`() throws {
    var problem = RouteProblem(429, "there were too many letters")
    problem.members = [JSON.Member(name: "letters", value: 7), JSON.Member(name: "status", value: 1)]
    problem.fields = [HTTPField("Retry-After", "9")]
    let (response, log) = try thrown(problem)
    #expect((response.status, response["Content-Type"]) == (429, "application/problem+json"))
    #expect((response["Retry-After"], response["Cache-Control"]) == ("9", "no-store"))
    #expect(
      response.json == [
        "type": "about:blank", "title": "Too Many Requests", "status": 429, "detail": "there were too many letters",
        "letters": 7,
      ])
    #expect(!log.contains { $0.contains("failed") })
    let shown = try thrown(Shown()).response
    #expect((shown.status, shown.json?["error"]) == (422, "sold-out"))
    #expect(shown.json?["detail"] == "there are no tickets left")
  }

  @Test func `that reads like a client's mistake, but comes from elsewhere, is the app's`() throws {
    let jsonError = #expect(throws: JSONError.self) { _ = try JSONReader.read("[") }
    for error in [
      JSONMismatch(expected: "a", found: "b"), SurfaceError.readOnly("x"), CancellationError(),
      try #require(jsonError), RouteProblem(200, "well"),
    ] as [any Error] {
      let (response, log) = try thrown(error)
      #expect(response.problem == "internal", "\(error)")
      #expect(!(error is RouteProblem) || log.contains { $0.contains("status of a RouteProblem is 200") })
    }
  }

  @Test func `is a mistake of the app where the path has no such parameter`() throws {
    let server = try TestServer(routes: [.get("/a/{name}") { request in .text(try request.parameter("nmae")) }])
    #expect(try server.client().request("GET", "/a/b").problem == "internal")
    #expect(server.log.contains { $0.contains("no parameter 'nmae'; expected one of: name") }, "\(server.log)")
  }

  @Test(arguments: [
    (RouteResponse(status: 99), "the status is 99"), (RouteResponse(status: 600), "the status is 600"),
    (.text("a").adding("X-A", "b\r\nSet-Cookie: c=d"), "'X-A' has a control character"),
    (.text("a").adding("X A", "b"), "'X A' is no name"), (.text("a").adding("", "b"), "'' is no name"),
    (.text("a").adding("Content-Length", "9"), "sets 'Content-Length' by itself"),
    (.text("a").adding("ETag", "\"a\""), "sets 'ETag' by itself"),
    (.text("a").adding("X-Long", String(repeating: "a", count: 4_096)), "expected 4096 at most"),
  ])
  func `or a response that cannot be sent is a problem too, and its fault is in the log`(
    response: RouteResponse, fault: String
  ) throws {
    let server = try TestServer(routes: [.get("/bad") { _ in response }])
    #expect(try server.client().request("GET", "/bad").problem == "internal")
    #expect(server.log.contains { $0.contains(fault) }, "\(server.log)")
  }

  @Test func `leaves the connection as it was, and a response with the longest fields is sent`() throws {
    let value = String(repeating: "a", count: 4_000)
    let server = try TestServer(routes: [
      .get("/fail") { _ in throw Secret() }, .get("/long") { _ in .text("a").adding("X-Long", value) },
    ])
    let client = try server.client()
    #expect(try client.request("GET", "/fail").status == 500)
    #expect(try client.request("GET", "/long")["X-Long"] == value)
    #expect(try client.request("GET", "/fail").status == 500)
  }
}
