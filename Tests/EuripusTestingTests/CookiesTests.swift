// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The cookies of a test's client` {
  private let client: TestClient

  init() throws {
    let routes: [AppRoute] = [
      .get("/in") { _ in .text("in").adding("Set-Cookie", "sid=t1==; Path=/").adding("Set-Cookie", "theme=dark") },
      .get("/out") { _ in .text("out").adding("Set-Cookie", "sid=t1; max-age=0").adding("Set-Cookie", "theme=") },
      .get("/sent") { request in .text(request.fields.first { $0.name.lowercased() == "cookie" }?.value ?? "") },
    ]
    client = try TestServer([.hosting { Clicks() }]) { $0.routes = routes }.client()
  }

  @Test func `are kept by their names, the app's beside the server's`() throws {
    let url = try client.open("clicks")
    let own = try #require(client.cookie)
    try client.request("GET", "/in")
    #expect(client.cookie == "\(own); sid=t1==; theme=dark")
    #expect(try client.request("GET", "/sent").text == client.cookie)
    #expect(try client.request("GET", url).status == 200)
    try client.request("GET", "/out")
    #expect(client.cookie == own)
  }

  @Test func `go on at another port, where the server's own has another name`() {
    client.goOn(with: "euripus-1=key; sid=t1")
    #expect(client.cookie == "euripus-\(client.port)=key; sid=t1")
  }
}

private final class Clicks: ViewModel {
  static let surface = Surface<Clicks>("clicks")
}
