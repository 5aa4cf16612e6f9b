// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A server with routes of an app's` {
  private static let answer: AppRoute.Function = { _ in .empty }

  private func fault(_ routes: [AppRoute]) -> String? {
    let failure = #expect(throws: ServerError.self) { _ = try TestServer(routes: routes) }
    return failure.map { "\($0)" }
  }

  @Test(arguments: [
    ("/sessions", "sessions"), ("/sessions/mine", "sessions"), ("/models/{name}", "models"), ("/healthz", "healthz"),
    ("/readyz/more", "readyz"), ("/metrics", "metrics"), ("/openapi.json", "openapi.json"),
    ("/problems/{x}", "problems"),
  ])
  func `does not start where one takes the server's own paths`(path: String, own: String) {
    let text = fault([.get("/fine", Self.answer), .post(path, Self.answer)])
    #expect(
      text == "the route 'POST \(path)' cannot be served: the server has '/\(own)' and what is below it for itself")
  }

  @Test func `does not start where two have the same paths`() {
    let twice = fault([
      .get("/a/{x}.csv", Self.answer), .post("/a/{x}.csv", Self.answer), .get("/a/{x}.csv", Self.answer),
    ])
    #expect(twice == "the route 'GET /a/{x}.csv' cannot be served: it is there twice")
    let names = fault([.get("/a/{x}/b", Self.answer), .post("/a/{y}/b", Self.answer)])
    #expect(
      names == "the route 'POST /a/{y}/b' cannot be served: 'GET /a/{x}/b' has the same paths; "
        + "expected the same names of parameters")
  }

  @Test(arguments: [
    ("", "expected a slash at its beginning"), ("a/b", "expected a slash at its beginning"),
    ("/a//b", "expected something after each slash"), ("/a/", "expected something after each slash"),
    ("//", "expected something after each slash"), ("/{a}/{a}", "the parameter {a} is there twice"),
    ("/{a}{b}", "expected one parameter between two slashes at most, such as {name}; got '{a}{b}'"),
    ("/{a", "expected one parameter"), ("/a}", "has a control character or one of %?#}"), ("/{a}}", "one of %?#}"),
    ("/{}", "got '{}'"), ("/{a b}", "got '{a b}'"), ("/{*}", "got '{*}'"), ("/a%20b", "one of %?#}"),
    ("/a?b=c", "one of %?#}"), ("/a#b", "one of %?#}"), ("/a\n", "one of %?#}"), ("/a/../b", "no client sends"),
  ])
  func `does not start where a path is malformed`(path: String, text: String) {
    let fault = fault([.get(path, Self.answer)])
    #expect(fault?.hasPrefix("the route 'GET \(path)' cannot be served: ") == true)
    #expect(fault?.contains(text) == true, "\(fault ?? "-")")
  }

  @Test func `does not start where a limit is none`() {
    #expect(fault([.get("/a", time: .zero, Self.answer)])?.contains("expected a time above zero") == true)
    #expect(fault([.post("/a", maxBodyBytes: -1, Self.answer)])?.contains("got -1") == true)
  }

  @Test func `starts where their paths differ in anything but the names of parameters`() throws {
    let routes: [AppRoute] = ["/a/{x}", "/a/{x}.csv", "/a/b", "/{x}/b", "/{x}", "/", "/bücher/a b"].flatMap {
      [.get($0, Self.answer), .post($0, Self.answer)]
    }
    let client = try TestServer(routes: routes).client()
    #expect(try client.request("POST", "/b%C3%BCcher/a%20b").status == 204)
  }
}
