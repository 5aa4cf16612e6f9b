// SPDX-License-Identifier: MIT
import Locking

/// The open connections and the handshakes under way, in all and by address. There are never more of them than
/// allowed.
///
/// A handshake costs the server as much as a hundred requests, and its client nothing. So an address has only a
/// few of them at a time. The networks that an address of version 6 is in have a few times as many
/// (``AddressKey/levels``).
final class Admissions: Sendable {
  /// The fate of a new connection.
  enum Decision {
    case admitted
    /// Refused: there are as many connections as allowed, in all or from this address or one of its networks.
    case tooMany, tooManyOfAddress
    /// Refused: there are as many handshakes under way as allowed.
    case tooManyHandshakes, tooManyHandshakesOfAddress
  }

  private struct Counts {
    var connections = 0
    var handshakes = 0
  }

  private struct State {
    var all = Counts()
    /// The counts by level: of addresses, of /56, and of /48.
    var ofLevels = [[AddressKey: Counts]](repeating: [:], count: AddressKey.shares.count)
  }

  private let configuration: HTTPListenerConfiguration
  private let state = Locked(State())

  init(_ configuration: HTTPListenerConfiguration) { self.configuration = configuration }

  private var isSecure: Bool { configuration.tls != nil }

  /// Counts a connection and its handshake, if it has one, unless there are as many as allowed.
  func admit(_ address: AddressKey) -> Decision {
    state.withLock { state in
      guard state.all.connections < configuration.maxConnections else { return .tooMany }
      guard !isSecure || state.all.handshakes < configuration.maxHandshakes else { return .tooManyHandshakes }
      for (level, key) in Self.levels(of: address) {
        let (own, share) = (state.ofLevels[level][key] ?? Counts(), AddressKey.shares[level])
        guard own.connections < configuration.maxConnectionsPerAddress * share else { return .tooManyOfAddress }
        guard !isSecure || own.handshakes < configuration.maxHandshakesPerAddress * share else {
          return .tooManyHandshakesOfAddress
        }
      }
      change(&state, address) {
        $0.connections += 1
        if isSecure { $0.handshakes += 1 }
      }
      return .admitted
    }
  }

  /// Notes that the handshake of an admitted connection is finished, or never will be.
  func handshakeEnded(_ address: AddressKey) {
    guard isSecure else { return }
    state.withLock { state in change(&state, address) { $0.handshakes -= 1 } }
  }

  /// Notes that an admitted connection is closed. Its handshake has ended before.
  func connectionClosed(_ address: AddressKey) {
    state.withLock { state in change(&state, address) { $0.connections -= 1 } }
  }

  /// Notes that an admitted connection was closed before it was opened.
  func takeBack(_ address: AddressKey) {
    handshakeEnded(address)
    connectionClosed(address)
  }

  /// The number of connections that are to be closed, because there are nearly as many as allowed. From fifteen
  /// sixteenths on these are all above seven eighths, so that room is made seldom. Of less than sixteen connections
  /// none are closed.
  var surplus: Int {
    let (count, most) = (connectionCount, configuration.maxConnections)
    return count > most - most / 16 ? count - (most - most / 8) : 0
  }

  var connectionCount: Int { state.withLock { $0.all.connections } }

  private func change(_ state: inout State, _ address: AddressKey, _ change: (inout Counts) -> Void) {
    change(&state.all)
    for (level, key) in Self.levels(of: address) {
      var own = state.ofLevels[level][key] ?? Counts()
      change(&own)
      state.ofLevels[level][key] = own.connections > 0 ? own : nil
    }
  }

  private static func levels(of address: AddressKey) -> [(Int, AddressKey)] {
    address == .uncounted ? [] : Array(address.levels.enumerated())
  }
}
