// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

extension ClientNetwork {
  /// The network of an address: of version 4 the address itself, of version 6 the first 48 bits, which is the most that one
  /// customer gets as a rule (RFC 6177).
  init(_ address: IPAddress?) {
    switch AddressKey(address) {
    case .version4(let number): self = .version4(number)
    case .version6(let number): self = .version6(number & ~0xFFFF)
    case .none, .uncounted: self = .unknown
    }
  }
}
