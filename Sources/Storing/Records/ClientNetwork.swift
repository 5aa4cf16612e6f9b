// SPDX-License-Identifier: MIT

/// The network that a session was opened from. All addresses that one customer of a provider can have count as
/// one network.
package enum ClientNetwork: Hashable, Sendable {
  /// An address of version 4.
  case version4(UInt32)
  /// The first 48 bits of an address of version 6; the other bits are 0.
  case version6(UInt64)
  /// An unknown network. Sessions from it are not counted by network.
  case unknown

  /// The network as a store has it: 33 bits of version 4, 49 bits of version 6, 0 for an unknown network.
  package var number: Int64 {
    switch self {
    case .version4(let address): 1 << 32 | Int64(address)
    case .version6(let bits): 1 << 48 | Int64(bits >> 16)
    case .unknown: 0
    }
  }

  /// A hash with the process's own seed, from which nobody can read the address; `nil` for an unknown network.
  package var seededHash: Int? {
    if self == .unknown { return nil }
    var hasher = Hasher()
    hasher.combine(self)
    return hasher.finalize()
  }
}
