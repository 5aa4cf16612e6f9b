// SPDX-License-Identifier: MIT

/// Makes room when there are nearly as many connections as allowed (``Admissions/surplus``), so that a few networks
/// cannot keep all others out.
///
/// A new connection says nothing of its client. So the last places are given to all, and kept by known clients alone:
/// idle connections are closed, and those of strangers end with their answers.
extension EventLoop {
  /// Looks whether there are too many connections. To be called before the engines answer anything.
  func noticeCrowd() {
    if hasAdopted || isCrowded { isCrowded = shared.admissions.surplus > 0 }
  }

  /// Closes idle connections, if one more has come and there are too many. To be called when all bytes that had come
  /// are read, so that nothing that a client has sent is lost. Those that linger are among them: otherwise clients that
  /// never close their side would hold all places with answered requests.
  func makeRoom() {
    guard hasAdopted else { return }
    hasAdopted = false
    guard isCrowded else { return }
    var idle: [IdleConnection] = []
    var busy: [AddressKey: Int] = [:]
    for slot in connections.occupied {
      guard let connection = connections[slot], connection.address != .uncounted, !connection.isCutOff else { continue }
      let network = connection.address.network
      if connection.isIdle {
        idle.append(
          IdleConnection(
            place: .open(slot), network: network, isKnown: connection.isKnown, age: now - connection.idleSince))
      } else {
        busy[network, default: 0] += 1
      }
    }
    for slot in lingerings.occupied {
      guard let lingering = lingerings[slot], lingering.address != .uncounted else { continue }
      idle.append(
        IdleConnection(
          place: .lingering(slot), network: lingering.address.network, isKnown: false, age: now - lingering.since))
    }
    // Each loop has its part of the connections, and makes its part of the room.
    let loops = max(1, shared.configuration.loops)
    let part = (shared.admissions.surplus + loops - 1) / loops
    for each in IdleConnection.leaving(idle, beside: busy).prefix(part) {
      switch each.place {
      case .open(let slot):
        guard let connection = connections[slot], !connection.engine.socket.hasUnread else { continue }
        connection.makeRoom()
        engines[connection.engineIndex].isReady = true
      case .lingering(let slot):
        tally.crowdedOut.add()
        endLingering(slot)
      }
    }
  }
}
