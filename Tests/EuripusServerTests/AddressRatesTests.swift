// SPDX-License-Identifier: MIT
import Sessions
import Testing

@testable import EuripusServer

@Suite struct `The rates of addresses` {
  private let rate = Rate(60, per: .seconds(60), burst: 3)

  @Test(arguments: [
    ("2001:db8:0:1::1", "2001:db8:0:1:ffff::9", true), ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
    ("fe80::1%eth0", "fe80::2", true), ("", "unknown", true),
  ])
  func `are one for the addresses of one client`(one: String, other: String, isSame: Bool) {
    let now = ContinuousClock.now
    let rates = AddressRates(rate, now: now)
    for _ in 0..<3 { #expect(rates.take(one, now: now) == nil) }
    #expect(rates.take(one, now: now) == .seconds(1))
    #expect((rates.take(other, now: now) != nil) == isSame)
  }

  @Test(arguments: [(56, 12), (48, 48)])
  func `are counted for the networks of an address too`(prefix: Int, most: Int) {
    let now = ContinuousClock.now
    let rates = AddressRates(rate, now: now)
    // Each address has a /64 of its own. Below the /48, each also has a /56 of its own.
    let addresses = (1...most + 1).map {
      prefix == 56 ? "2001:db8:0:\(String($0, radix: 16))::1" : "2001:db8:0:\(String($0, radix: 16))00::1"
    }
    for address in addresses.dropLast() { #expect(rates.take(address, now: now) == nil, "\(address)") }
    #expect(rates.take(addresses[most], now: now) != nil)
    #expect(rates.take("2001:db8:1::1", now: now) == nil)
  }

  @Test func `are not used up by a neighbour that goes on in vain`() {
    let now = ContinuousClock.now
    let rates = AddressRates(rate, now: now)
    for _ in 0..<100 { _ = rates.take("2001:db8::1", now: now) }
    #expect(rates.take("2001:db8:0:1::1", now: now) == nil)
  }

  @Test func `are kept over a change of the tables, and forgotten when they mean nothing`() {
    var now = ContinuousClock.now
    let rates = AddressRates(rate, now: now)
    now += .milliseconds(2_900)
    for _ in 0..<3 { #expect(rates.take("192.0.2.1", now: now) == nil) }
    now += .milliseconds(200)
    #expect(rates.take("192.0.2.1", now: now) == .milliseconds(800))
    for host in 0..<100 { #expect(rates.take("198.51.100.\(host)", now: now) == nil) }
    #expect(rates.count > 100)
    now += .seconds(10)
    #expect(rates.take("192.0.2.9", now: now) == nil)
    #expect(rates.count == 1)
  }
}
