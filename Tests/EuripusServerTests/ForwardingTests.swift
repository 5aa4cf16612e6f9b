// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@testable import EuripusServer

@Suite struct `An address range` {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("10.0.0.0/8", "10.255.0.1", true),
    ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3/8", "10.9.9.9", true), ("192.168.4.0/22", "192.168.7.255", true),
    ("192.168.4.0/22", "192.168.8.0", false), ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false),
    ("::1", "::1", true), ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
    ("::/0", "203.0.113.9", true), ("10.0.0.0/8", "::ffff:10.1.1.1", true), ("fe80::/10", "fe80::1%eth0", true),
    ("10.0.0.1/32", "10.0.0.1", true), ("2001:db8::1/128", "2001:db8::1", true), ("10.0.0.128/25", "10.0.0.127", false),
  ])
  func `has the addresses that begin with its bits`(range: String, address: String, isIn: Bool) throws {
    let range = try #require(AddressRange(range))
    #expect(range.contains(try #require(IPAddress(address))) == isIn)
  }

  @Test(arguments: [
    "", "10", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "::1/129", "localhost", "10.0.0.0/ 8", "[::1]",
    "10.0.0.0/08", "10.0.0.0/+8", "10.0.0.0/-0", "010.0.0.0/8", "10.0.0.256", "fe80::1%eth0",
  ])
  func `is in numbers`(text: String) { #expect(AddressRange(text) == nil) }
}

@Suite struct `A Forwarded field` {
  @Test func `is a list with an element of each proxy`() {
    #expect(
      ForwardedElement.list(
        #"for=192.0.2.60;proto=http;by=203.0.113.43, For="[2001:db8:cafe::17]:4711";Host="a.example:81""#)
        == [
          ForwardedElement(address: "192.0.2.60", scheme: "http"),
          ForwardedElement(address: "2001:db8:cafe::17", host: "a.example:81"),
        ])
    #expect(
      ForwardedElement.list("for=unknown, for=_hidden") == [.init(address: "unknown"), .init(address: "_hidden")])
    #expect(
      ForwardedElement.list(#"for="192.0.2.1:80" ; host="a\\\"b""#) == [.init(address: "192.0.2.1", host: #"a\"b"#)])
    #expect(ForwardedElement.list("") == [])
    #expect(ForwardedElement.list(" , for=192.0.2.1 ,, ;") == [.init(address: "192.0.2.1")])
    #expect(ForwardedElement.list("for=192.0.2.1, by=10.0.0.1;secret=x") == [.init(address: "192.0.2.1"), .init()])
  }

