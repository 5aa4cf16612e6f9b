// SPDX-License-Identifier: MIT
import Buffers
import CMicroHTTPDShim
import Glibc

/// The lines that every response has: one that says when it was made (RFC 9110 §6.6.1), and those of the configuration. Kept
/// for a second.
struct CommonLines: ~Copyable {
  private let configured: [UInt8]
  private var second: time_t = -1
  private var lines = Buffer<UInt8>()

  /// - Parameter configured: Checked and ended.
  init(_ configured: [UInt8]) { self.configured = configured }

  /// The lines of this moment, where they are: until the next call.
  mutating func now() -> UnsafeBufferPointer<UInt8> {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    if time.tv_sec != second {
      second = time.tv_sec
      lines.removeAll(from: 0)
      lines.append(contentsOf: Self.date(at: second))
      lines.append(contentsOf: configured)
    }
    return lines.elements
  }

  /// - Parameter second: Seconds since 1970, leap seconds not counted.
  static func date(at second: time_t) -> [UInt8] {
    var second = second
    var parts = tm()
    gmtime_r(&second, &parts)
    let day = days[Int(parts.tm_wday)]
    let month = months[Int(parts.tm_mon)]
    let date = "\(two(parts.tm_mday)) \(month) \(Int(parts.tm_year) + 1_900)"
    return Array(
      "Date: \(day), \(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT\r\n".utf8)
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
