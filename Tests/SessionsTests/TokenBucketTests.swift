// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions

@Suite struct `A token bucket` {
  private let rate = Rate(100, per: .seconds(1), burst: 200)

  @Test func `lets a burst through and not one more, and then as many as come in by time`() {
    let clock = ManualClock()
    var bucket = TokenBucket(now: clock.now)
    for number in 1...200 { #expect(bucket.take(of: rate, now: clock.now) == nil, "\(number)") }
    #expect(bucket.take(of: rate, now: clock.now) == .milliseconds(10))
    clock.advance(by: .milliseconds(9))
    #expect(bucket.take(of: rate, now: clock.now) == .milliseconds(1))
    clock.advance(by: .milliseconds(1))
    #expect(bucket.take(of: rate, now: clock.now) == nil)
    #expect(bucket.take(of: rate, now: clock.now) == .milliseconds(10))
    clock.advance(by: .seconds(3_600))
    for number in 1...200 { #expect(bucket.take(of: rate, now: clock.now) == nil, "\(number)") }
    #expect(bucket.take(of: rate, now: clock.now) != nil)
  }

  @Test func `gives several at once, or none of them`() {
    let clock = ManualClock()
    var bucket = TokenBucket(now: clock.now)
    #expect(bucket.take(199, of: rate, now: clock.now) == nil)
    #expect(bucket.take(2, of: rate, now: clock.now) == .milliseconds(10))
    #expect(bucket.take(1, of: rate, now: clock.now) == nil)
  }

  /// The plain twin: a number of tokens that grows.
  @Test func `agrees with a bucket that counts its tokens`() {
    var random = SeededGenerator(seed: 0x70C3)
    let clock = ManualClock()
    let rate = Rate(7, per: .seconds(7), burst: 5)
    var bucket = TokenBucket(now: clock.now)
    var tokens = 5.0
    for step in 0..<10_000 {
      let pause = Int.random(in: 0...40, using: &random)
      clock.advance(by: .milliseconds(pause * 125))
      tokens = min(5, tokens + Double(pause) * 0.125)
      let count = Int.random(in: 1...3, using: &random)
      let isGranted = tokens >= Double(count)
      if isGranted { tokens -= Double(count) }
      #expect((bucket.take(count, of: rate, now: clock.now) == nil) == isGranted, "step \(step), seed 0x70C3")
    }
  }

  @Test(arguments: [(Duration.zero, 1), (.milliseconds(1), 1), (.seconds(1), 1), (.milliseconds(1_001), 2)])
  func `says in whole seconds when to come back`(lack: Duration, seconds: Int) {
    #expect(lack.secondsToWait == seconds)
  }
}

@Suite struct `The rates of addresses` {
  private let rate = Rate(60, per: .seconds(60), burst: 3)

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
    ("2001:db8:0:1::1", "2001:db8:0:1:ffff::9", true), ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
    ("fe80::1%eth0", "fe80::2", true), ("", "unknown", true),
  ])
  func `are one for those who are one client`(one: String, other: String, isSame: Bool) {
    let clock = ManualClock()
    let rates = AddressRates(rate, now: clock.now)
    for _ in 0..<3 { #expect(rates.take(one, now: clock.now) == nil) }
    #expect(rates.take(one, now: clock.now) == .seconds(1))
    #expect((rates.take(other, now: clock.now) != nil) == isSame)
  }

  @Test(arguments: 0..<8)
  func `are told by an address wherever that lies`(offset: Int) {
    let address: [UInt8] = [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 1] + Array(repeating: 9, count: 8)
    // From the allocator, so that the first byte is where any number could be.
    let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 24, alignment: 16)
    defer { space.deallocate() }
    for (index, byte) in address.enumerated() { space[offset + index] = byte }
    #expect(AddressRates.key(UnsafeRawBufferPointer(rebasing: space[offset..<offset + 16])) == 0x2001_0DB8_0000_0001)
  }

  @Test func `are kept over a change of the tables, and forgotten when they mean nothing`() {
    let clock = ManualClock()
    let rates = AddressRates(rate, now: clock.now)
    clock.advance(by: .milliseconds(2_900))
    for _ in 0..<3 { #expect(rates.take("192.0.2.1", now: clock.now) == nil) }
    clock.advance(by: .milliseconds(200))
    #expect(rates.take("192.0.2.1", now: clock.now) == .milliseconds(800))
    for host in 0..<100 { #expect(rates.take("198.51.100.\(host)", now: clock.now) == nil) }
    #expect(rates.count > 100)
    clock.advance(by: .seconds(10))
    #expect(rates.take("192.0.2.9", now: clock.now) == nil)
    #expect(rates.count == 1)
  }
}
