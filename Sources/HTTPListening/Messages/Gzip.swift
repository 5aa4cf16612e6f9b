// SPDX-License-Identifier: MIT
import CZlib

/// The coding of bytes as gzip (RFC 1952), by zlib.
package enum Gzip {
  /// The time that is taken for fewer bytes, as zlib's levels have it.
  package enum Effort: Int32 {
    /// For a body that is made anew for each request. zlib's default saves a ninth more, and takes three times as
    /// long.
    case least = 1
    /// For bytes that are coded once and sent often.
    case most = 9
  }

  /// The bytes as gzip; `nil` if they would not be fewer, or if there is no memory.
  package static func coded(_ bytes: [UInt8], _ effort: Effort) -> [UInt8]? {
    guard bytes.count > 1, let length = UInt32(exactly: bytes.count) else { return nil }
    var space = [UInt8](repeating: 0, count: bytes.count - 1)
    let count = czlib_gzip(bytes, length, &space, length - 1, effort.rawValue)
    return count == 0 ? nil : Array(space[..<count])
  }
}
