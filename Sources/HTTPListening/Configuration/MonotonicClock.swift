// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// The clock of all deadlines, in nanoseconds that only grow. Tests have another one than the system's.
package struct MonotonicClock: Sendable {
  private let read: @Sendable () -> UInt64

  /// - Parameter read: Called on every loop's thread. If it is not the system's clock, the listener has to be
  ///   told of each step: see `HTTPListener.timePassed()`.
  package init(_ read: @escaping @Sendable () -> UInt64) { self.read = read }

  package static let system = MonotonicClock {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  var now: UInt64 { read() }

  /// `duration` in nanoseconds: 0 if it is negative, and the largest possible number if it is too long.
  package static func nanoseconds(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max / 4 : min(.max / 4, whole + UInt64(attoseconds / 1_000_000_000))
  }
}
