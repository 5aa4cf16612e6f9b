// SPDX-License-Identifier: MIT

extension Double {
  /// The integer of exactly this value, if Int64 has one.
  ///
  /// The standard library's `Int64(exactly:)` would do, but it calls `trunc`. A program that imports neither
  /// Foundation nor Glibc does not link with libm.
  var integer: Int64? {
    guard magnitude < 0x1p63 || self == -0x1p63 else { return nil }
    let integer = Int64(self)
    return Double(integer) == self ? integer : nil
  }
}
