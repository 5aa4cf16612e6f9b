// SPDX-License-Identifier: MIT

/// The handshakes of TLS: their outcomes and their ends.
extension EventLoop {
  /// Makes handshakes that begin from now on give this identity. If there is no memory for it, they give the
  /// earlier one.
  func use(_ identity: LoadedIdentity) {
    guard let own = EngineIdentity(identity) else { return }
    own.use()
    identities.append(own)
  }

  /// Notes that a connection was opened, and that its handshake is under way if it has one.
  func beginHandshake(of connection: Connection) {
    guard let handshake = connection.engine.watchHandshake() else {
      return shared.admissions.handshakeEnded(connection.address)
    }
    connection.handshake = handshake
    handshakes[handshake] = connection
  }

  /// Handles the engine's word that a handshake is finished.
  func handshakeFinished(_ handshake: UInt) {
    if let connection = handshakes[handshake] { endHandshake(of: connection) }
  }

  /// Stops counting a connection's handshake, if that is still under way.
  func endHandshake(of connection: Connection) {
    guard let handshake = connection.handshake else { return }
    connection.handshake = nil
    handshakes[handshake] = nil
    shared.admissions.handshakeEnded(connection.address)
  }
}
