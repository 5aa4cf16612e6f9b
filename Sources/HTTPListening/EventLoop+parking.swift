// SPDX-License-Identifier: MIT

/// Watching suspended connections.
extension EventLoop {
  /// Watches a suspended connection for its client and its deadline.
  /// - Returns: Its slot.
  func park(_ connection: Connection, deadline: Duration?) -> Int {
    let (slot, tag) = parked.insert(connection)
    // Refused only for want of memory; the wait then ends by its deadline alone.
    _ = poller.add(connection.engine.socket, .hangUp, tag: tag)
    if let deadline {
      deadlines.insert(slot: slot, deadline: MonotonicClock.now + MonotonicClock.nanoseconds(deadline))
    }
    if isStopping { post(.stop(by: stopsBy)) }
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
