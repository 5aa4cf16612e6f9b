// SPDX-License-Identifier: MIT

/// The network that a session was opened from: all that one customer of a provider can have counts as one.
public struct ClientNetwork: Hashable, Sendable {
  private let number: UInt64

  /// - Parameter number: another one for each network.
  public init(_ number: UInt64) { self.number = number }

  /// That of sessions whose network is not known, such as those that come from the store.
  public static let unknown = ClientNetwork(0)
}
