// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// The socket of a connection, for questions to the system. libmicrohttpd owns it, and reads and writes it.
struct ClientSocket {
  let descriptor: Int32

  /// The bytes of a stream that the system may hold before the client's side has room for them. More bytes
  /// would only grow old there. A slow reader should get the present state, and cost nothing.
  private static let unsentBytes: Int32 = 4_096

  /// The number of bytes that the client's system has acknowledged.
  var acknowledged: UInt64 { cmhd_progress(descriptor).acknowledged }

  /// Whether the client has ended its side of the connection.
  var clientHasEnded: Bool { cmhd_progress(descriptor).client_has_ended }

  /// Whether there are bytes to receive, encrypted or not.
  var hasUnread: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
  }

  /// Makes libmicrohttpd find that the client has gone.
  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Shuts the socket down too, and drops the bytes that the client has not taken.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    shutDown()
  }

  /// Makes the system close the connection when the client takes none of the sent bytes for that time, because
  /// it does not read or is not there (RFC 5482).
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

  /// Whether the system has closed the connection because the client took nothing for too long. The system says
  /// so once, and only before anything else is tried on the socket.
  func takeStall() -> Bool {
    var error: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else { return false }
    // If a router says that the client is gone, its error comes in place of the time-out (RFC 1122 §4.2.3.9).
    return [ETIMEDOUT, EHOSTUNREACH, ENETUNREACH].contains(error)
  }

  // The system refuses this only if the socket is closed already.
  private func setOption(_ name: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, Int32(IPPROTO_TCP), name, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
