// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `The origin of a request` {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The number of Host fields; `host` is the value of the first.
    var hosts: Int
    var host: String?
    var target: String?
    var forwarded: String?
    var request: CrossSite.Request
    var kind: Problem.Kind?
    var testDescription: String {
      "\(hosts) \(host ?? "-") \(target ?? "-") \(forwarded ?? "-") \(request) -> \(kind?.rawValue ?? "in")"
    }

    init(
      _ kind: Problem.Kind?, host: String? = "127.0.0.1:8080", hosts: Int = 1, target: String? = nil,
      forwarded: String? = nil, isSecure: Bool = false, isByBearer: Bool = false, site: String? = nil,
      mode: String? = nil, destination: String? = nil, origin: String? = nil, readsPage: Bool = false
    ) {
      self.kind = kind
      (self.hosts, self.host, self.target, self.forwarded) = (hosts, host, target, forwarded)
      request = CrossSite.Request(
        host: forwarded ?? host ?? "", isSecure: isSecure, isByBearer: isByBearer, fetchSite: site, fetchMode: mode,
        fetchDestination: destination, origin: origin, readsPage: readsPage)
    }
  }

  static let crossSite = CrossSite(
    hostNames: ["a.example"], allowedOrigins: ["https://app.example", "http://localhost:3000"])

  static let cases: [Case] = [
    Case(nil), Case(.badRequest, host: nil, hosts: 0), Case(.badRequest, hosts: 2), Case(.badRequest, host: ""),
    Case(.wrongHost, host: "evil.example"), Case(nil, host: "A.Example:9"), Case(.wrongHost, target: "evil.example"),
    // The host that a proxy names counts in place of the field.
    Case(nil, host: "inner", forwarded: "a.example"), Case(.wrongHost, forwarded: "evil.example"),
    Case(.badRequest, forwarded: "a.example:x"), Case(.badRequest, hosts: 2, forwarded: "a.example"),
    // Sec-Fetch-Site decides, whatever Origin says.
    Case(nil, site: "same-origin"), Case(nil, site: "none"), Case(.crossSite, site: "same-site"),
    Case(.crossSite, site: "cross-site"), Case(.crossSite, site: "anything"),
    Case(nil, site: "same-origin", origin: "http://evil.example"),
    Case(nil, site: "cross-site", mode: "navigate", destination: "document", readsPage: true),
    Case(.crossSite, site: "cross-site", mode: "navigate", destination: "document"),
    Case(.crossSite, site: "cross-site", mode: "navigate", destination: "iframe", readsPage: true),
    Case(.crossSite, site: "cross-site", mode: "no-cors", destination: "script", readsPage: true),
    // Without Sec-Fetch-Site, Origin decides.
    Case(nil, origin: "http://127.0.0.1:8080"), Case(.crossSite, origin: "http://127.0.0.1"),
    Case(.crossSite, origin: "https://127.0.0.1:8080"), Case(.crossSite, origin: "null"),
    Case(.crossSite, origin: ""), Case(.crossSite, origin: "http://evil.example"),
    Case(nil, host: "a.example:80", origin: "http://a.example"),
    Case(nil, host: "a.example", origin: "HTTP://A.example"),
    Case(nil, host: "inner", forwarded: "a.example", isSecure: true, origin: "https://a.example"),
    Case(.crossSite, host: "inner", forwarded: "a.example", isSecure: true, origin: "http://a.example"),
    Case(nil, host: "a.example:443", isSecure: true, origin: "https://a.example"),
    // No browser adds a bearer token by itself, so another site cannot misuse it.
    Case(nil, isByBearer: true, site: "cross-site", origin: "http://evil.example"),
    Case(nil, isByBearer: true, origin: "null"), Case(.wrongHost, host: "evil.example", isByBearer: true),
    // The server allows these origins, and compares them to the letter.
    Case(nil, site: "cross-site", origin: "https://app.example"), Case(nil, origin: "http://localhost:3000"),
    Case(.crossSite, site: "cross-site", origin: "http://app.example"),
    Case(.crossSite, site: "cross-site", origin: "https://app.example:444"),
    Case(.crossSite, site: "cross-site", origin: "https://x.app.example"),
    Case(.crossSite, site: "cross-site", origin: "https://app.example.evil.example"),
    Case(.crossSite, site: "cross-site", origin: "null"),
    Case(.wrongHost, host: "evil.example", origin: "https://app.example"),
  ]

  @Test(arguments: cases)
  func `decides whether it is let in`(_ given: Case) {
    var kind: Problem.Kind?
    do throws(Problem) {
      try Self.crossSite.checkHosts(
        count: given.hosts, field: given.host, target: given.target, forwarded: given.forwarded)
      try Self.crossSite.check(given.request)
    } catch { kind = error.kind }
    #expect(kind == given.kind)
  }

  @Test(
    arguments: [
      ("10.0.0.7:8080", nil), ("10.0.0.7", nil), ("[fd00::7]:8080", nil), ("a.example", nil),
      ("evil.example", .wrongHost), ("10.0.0.7.evil.example", .wrongHost), ("[fd00::x]", .wrongHost), ("7", .wrongHost),
      ("10.0.0.7:x", .badRequest),
    ] as [(String, Problem.Kind?)])
  func `may be at any address of the server for a health check, and for nothing else`(
    host: String, kind: Problem.Kind?
  ) {
    func problem(isProbe: Bool) -> Problem.Kind? {
      do throws(Problem) {
        try Self.crossSite.checkHosts(count: 1, field: host, target: nil, forwarded: nil, isProbe: isProbe)
        return nil
      } catch { return error.kind }
    }
    #expect(problem(isProbe: true) == kind)
    #expect(problem(isProbe: false) == (host == "a.example" ? nil : kind ?? .wrongHost))
  }

  @Test(arguments: [
    ("https://app.example", true), ("http://localhost:3000", true), ("HTTPS://App.example", true),
    ("http://[::1]:3000", true), ("https://app.example/", false), ("https://app.example:443", false),
    ("app.example", false), ("null", false), ("*", false), ("https://*.example", true), ("https://", false),
    ("ftp://app.example", false), ("https://u@app.example", false), ("https://app.example:", false),
    ("https://app.example:99999", false), ("", false),
  ])
  func `is a scheme, a host and a port, without a slash after it`(text: String, isOrigin: Bool) {
    #expect(CrossSite.isOrigin(text) == isOrigin)
  }
}
