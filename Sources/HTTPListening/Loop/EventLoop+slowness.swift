// SPDX-License-Identifier: MIT

/// Cuts off clients that send a request, or take a response, too slowly. A byte now and then would defeat any
/// timeout of inactivity.
///
/// A connection only writes its `deadline`. The loop looks at the connection when that is due, or when the
/// shortest allowed time has passed since the last look. So no deadline that is set between two looks can be
/// due before the second look.
extension EventLoop {
  /// The least time between two looks at connections, in nanoseconds. Connections are looked at together.
  private static let quantum: UInt64 = 1_000_000_000

  /// Notes that a connection was opened.
  /// - Returns: Its slot, to be given back when it is closed, and the tag of its events.
  func look(after connection: Connection) -> (slot: Int, tag: UInt64) {
    let (slot, tag) = connections.insert(connection)
    lookouts.insert(slot: slot, deadline: coarse(now + longestUnwatched))
    // The system refuses this only if memory is short. The client's end is then found by the deadlines alone.
    _ = poller.add(connection.engine.socket.descriptor, .hangUp, tag: tag)
    return (slot, tag)
  }

  /// Notes that a connection is closed.
  func forget(_ connection: Connection, slot: Int) {
    lookouts.remove(slot: slot)
    connections.remove(slot)
    poller.remove(connection.engine.socket.descriptor)
    leaveEngine(connection.engineIndex)
    endHandshake(of: connection)
    if connection.isCutOff || !linger(connection) { shared.admissions.connectionClosed(connection.address) }
  }

  /// - Parameter time: A time of the clock. All bytes that had come by then have been read.
  func cutOffSlowClients(at time: UInt64) {
    while let slot = lookouts.takeDue(time) {
      guard let connection = connections[slot] else { continue }
      connection.checkDeadline(at: time)
      lookouts.insert(slot: slot, deadline: coarse(max(now + 1, min(connection.deadline, now + longestUnwatched))))
    }
  }

  private var longestUnwatched: UInt64 {
    min(shared.headNanoseconds, shared.bodyNanoseconds, shared.responseNanoseconds, shared.idleNanoseconds)
  }

  /// A time, rounded up so that many connections are looked at in one turn.
  private func coarse(_ time: UInt64) -> UInt64 {
    let quantum = max(1, min(Self.quantum, longestUnwatched / 4))
    return (time / quantum + 1) * quantum
  }
}
