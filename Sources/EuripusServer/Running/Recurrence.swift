// SPDX-License-Identifier: MIT

/// A time that comes again and again.
struct Recurrence {
  private let pause: Duration
  private var next: ContinuousClock.Instant

  init(every pause: Duration, from now: ContinuousClock.Instant) { (self.pause, next) = (pause, now + pause) }

  mutating func isDue(_ now: ContinuousClock.Instant) -> Bool {
    guard now >= next else { return false }
    next = now + pause
    return true
  }
}