  @Test(arguments: ["for", "for=", "=x", "for=a b", #"for="a"#, "for=a;for=b", "for=a/b", "for = a", #"for="a"b"#])
  func `in another form is none`(field: String) { #expect(ForwardedElement.list(field) == nil) }
}

@Suite struct `The word of a proxy` {
  struct Case: Sendable, CustomTestStringConvertible {
    let peer: String
    let isSecure: Bool
    let claims: Forwarding.Claims
    let expected: Forwarding.Client
    var testDescription: String { "\(peer): \(claims)" }

    /// - Parameter expected: The address, whether the client is secure, and the host.
    init(
      _ peer: String = "10.0.0.1", forwarded: String? = nil, for addresses: String? = nil, proto schemes: String? = nil,
      host hosts: String? = nil, isSecure: Bool = false, is expected: (String?, Bool, String?)
    ) {
      (self.peer, self.isSecure) = (peer, isSecure)
      claims = Forwarding.Claims(forwarded: forwarded, addresses: addresses, schemes: schemes, hosts: hosts)
      self.expected = Forwarding.Client(address: expected.0, isSecure: expected.1, host: expected.2)
    }
  }

  static let forwarding = Forwarding(trusting: ["10.0.0.0/8", "::1"].compactMap { AddressRange($0) })
  private static let one = ("192.0.2.1", true, "a.example") as (String?, Bool, String?)
  private static func plain(_ address: String?, _ host: String? = nil) -> (String?, Bool, String?) {
    (address, false, host)
  }

  static let cases: [Case] = [
    // A peer that is not trusted is not believed.
    Case("203.0.113.9", forwarded: "for=192.0.2.1;proto=https;host=a.example", is: plain(nil)),
    Case("203.0.113.9", for: "192.0.2.1", proto: "https", host: "a.example", is: plain(nil)),
    Case("", for: "192.0.2.1", is: plain(nil)), Case(is: plain(nil)), Case(isSecure: true, is: (nil, true, nil)),
    // One proxy.
    Case(forwarded: "for=192.0.2.1;proto=https;host=a.example", is: one),
    Case(for: "192.0.2.1", proto: "https", host: "a.example", is: one),
    Case("::1", for: "2001:db8::7", is: plain("2001:db8::7")),
    Case("::ffff:10.0.0.1", for: "192.0.2.1", is: plain("192.0.2.1")), Case(proto: "HTTPS", is: (nil, true, nil)),
    Case(for: "192.0.2.1:4711", is: plain("192.0.2.1")),
    Case(for: "192.0.2.1", proto: "http", isSecure: true, is: plain("192.0.2.1")),
    // The client's own values stand before those of the proxy, and the server ignores them.
    Case(for: "127.0.0.1, 192.0.2.1", is: plain("192.0.2.1")),
    Case(
      forwarded: "for=127.0.0.1;host=evil.example;proto=https, for=192.0.2.1;host=a.example",
      is: plain("192.0.2.1", "a.example")),
    // A chain of several trusted proxies.
    Case(for: "198.51.100.1, 192.0.2.1, 10.0.0.7", is: plain("192.0.2.1")),
    Case(forwarded: "for=192.0.2.1;proto=https;host=a.example, for=10.0.0.7;proto=http;host=inner", is: one),
    Case(for: "192.0.2.1, 10.0.0.7", proto: "https, http", host: "a.example, inner", is: one),
    Case(for: "192.0.2.1, 10.0.0.7", proto: "https", host: "a.example", is: one),
    Case(for: "10.0.0.8, 10.0.0.7", is: plain("10.0.0.8")),
    // A client whose address the proxy hides.
    Case(forwarded: "for=192.0.2.1;host=evil.example, for=_x;host=a.example", is: plain(nil, "a.example")),
    Case(for: "192.0.2.1, unknown, 10.0.0.7", is: plain("10.0.0.7")),
    // A client of which the proxy says nothing: the elements before the proxy's are the client's own.
    Case(forwarded: "for=192.0.2.1;proto=https;host=evil.example, by=10.0.0.1", is: plain(nil)),
    Case(
      forwarded: "for=127.0.0.1;host=evil.example, by=10.0.0.1, for=10.0.0.7;host=a.example",
      is: plain("10.0.0.7", "a.example")),
  ]

  @Test(arguments: cases)
  func `is believed from trusted proxies`(_ given: Case) throws {
    #expect(
      try Self.forwarding.client(peer: given.peer, isSecure: given.isSecure, given.claims) == given.expected)
  }

  @Test func `is refused where it cannot be understood, or is in fields of two kinds`() {
    for claims in [
      Forwarding.Claims(forwarded: "for"), Forwarding.Claims(schemes: "gopher"),
      Forwarding.Claims(forwarded: "for=192.0.2.1", addresses: "192.0.2.1"),
      Forwarding.Claims(forwarded: "for=192.0.2.1", hosts: "a.example"),
    ] {
      let problem = #expect(throws: Problem.self) {
        try Self.forwarding.client(peer: "10.0.0.1", isSecure: false, claims)
      }
      #expect(problem?.kind == .badRequest)
      #expect(throws: Never.self) { try Self.forwarding.client(peer: "192.0.2.9", isSecure: false, claims) }
    }
  }
}
