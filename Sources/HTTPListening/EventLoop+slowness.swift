// SPDX-License-Identifier: MIT

/// Cutting off clients that send a request, or take a response, too slowly: a byte now and then defeats any timeout of
/// inactivity.
///
/// A connection only writes its `deadline`. It is looked at when that is due, or when the shortest of the times allowed
/// has passed since the last look: no deadline that is set between two looks can be due before the second.
extension EventLoop {
  /// Connections are looked at together, at most so often, in nanoseconds.
  private static let quantum: UInt64 = 1_000_000_000

  /// A connection was opened.
  /// - Returns: Its slot, to be given back when it is closed.
  func look(after connection: Connection) -> Int {
    register(connection)
    let slot = connections.insert(connection).slot
    lookouts.insert(slot: slot, deadline: coarse(now + longestUnwatched))
    return slot
  }

  /// A connection is closed.
  func forget(_ connection: Connection, slot: Int) {
    unregister(connection)
    lookouts.remove(slot: slot)
    connections.remove(slot)
    leaveSeat(connection.engineIndex)
    if !connection.lingers || !linger(connection) { shared.connectionClosed(connection.address) }
  }

  /// - Parameter time: A time of `MonotonicClock`; what had come until then has been read.
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

  /// Rounded up, so that many connections are looked at in one turn.
  private func coarse(_ time: UInt64) -> UInt64 {
    let quantum = max(1, min(Self.quantum, longestUnwatched / 4))
    return (time / quantum + 1) * quantum
  }
}
