// SPDX-License-Identifier: MIT
import Glibc

/// An instant of the system's clock, to the millisecond. Its text is in UTC, in the form of RFC 3339 §5.6.
public struct LogTime: Sendable, Equatable, CustomStringConvertible {
  /// Milliseconds since 1970, without leap seconds.
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static var now: LogTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LogTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  public var description: String {
    let rest = ((milliseconds % 1_000) + 1_000) % 1_000
    var seconds = time_t((milliseconds - rest) / 1_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let date =
      "\(Self.digits(Int(parts.tm_year) + 1_900, 4))-\(Self.digits(Int(parts.tm_mon) + 1))-\(Self.digits(Int(parts.tm_mday)))"
    let time = "\(Self.digits(Int(parts.tm_hour))):\(Self.digits(Int(parts.tm_min))):\(Self.digits(Int(parts.tm_sec)))"
    return "\(date)T\(time).\(Self.digits(Int(rest), 3))Z"
  }

  private static func digits(_ number: Int, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
