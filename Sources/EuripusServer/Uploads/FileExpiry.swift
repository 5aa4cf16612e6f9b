// SPDX-License-Identifier: MIT

/// The plan by which the files are looked over that nobody has taken: once a minute.
struct FileExpiry {
  private static let pause = Duration.seconds(60)
  private var next: ContinuousClock.Instant

  init(now: ContinuousClock.Instant) { next = now + Self.pause }

  mutating func isDue(_ now: ContinuousClock.Instant) -> Bool {
    guard now >= next else { return false }
    next = now + Self.pause
    return true
  }
}
