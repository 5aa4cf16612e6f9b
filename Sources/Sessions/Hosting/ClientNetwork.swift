// SPDX-License-Identifier: MIT

/// The network that a session was opened from: all that one customer of a provider can have counts as one.
public enum ClientNetwork: Hashable, Sendable {
  /// An address of version 4.
  case version4(UInt32)
  /// The first 48 bits of an address of version 6, the others being 0.
  case version6(UInt64)
  /// Any other: such sessions are not counted by network.
  case unknown

  /// A hash with the process's own seed, of which the address cannot be read; `nil` for one that is not known.
  var seededHash: Int? {
    if self == .unknown { return nil }
    var hasher = Hasher()
    hasher.combine(self)
    return hasher.finalize()
  }
}
