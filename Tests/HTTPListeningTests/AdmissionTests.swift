// SPDX-License-Identifier: MIT
import Glibc
@testable import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(30))) struct AdmissionTests {
  @Test func `one connection more of an address is closed, and another address is not concerned`() throws {
    try withListener(configure: { $0.maxConnectionsPerAddress = 3 }) { listener in
      let clients = try (0..<3).map { _ in try listener.served() }
      #expect(try RawClient(port: listener.port).isClosedByServer())
      let others = try (0..<3).map { _ in try listener.served(from: 2) }
      #expect(try RawClient(port: listener.port, from: 2).isClosedByServer())
      #expect(listener.counts.refusedPerAddress == 2)
      #expect(listener.counts.accepted == 6)
      #expect(listener.counts.connections == 6)
      withExtendedLifetime((clients, others)) {}
    }
  }

  @Test func `an exempt address has only the limit in all, and takes nothing from the others`() throws {
    try withListener(
      configure: {
        $0.maxConnectionsPerAddress = 2
        $0.maxConnections = 7
        $0.isExemptFromAddressLimit = { $0 == "127.0.0.2" }
      },
      { listener in
        var clients = try (0..<4).map { _ in try listener.served(from: 2) }
        clients += try (0..<2).map { _ in try listener.served() }
        #expect(listener.counts.refusedPerAddress == 0)
        #expect(try RawClient(port: listener.port).isClosedByServer())
        #expect(listener.counts.refusedPerAddress == 1)
        clients.append(try listener.served(from: 2))
        #expect(try RawClient(port: listener.port, from: 2).isClosedByServer())
        #expect(listener.counts.refusedAtLimit == 1)
        #expect(listener.counts.connections == 7)
        withExtendedLifetime(clients) {}
      })
  }

  @Test func `an address is all of IPv4, and the first half of IPv6`() {
    func key(_ text: String) -> AddressKey {
      var peer = PeerAddress()
      peer.fill { storage, length in
        if text.contains(":") {
          var address = sockaddr_in6()
          address.sin6_family = sa_family_t(AF_INET6)
          #expect(inet_pton(AF_INET6, text, &address.sin6_addr) == 1)
          UnsafeMutableRawPointer(storage).storeBytes(of: address, as: sockaddr_in6.self)
        } else {
          var address = sockaddr_in()
          address.sin_family = sa_family_t(AF_INET)
          #expect(inet_pton(AF_INET, text, &address.sin_addr) == 1)
          UnsafeMutableRawPointer(storage).storeBytes(of: address, as: sockaddr_in.self)
        }
      }
      return AddressKey(peer)
    }
    #expect(key("192.0.2.1") != key("192.0.2.2"))
    #expect(key("192.0.2.1") == key("::ffff:192.0.2.1"))
    #expect(key("::ffff:192.0.2.1") != key("::ffff:192.0.2.2"))
    #expect(key("2001:db8:1:2::1") == key("2001:db8:1:2:ffff::2"))
    #expect(key("2001:db8:1:2::1") != key("2001:db8:1:3::1"))
    #expect(key("::1") != key("2001:db8::1"))
    #expect(key("::1") != .none)
  }

  /// The number of connections of `count` that are admitted, each from another /64.
  private func admitted(_ count: Int, by admissions: Admissions, from network: (Int) -> UInt64) -> Int {
    (0..<count).count { admissions.admit(.version6(network($0))) == .admitted }
  }

  @Test func `a /56 has four times as many connections as an address, and a /48 sixteen times`() {
    var configuration = HTTPListenerConfiguration()
    (configuration.maxConnections, configuration.maxConnectionsPerAddress) = (100, 2)
    let admissions = Admissions(configuration)
    let network: UInt64 = 0x2001_0DB8_0001_0000
    #expect(admitted(20, by: admissions) { network + UInt64($0) } == 8)
    #expect(admitted(40, by: admissions) { network + UInt64($0 + 1) << 8 } == 24)
    #expect(admitted(1, by: admissions) { _ in network + 1 << 16 } == 1)
    // A closed connection makes room again, at each level.
    admissions.connectionClosed(.version6(network))
    #expect(admissions.admit(.version6(network + 0xFF)) == .admitted)
    #expect(admissions.admit(.version6(network + 0xFE)) == .tooManyOfAddress)
    #expect(admissions.connectionCount == 33)
  }

  @Test func `a /56 has four times as many handshakes under way as an address`() {
    var configuration = HTTPListenerConfiguration()
    configuration.tls = TLSIdentity(certificates: .text(""), privateKey: .text(""))
    configuration.maxHandshakesPerAddress = 1
    let admissions = Admissions(configuration)
    #expect(admitted(20, by: admissions) { UInt64($0) } == 4)
    admissions.handshakeEnded(.version6(0))
    #expect(admissions.admit(.version6(9)) == .admitted)
    #expect(admissions.admit(.version6(10)) == .tooManyHandshakesOfAddress)
  }

  private static let known = "GET / HTTP/1.1\r\nHost: h\r\nCookie: key\r\n\r\n"

  /// A handler that knows the clients that send a Cookie field, and lets requests to /wait wait.
  private func knowing(_ replies: Mailbox<DeferredReply>) -> @Sendable (HTTPRequest) -> HTTPAnswer {
    { request in
      if request.header("Cookie") != nil { request.setKnown() }
      return request.target == "/wait" ? holding(replies)(request) : echo(request)
    }
  }

  @Test func `an address that holds idle connections up to the limit keeps nobody else out`() throws {
    let replies = Mailbox<DeferredReply>()
    try withListener(
      configure: { ($0.loops, $0.maxConnections) = (1, 32) }, handler: knowing(replies),
      { listener in
        let other = try listener.served(from: 3)
        let client = try listener.client(Self.known)
        _ = try client.receive()
        let many = try (0..<64).map { _ in try listener.served(from: 2) }
        #expect(try listener.answer().status == 200)
        for (each, request) in [(other, get), (client, Self.known)] {
          try each.send(request)
          #expect(try each.receive().status == 200)
        }
        #expect(listener.counts.refusedAtLimit == 0)
        #expect(listener.counts.crowdedOut > 16)
        withExtendedLifetime(many) {}
      })
  }

  @Test func `an address that never closes its side of answered connections keeps nobody else out`() throws {
    try withListener(configure: { ($0.loops, $0.maxConnections) = (1, 32) }) { listener in
      let many = try (0..<64).map { _ in
        let client = try RawClient(port: listener.port, from: 2)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(try client.receive().status == 200)
        return client
      }
      #expect(try listener.answer().status == 200)
      #expect(listener.counts.refusedAtLimit == 0)
      #expect(listener.counts.crowdedOut >= 32)
      withExtendedLifetime(many) {}
    }
  }

  @Test func `near the limit a connection ends with its answer unless its client is known`() throws {
    let replies = Mailbox<DeferredReply>()
    try withListener(
      configure: { ($0.loops, $0.maxConnections) = (1, 32) }, handler: knowing(replies),
      { listener in
        let waiting = try (0..<30).map { _ in
          let client = try listener.client("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
          _ = try replies.take()
          return client
        }
        for (request, ends) in [(get, true), (Self.known, false)] {
          let client = try RawClient(port: listener.port, from: 2)
          try client.send(request)
          #expect((try client.receive().field("Connection")?.lowercased() == "close") == ends)
        }
        withExtendedLifetime(waiting) {}
      })
  }

  @Test func `idle connections go by their clients, then by the network that has most, then by their age`() {
    typealias Place = IdleConnection.Place
    let (heavy, light, second) = (AddressKey.version4(1), AddressKey.version4(2), IdleConnection.youth)
    var idle = (0..<8).map {
      IdleConnection(place: .open($0), network: heavy, isKnown: $0 == 7, age: second + UInt64($0))
    }
    idle.append(IdleConnection(place: .lingering(8), network: light, isKnown: false, age: 9 * second))
    // It is young, and one of the few that each network keeps then.
    idle.append(IdleConnection(place: .open(9), network: .version4(3), isKnown: false, age: second - 1))
    let order = (0...6).reversed().map(Place.open) + [.lingering(8), .open(7)]
    #expect(IdleConnection.leaving(idle, beside: [:]).map(\.place) == order)
    #expect(IdleConnection.leaving(idle, beside: [light: 8]).map(\.place).prefix(2) == [.lingering(8), .open(6)])
  }

  @Test func `everything is counted`() throws {
    try withListener { listener in
      let client = try listener.served()
      let more = post("body") + "GET /% HTTP/1.1\r\nHost: h\r\n\r\n"
      try client.send(more)
      #expect(try client.receive().status == 200)
      #expect(try client.receive().status == 400)
      client.close()
      listener.stop()
      let counts = listener.counts
      #expect(counts.requests == 2)
      #expect(counts.refusals["malformed-request-line"] == 1)
      #expect(counts.refusals.values.reduce(0, +) == 1)
      #expect(counts.refusals.count == 12)
      #expect(counts.bytesReceived == get.utf8.count + more.utf8.count)
      #expect(counts.connections == 0)
    }
  }
}
