// SPDX-License-Identifier: MIT
import EuripusTesting
import Testing

@testable import EuripusServer

/// The header fields that each kind of response needs (PROTOCOL §7).
@Suite(.timeLimit(.minutes(30))) struct `Every response` {
  let opened: Opened

  init() throws {
    opened = try Opened {
      $0.publicDirectory = publicDirectory
      $0.allowedOrigins = ["https://app.example"]
    }
  }

  /// The fields that only documents have: pages for a browser, and the files of these pages.
  static let ofDocuments = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ), ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  static let cacheControls = [["no-store"], ["no-store, no-transform"], ["no-cache"]]

  private func check(_ response: TestClient.Response, isDocument: Bool = false, _ what: String) {
    let values = { (name: String) in
      response.fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
    #expect(Self.cacheControls.contains(values("Cache-Control")), "\(what)")
    if response["Content-Type"] != nil { #expect(values("X-Content-Type-Options") == ["nosniff"], "\(what)") }
    for (name, value) in Self.ofDocuments { #expect(values(name) == (isDocument ? [value] : []), "\(what): \(name)") }
    for name in ["Server", "X-Powered-By"] { #expect(response[name] == nil, "\(what)") }
    if what.contains("/sessions/"), response.status != 304 {
      #expect(values("Cache-Control").first?.hasPrefix("no-store") == true, "\(what)")
    }
  }

  @Test func `has the fields of its kind once, at each path and for each method`() throws {
    let client = opened.client
    for resource in RouteTable.all.resources {
      let nowhere = `A server's routes`.filled(resource.template)
      for target in [nowhere, nowhere.replacing("AAAAAAAAAAAAAAAAAAAAAA", with: opened.url.suffix(22))] {
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"] {
          let response = try client.request(method, target, method == "POST" ? "{}" : nil)
          let isPage = resource.route(RequestMethod(rawValue: method))?.isPage == true
          check(response, isDocument: isPage && response.status == 200, "\(method) \(target)")
        }
      }
    }
  }

  @Test func `has them for each kind of answer`() throws {
    let client = opened.client
    let tag = try #require(try client.request("GET", opened.url)["ETag"])
    let file = try #require(try client.request("GET", "/login.html")["ETag"])
    for (method, target, body, fields, status) in [
      ("GET", opened.url, nil, [], 200), ("GET", opened.url, nil, [("If-None-Match", tag)], 304),
      ("GET", "/login.html", nil, [], 200), ("GET", "/login.html", nil, [("If-None-Match", file)], 304),
      ("HEAD", "/login.html", nil, [], 200), ("GET", opened.url + "/state/count", nil, [], 200),
      ("GET", opened.url + "/changes?since=\(tag.dropFirst().dropLast())", nil, [], 204),
      ("POST", "/sessions/counter", nil, [], 201), ("POST", opened.url + "/actions/add", "1", [], 200),
      ("POST", opened.url + "/actions", #"{"do":"/add","value":1}"#, [], 200), ("OPTIONS", "*", nil, [], 204),
      ("OPTIONS", opened.url, nil, [("Origin", "https://app.example"), ("Access-Control-Request-Method", "GET")], 204),
      ("GET", opened.url, nil, [("Origin", "https://app.example")], 200),
      ("GET", opened.url, nil, [("Authorization", "Basic x")], 401),
      ("GET", opened.url, nil, [("Origin", "null")], 403), ("GET", "/nope", nil, [], 404),
      ("PATCH", opened.url, nil, [], 405), ("GET", opened.url + "/changes", nil, [("Accept", "text/html")], 406),
      ("POST", opened.url + "/actions/add", "1", [("Idempotency-Key", "a/2")], 409),
      ("POST", opened.url + "/actions/add", "1", [("If-Match", "\"x.1\"")], 412),
      ("POST", opened.url + "/actions/add", "1", [("Content-Type", "text/plain")], 415),
      ("GET", "/", nil, [("Host", "evil.example")], 421), ("POST", opened.url + "/actions/add", "{}", [], 422),
      ("POST", opened.url + "/actions/fail", nil, [], 500), ("BREW", "/", nil, [], 501),
      ("DELETE", opened.url, nil, [], 204), ("GET", opened.url, nil, [], 410),
    ] as [(String, String, String?, [(String, String)], Int)] {
      let response = try client.request(method, target, body, fields: fields)
      #expect(response.status == status, "\(method) \(target): \(response.text)")
      check(response, isDocument: target == "/login.html" && status == 200, "\(status) \(method) \(target)")
    }
    // The server ends the connection after each of these, so each has a client of its own.
    let large = try opened.server.client()
    check(try large.request("POST", opened.url, String(repeating: " ", count: 65_537)), "413")
    let malformed = try opened.server.client()
    check(try malformed.request("GET", "/a%00b"), "400")
  }
}
