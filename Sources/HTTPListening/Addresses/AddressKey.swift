// SPDX-License-Identifier: MIT

/// The part of an address that counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address.
/// One customer gets all addresses with these bits (RFC 6177).
package enum AddressKey: Hashable, Sendable {
  case version4(UInt32)
  case version6(UInt64)
  /// Any other address.
  case none
  /// An address whose connections are not counted.
  case uncounted

  package init(_ address: IPAddress?) {
    guard let address else {
      self = .none
      return
    }
    func number(_ range: Range<Int>) -> UInt64 { range.reduce(0) { $0 << 8 | UInt64(address.bytes[$1]) } }
    self = address.isVersion4 ? .version4(UInt32(number(12..<16))) : .version6(number(0..<8))
  }

  /// The network that counts as one customer's: the address of version 4, the /48 of version 6.
  var network: AddressKey { if case .version6(let number) = self { .version6(number & ~0xFFFF) } else { self } }

  init(_ peer: PeerAddress) { self.init(IPAddress(peer)) }

  /// How many times the limit of an address each of its ``levels`` has.
  package static let shares = [1, 4, 16]

  /// The address itself, and for version 6 also its /56 and its /48, since a customer may have many /64
  /// (RFC 6177). The keys of two levels may be equal, so each level has a table of its own.
  package var levels: [AddressKey] {
    guard case .version6(let number) = self else { return [self] }
    return [self, .version6(number & ~0xFF), .version6(number & ~0xFFFF)]
  }
}
