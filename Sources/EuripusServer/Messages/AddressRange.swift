// SPDX-License-Identifier: MIT
import HTTPListening

/// A range of addresses that begin with the same bits, such as `10.0.0.0/8`, `2001:db8::/32` or a single
/// address (RFC 4632 §3.1, RFC 4291 §2.3).
struct AddressRange: Sendable, Equatable {
  private let base: IPAddress
  private let bits: Int

  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let base = IPAddress(parts[0]), !parts[0].contains("%") else { return nil }
    let most = parts[0].contains(":") ? 128 : 32
    var bits = most
    if parts.count == 2 {
      // Written as a number is: some programs take /08 for an octal number, and others for 8.
      guard let given = Int(parts[1]), (0...most).contains(given), parts[1] == "\(given)" else { return nil }
      bits = given
    }
    self.base = base
    self.bits = bits + 128 - most
  }

  func contains(_ address: IPAddress) -> Bool {
    for index in 0..<16 where index * 8 < bits {
      let mask = bits - index * 8 >= 8 ? 0xFF : ~(UInt8(0xFF) >> UInt8(bits - index * 8))
      if (address.bytes[index] ^ base.bytes[index]) & mask != 0 { return false }
    }
    return true
  }
}
