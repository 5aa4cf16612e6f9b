// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// Nanoseconds of the clock that nobody sets.
enum MonotonicClock {
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// `duration` in nanoseconds: 0 if it is negative, as long as can be if it is longer.
  static func nanoseconds(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max / 4 : min(.max / 4, whole + UInt64(attoseconds / 1_000_000_000))
  }
}
