// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// Accepts clients, and deals them to loops and engines.
extension EventLoop {
  /// The most connections that are accepted in a row.
  private static let acceptsInARow = 64
  /// The time for which nothing is accepted after descriptors ran out, in nanoseconds.
  private static let acceptPause: UInt64 = 100_000_000
  /// The number of connections that an engine gets before the next engine gets any. An engine that runs for
  /// several requests at once spends less on each. With so few connections, answering a waiting one costs
  /// almost nothing.
  private static let connectionsBeforeNext = 64

  func acceptClients() {
    guard !isStopping else { return }
    for _ in 0..<Self.acceptsInARow {
      switch shared.socket.accept() {
      case .nobodyWaits:
        return
      case .connected(let socket, let peer):
        let address = shared.key(of: peer)
        guard admit(socket, address) else { continue }
        let loop = shared.nextLoop()
        if loop === self { adopt(socket, peer, address) } else { loop.post(.connection(socket, peer, address)) }
      case .exhausted:
        guard refuseClient() else { return pauseAccepting() }
      }
    }
  }

  /// Closes one waiting client, by means of the spare descriptor.
  private func refuseClient() -> Bool {
    guard spare >= 0 else { return false }
    close(spare)
    if case .connected(let socket, _) = shared.socket.accept() { close(socket) }
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return spare >= 0
  }

  private func pauseAccepting() {
    poller.remove(shared.socket.descriptor)
    acceptsAt = now + Self.acceptPause
  }

  func resumeAccepting() {
    acceptsAt = 0
    if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
    if !isStopping, !poller.add(shared.socket.descriptor, .readableForOne, tag: Tag.listening) { pauseAccepting() }
  }

  func adopt(_ socket: Int32, _ peer: PeerAddress, _ address: AddressKey) {
    guard !isStopping else {
      close(socket)
      return shared.admissions.takeBack(address)
    }
    let index = emptiestEngine()
    engines[index].connections += 1
    if !engines[index].engine.add(socket: socket, peer: peer, address: address) {
      leaveEngine(index)
      shared.admissions.takeBack(address)
    }
    engines[index].isReady = true
    hasAdopted = true
  }

  /// Notes that a connection of an engine is closed.
  func leaveEngine(_ index: Int) { engines[index].connections -= 1 }

  /// Counts a client, or closes its socket.
  private func admit(_ socket: Int32, _ address: AddressKey) -> Bool {
    switch shared.admissions.admit(address) {
    case .admitted:
      tally.accepted.add()
      return true
    case .tooMany: tally.refusedAtLimit.add()
    case .tooManyOfAddress: tally.refusedPerAddress.add()
    case .tooManyHandshakes: tally.refusedHandshakes.add()
    case .tooManyHandshakesOfAddress: tally.refusedHandshakesPerAddress.add()
    }
    close(socket)
    return false
  }

  private func emptiestEngine() -> Int {
    var best = 0
    for index in engines.indices {
      if engines[index].connections < Self.connectionsBeforeNext { return index }
      if engines[index].connections < engines[best].connections { best = index }
    }
    return best
  }
}
