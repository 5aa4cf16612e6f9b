// SPDX-License-Identifier: MIT

/// Watching suspended connections.
extension EventLoop {
  /// Watches a suspended connection for its client and its deadline.
  /// - Returns: Its slot.
  func park(_ connection: Connection, deadline: Duration?) -> Int {
    park(connection, until: deadline.map { MonotonicClock.now + MonotonicClock.nanoseconds($0) } ?? .max)
  }

  /// As above, with a time of `MonotonicClock`; `UInt64.max` for no deadline.
  func park(_ connection: Connection, until deadline: UInt64) -> Int {
    let (slot, tag) = parked.insert(connection)
    // Refused only for want of memory; the wait then ends by its deadline alone.
    _ = poller.add(connection.engine.socket, .hangUp, tag: tag)
    if deadline != .max { deadlines.insert(slot: slot, deadline: deadline) }
    return slot
  }

  /// Ends the watch. To be called before the connection is resumed.
  func unpark(_ connection: Connection, slot: Int) {
    poller.remove(connection.engine.socket)
    deadlines.remove(slot: slot)
    parked.remove(slot)
    // A resume makes no descriptor of the engine readable in time, and its timeout does not count it.
    seats[connection.engineIndex].isReady = true
  }
}
