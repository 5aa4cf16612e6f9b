// SPDX-License-Identifier: MIT

/// The handshakes of TLS: their outcomes and their ends.
extension EventLoop {
  /// Has handshakes that begin from now on give this identity. Without memory for it, they give the one before.
  func use(_ identity: LoadedIdentity) {
    guard let own = EngineIdentity(identity) else { return }
    own.use()
    identities.append(own)
  }

  /// A connection was opened: its handshake is under way, if it has one.
  func beginHandshake(of connection: Connection) {
    guard let handshake = connection.engine.watchHandshake() else {
      return shared.admissions.handshakeEnded(connection.address)
    }
    connection.handshake = handshake
    handshakes[handshake] = connection
  }

  /// The engine says so.
  func handshakeFinished(_ handshake: UInt) {
    if let connection = handshakes[handshake] { endHandshake(of: connection) }
  }

  /// Counts it no more, if it is under way still.
  func endHandshake(of connection: Connection) {
    guard let handshake = connection.handshake else { return }
    connection.handshake = nil
    handshakes[handshake] = nil
    shared.admissions.handshakeEnded(connection.address)
  }
}
