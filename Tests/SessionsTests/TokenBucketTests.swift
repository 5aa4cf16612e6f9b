// SPDX-License-Identifier: MIT
import Seeded
import Testing

@testable import Sessions

@Suite struct `A token bucket` {
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
      // The lack is exact, as a token comes each second, and all pauses are of eighths.
      let lack = isGranted ? nil : Duration.milliseconds(Int((Double(count) - tokens) * 1_000))
      #expect(bucket.take(count, of: rate, now: clock.now) == lack, "step \(step), seed 0x70C3")
    }
  }

  @Test(arguments: [(Duration.zero, 1), (.milliseconds(1), 1), (.seconds(1), 1), (.milliseconds(1_001), 2)])
  func `says in whole seconds when to come back`(lack: Duration, seconds: Int) {
    #expect(lack.secondsToWait == seconds)
  }
}
