// SPDX-License-Identifier: MIT

/// Cutting off clients that send a request too slowly: a byte now and then defeats any timeout of inactivity.
///
/// A request only writes its connection's `readBy`; it is compared now and then, so a client may take up to twice
/// the time allowed before it is cut off.
extension EventLoop {
  /// Connections are looked at together, at most so often, in nanoseconds.
  private static let quantum: UInt64 = 1_000_000_000

  /// When a request whose line has just been read must have come.
  var requestDeadline: UInt64 { now + shared.requestNanoseconds }

  /// When the next request line of a connection must have come. Silence is the engine's to end.
  var lineDeadline: UInt64 { now + shared.requestNanoseconds + shared.idleNanoseconds }

  /// A connection was opened.
  /// - Returns: Its slot, to be given back when it is closed.
  func look(after connection: Connection) -> Int {
    let slot = connections.insert(connection).slot
    lookouts.insert(slot: slot, deadline: coarse(requestDeadline))
    return slot
  }

  /// A connection is closed.
  func forget(_ connection: Connection, slot: Int) {
    lookouts.remove(slot: slot)
    connections.remove(slot)
    leaveSeat(connection.engineIndex)
  }

  func cutOffSlowClients() {
    while let slot = lookouts.takeDue(now) {
      guard let connection = connections.connection(at: slot) else { continue }
      if connection.readBy <= now { connection.cutOff() }
      lookouts.insert(slot: slot, deadline: coarse(max(now + 1, min(connection.readBy, requestDeadline))))
    }
  }

  /// Rounded up, so that many connections are looked at in one turn.
  private func coarse(_ time: UInt64) -> UInt64 {
    let quantum = max(1, min(Self.quantum, shared.requestNanoseconds / 4))
    return (time / quantum + 1) * quantum
  }
}
