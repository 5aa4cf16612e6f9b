// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// An address of the internet protocol, version 4 or 6, in which the former is part of the latter (RFC 4291 §2.5.5.2).
package struct IPAddress: Sendable, Equatable {
  /// The address of version 6, or that of version 4 after `::ffff`.
  package let bytes: SIMD16<UInt8>

  private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  /// Takes an address in numbers; a zone after `%` (RFC 4007 §11) is not looked at.
  package init?(_ text: some StringProtocol) {
    let text = String(text.prefix { $0 != "%" })
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(version4: four)
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self.init(version6: six)
    } else {
      return nil
    }
  }

  /// `nil` for an address of neither family.
  init?(_ peer: PeerAddress) {
    let address: IPAddress? = peer.withSocketAddress { address, _ in
      let address = UnsafeRawPointer(address)
      switch Int32(address.load(as: sockaddr.self).sa_family) {
      case AF_INET: return IPAddress(version4: address.load(as: sockaddr_in.self).sin_addr)
      case AF_INET6: return IPAddress(version6: address.load(as: sockaddr_in6.self).sin6_addr)
      default: return nil
      }
    }
    guard let address else { return nil }
    self = address
  }

  private init(version4 address: in_addr) {
    bytes = withUnsafeBytes(of: address) { SIMD16(Self.mappedPrefix + Array($0)) }
  }

  private init(version6 address: in6_addr) {
    // Byte by byte, as it is aligned to 4 bytes only.
    bytes = withUnsafeBytes(of: address) { SIMD16(Array($0)) }
  }

  package var isVersion4: Bool { Self.mappedPrefix.indices.allSatisfy { bytes[$0] == Self.mappedPrefix[$0] } }
}
