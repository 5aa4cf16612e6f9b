// SPDX-License-Identifier: MIT

/// Watching suspended connections.
extension EventLoop {
  /// Watches a suspended connection for its deadline, and again for its client's end.
  /// - Parameter deadline: A time of the clock; `UInt64.max` for none.
  /// - Returns: The connection's slot.
  func park(_ connection: Connection, until deadline: UInt64) -> Int {
    let slot = parked.insert(connection).slot
    // The client may have ended its side before.
    poller.rearm(connection.engine.socket.descriptor, tag: connection.tag)
    if deadline != .max { deadlines.insert(slot: slot, deadline: deadline) }
    return slot
  }

  /// Ends the watch. To be called before the connection is resumed.
  func unpark(_ connection: Connection, slot: Int) {
    deadlines.remove(slot: slot)
    parked.remove(slot)
    // A resume makes no descriptor of the engine readable in time, and the engine's timeout does not include
    // it.
    engines[connection.engineIndex].isReady = true
  }
}
