// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// What counts as one client address: an IPv4 address, or the first 64 bits of an IPv6 address, which is what one
/// customer gets (RFC 6177).
struct AddressKey: Hashable, Sendable {
  private let bits: UInt64
  private let isIPv6: Bool

  /// The key of an address of neither family.
  static let none = AddressKey(bits: 0, isIPv6: false)
  /// Of every address whose connections are not counted. No IPv4 address has so many bits.
  static let uncounted = AddressKey(bits: .max, isIPv6: false)

  private init(bits: UInt64, isIPv6: Bool) {
    self.bits = bits
    self.isIPv6 = isIPv6
  }

  init(_ peer: PeerAddress) {
    self = peer.withSocketAddress { address, _ in
      let bytes = UnsafeRawPointer(address)
      switch Int32(address.pointee.sa_family) {
      case AF_INET: return .ipv4(bytes.load(as: sockaddr_in.self).sin_addr.s_addr)
      case AF_INET6: return .ipv6(bytes + (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 0))
      default: return .none
      }
    }
  }

  private static func ipv4(_ address: UInt32) -> AddressKey { AddressKey(bits: UInt64(address), isIPv6: false) }

  private static func ipv6(_ address: UnsafeRawPointer) -> AddressKey {
    let high = address.loadUnaligned(as: UInt64.self)
    let low = address.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    // An IPv4 address seen through an IPv6 socket (RFC 4291 §2.5.5.2): its 64 bits are the same for everybody.
    if high == 0, UInt32(truncatingIfNeeded: UInt64(bigEndian: low) >> 32) == 0x0000_FFFF {
      return .ipv4(UInt32(truncatingIfNeeded: UInt64(bigEndian: low)).bigEndian)
    }
    return AddressKey(bits: high, isIPv6: true)
  }
}
