// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A Content-Security-Policy` {
  @Test func `that is set is that of every page, and of no answer of the API`() throws {
    let opened = try Opened {
      $0.publicDirectory = publicDirectory
      $0.contentSecurityPolicy = "default-src 'self'; img-src https:"
    }
    for path in ["/login.html", "/euripus.js", "/problems"] {
      let policy = try opened.client.request("GET", path)["Content-Security-Policy"]
      #expect(policy == "default-src 'self'; img-src https:", "\(path)")
    }
    #expect(try opened.get()["Content-Security-Policy"] == nil)
  }

  @Test func `without any directive is no field`() throws {
    let opened = try Opened {
      $0.publicDirectory = publicDirectory
      $0.contentSecurityPolicy = ""
    }
    let page = try opened.client.request("GET", "/login.html")
    #expect(page["Content-Security-Policy"] == nil && page["Referrer-Policy"] == "no-referrer")
  }

  @Test func `is changed by one of its directives, and keeps the others`() {
    var policy: ContentSecurityPolicy = "default-src 'none'; img-src 'self';  style-src 'self' "
    #expect(policy["img-src"] == "'self'" && policy["script-src"] == nil)
    policy["img-src"] = "'self' data:"
    #expect(policy.text == "default-src 'none'; img-src 'self' data:; style-src 'self'")
    policy["style-src"] = nil
    policy["upgrade-insecure-requests"] = ""
    #expect(policy.text == "default-src 'none'; img-src 'self' data:; upgrade-insecure-requests")
    #expect(policy["upgrade-insecure-requests"] == "")
  }

  @Test func `with the most bytes is sent`() throws {
    let server = try TestServer([]) {
      $0.contentSecurityPolicy = ContentSecurityPolicy("img-src " + String(repeating: "a", count: 2_040))
    }
    #expect(try server.client().request("GET", "/problems")["Content-Security-Policy"]?.utf8.count == 2_048)
  }
}
