// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// The socket of a connection, as far as the system is asked about it; libmicrohttpd owns it, and reads and writes it.
struct ClientSocket {
  let descriptor: Int32

  /// Bytes that the system may hold of a stream before the client's side has room for them. More would only grow old
  /// there: a slow reader should get the present state, and cost nothing.
  private static let unsentBytes: Int32 = 4_096

  /// Bytes that the client's system has acknowledged.
  var acknowledged: UInt64 { cmhd_progress(descriptor).acknowledged }

  /// Whether the client has ended its side of the connection.
  var clientHasEnded: Bool { cmhd_progress(descriptor).client_has_ended }

  /// Whether there is something to receive, encrypted or not.
  var hasUnread: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
  }

  /// Lets libmicrohttpd find that the client has gone.
  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The same, and nothing that the client has not taken is kept for it.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    shutDown()
  }

  /// Has the system close the connection when the client takes none of the bytes that were sent for so long: whether it
  /// does not read or is not there (RFC 5482).
  func beginStreaming(stall: Duration) {
    let milliseconds = MonotonicClock.nanoseconds(stall) / 1_000_000
    setOption(TCP_USER_TIMEOUT, Int32(clamping: max(1, milliseconds)))
    setOption(TCP_NOTSENT_LOWAT, Self.unsentBytes)
  }

  /// Takes back the effect of `beginStreaming(stall:)`.
  func endStreaming() {
    setOption(TCP_USER_TIMEOUT, 0)
    setOption(TCP_NOTSENT_LOWAT, 0)
  }

  /// Whether the system has closed the connection because the client took nothing for too long. It says so once, and
  /// only before anything else is tried on the socket.
  func takeStall() -> Bool {
    var error: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else { return false }
    // The word of a router about a client that is gone comes in the time-out's place (RFC 1122 §4.2.3.9).
    return [ETIMEDOUT, EHOSTUNREACH, ENETUNREACH].contains(error)
  }

  // Refused only by a socket that is closed already.
  private func setOption(_ name: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, Int32(IPPROTO_TCP), name, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
