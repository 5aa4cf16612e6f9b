// SPDX-License-Identifier: MIT
import Glibc

/// A time of the calendar, to the millisecond. It means the same on every machine and after a restart.
///
/// ```swift
/// let due = WallTime(secondsSince1970: date.timeIntervalSince1970)
/// let tomorrow = context.now + .seconds(86_400)
/// ```
public struct WallTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The milliseconds since the beginning of 1970, UTC, without leap seconds.
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// - Parameter seconds: the seconds since the beginning of 1970, UTC; they are rounded to milliseconds. A
  ///   number that is not finite, or farther away than 10,000 years, becomes the farthest time.
  public init(secondsSince1970 seconds: Double) {
    let farthest: Double = 10_000 * 366 * 86_400
    let finite = seconds.isNaN ? farthest : min(max(seconds, -farthest), farthest)
    milliseconds = Int64((finite * 1_000).rounded())
  }

  public var secondsSince1970: Double { Double(milliseconds) / 1_000 }

  /// The present time, by the machine's clock.
  package static var now: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  public static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

  public static func + (time: WallTime, duration: Duration) -> WallTime {
    let sum = time.secondsSince1970 + duration / .seconds(1)
    // Whole milliseconds stay exact, for all times of a calendar.
    guard abs(sum) < 1e12 else { return WallTime(secondsSince1970: sum) }
    return WallTime(milliseconds: time.milliseconds + Int64((duration / .milliseconds(1)).rounded()))
  }

  /// The time from the right one to the left one.
  public static func - (left: WallTime, right: WallTime) -> Duration {
    .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds)
  }

  public var description: String { "\(secondsSince1970) s after 1970" }
}
