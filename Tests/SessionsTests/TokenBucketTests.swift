// SPDX-License-Identifier: MIT
import Seeded
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

  /// The bucket's plain twin is a number of tokens that grows with time.
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
