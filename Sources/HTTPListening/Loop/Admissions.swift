// SPDX-License-Identifier: MIT
import Locking

/// The open connections and the handshakes under way, in all and by address. There are never more of them than
/// allowed.
///
/// A handshake costs the server as much as a hundred requests, and its client nothing. So an address has only a
/// few of them at a time.
final class Admissions: Sendable {
  /// The fate of a new connection.
  enum Decision {
    case admitted
    /// Refused: there are as many connections as allowed, in all or from this address.
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
    var ofAddresses: [AddressKey: Counts] = [:]
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
      if address != .uncounted {
        let own = state.ofAddresses[address] ?? Counts()
        guard own.connections < configuration.maxConnectionsPerAddress else { return .tooManyOfAddress }
        guard !isSecure || own.handshakes < configuration.maxHandshakesPerAddress else {
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

  var connectionCount: Int { state.withLock { $0.all.connections } }

  private func change(_ state: inout State, _ address: AddressKey, _ change: (inout Counts) -> Void) {
    change(&state.all)
    if address == .uncounted { return }
    var own = state.ofAddresses[address] ?? Counts()
    change(&own)
    state.ofAddresses[address] = own.connections > 0 ? own : nil
  }
}
