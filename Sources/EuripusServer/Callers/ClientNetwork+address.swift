// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

extension ClientNetwork {
  /// The network of an address: the address itself for version 4, and the first 48 bits for version 6. As a
  /// rule, one customer gets no more than that (RFC 6177).
  init(_ address: IPAddress?) {
    switch AddressKey(address) {
    case .version4(let number): self = .version4(number)
    case .version6(let number): self = .version6(number & ~0xFFFF)
    case .none, .uncounted: self = .unknown
    }
  }
}
