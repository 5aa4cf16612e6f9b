// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// Closing in two steps. Closing a socket with unread bytes would reset the connection, and a client that still
/// sends might lose the answer (RFC 9112 §9.6).
///
/// libmicrohttpd closes its descriptor, and the client is told that nothing follows. The loop keeps a second
/// descriptor of the socket, and drops all bytes that come. It closes that when the client closes too, has
/// sent or taken too much, or is in the way of others (``makeRoom()``).
extension EventLoop {
  struct Lingering {
    let socket: Int32
    let address: AddressKey
    /// The time of the clock at which it was closed.
    let since: UInt64
    var dropped = 0
  }

  private static let mostDropped = 1_048_576
  private static let patience: UInt64 = 2_000_000_000
  /// The bit that marks the tags of these sockets' events. No slot number is that large.
  static let lingeringMark: UInt64 = 1 << 31

  /// - Returns: False if it is not needed or not possible. The connection is then closed at once.
  func linger(_ connection: Connection) -> Bool {
    guard !isFinishing, !connection.engine.socket.clientHasEnded else { return false }
    let socket = fcntl(connection.engine.socket.descriptor, F_DUPFD_CLOEXEC, 0)
    guard socket >= 0 else { return false }
    _ = shutdown(socket, Int32(SHUT_WR))
    let (slot, tag) = lingerings.insert(Lingering(socket: socket, address: connection.address, since: now))
    lingeringDeadlines.insert(slot: slot, deadline: now + Self.patience)
    if !poller.add(socket, .readable, tag: tag | Self.lingeringMark) { endLingering(slot) }
    return true
  }

  /// Drops the bytes that have come.
  func dropReceived(_ tag: UInt64) {
    guard let (slot, lingering) = lingerings.find(tag & ~Self.lingeringMark) else { return }
    let count = recv(lingering.socket, &dropped, dropped.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    lingerings[slot]?.dropped += count
    if count <= 0 || lingering.dropped + count > Self.mostDropped { endLingering(slot) }
  }

  func endLateLingerings() {
    while let slot = lingeringDeadlines.takeDue(now) { endLingering(slot) }
  }

  func endLingerings() {
    for slot in lingerings.occupied { endLingering(slot) }
  }

  /// Closes the socket at last.
  func endLingering(_ slot: Int) {
    guard let lingering = lingerings[slot] else { return }
    lingeringDeadlines.remove(slot: slot)
    lingerings.remove(slot)
    poller.remove(lingering.socket)
    close(lingering.socket)
    shared.admissions.connectionClosed(lingering.address)
  }
}
