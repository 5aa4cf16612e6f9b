// SPDX-License-Identifier: MIT

extension ContinuousClock.Instant {
  /// The time to a later instant, in seconds.
  func seconds(to later: ContinuousClock.Instant) -> Double {
    let span = later - self
    // Nine seconds of attoseconds fit into 64 bits, which become a Double faster than 128 bits do.
    guard let attoseconds = Int64(exactly: span.attoseconds) else { return span / .seconds(1) }
    return Double(attoseconds) / 1e18
  }
}
