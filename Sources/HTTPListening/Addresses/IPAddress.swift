// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// An address of the internet protocol, version 4 or 6. Addresses of version 4 are a part of version 6 (RFC
/// 4291 §2.5.5.2).
package struct IPAddress: Sendable, Equatable {
  /// The address of version 6. An address of version 4 follows `::ffff`.
  package let bytes: SIMD16<UInt8>

  private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  /// Reads an address in numbers. A zone after `%` is ignored (RFC 4007 §11).
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

  /// - Returns: `nil` for an address of any other family.
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
    // The bytes are copied one by one, as the address is aligned to only 4 bytes.
    bytes = withUnsafeBytes(of: address) { SIMD16(Array($0)) }
  }

  package var isVersion4: Bool { Self.mappedPrefix.indices.allSatisfy { bytes[$0] == Self.mappedPrefix[$0] } }
}
