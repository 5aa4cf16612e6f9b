// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// Responses whose body libmicrohttpd asks for while it sends it.
extension EngineConnection {
  /// What libmicrohttpd keeps for bodies without chunks, in bytes: of a piece, it is given one byte.
  private static let blockBytes = 16
  /// Bytes that the system may hold before the client's side has room for them. More would only grow old there: a
  /// slow reader should get the present state, and cost nothing.
  private static let unsentBytes: Int32 = 4_096

  /// Has `body` asked for what follows the head. Only inside a handler call, once for each request.
  /// - Parameter toHead: Whether HEAD is answered; the connection is closed then.
  /// - Returns: False if it was not possible; the handler call must then close the connection.
  func queue(streaming body: StreamedBody, toHead: Bool, closing: Bool) -> Bool {
    let owner = Unmanaged.passRetained(body)
    let made = MHD_create_response_from_callback(
      UInt64.max, Self.blockBytes, readBody, owner.toOpaque(), releaseBody)
    guard let made else {
      owner.release()
      return false
    }
    defer { MHD_destroy_response(made) }
    // 0.9.75 sends the last chunk to HEAD too, which the client takes for the start of the next response.
    if toHead { cmhd_forbid_chunks(made) }
    if closing { _ = MHD_add_response_header(made, "Connection", "close") }
    return MHD_queue_response(pointer, 200, made) == .YES
  }

  /// Has the system close the connection when the client takes nothing of what was sent for so long: whether it does
  /// not read or is not there (RFC 5482).
  func beginStreaming(stall: Duration) {
    let milliseconds = MonotonicClock.nanoseconds(stall) / 1_000_000
    setOption(TCP_USER_TIMEOUT, Int32(clamping: max(1, milliseconds)))
    setOption(TCP_NOTSENT_LOWAT, Self.unsentBytes)
  }

  /// Takes back what `beginStreaming(stall:)` did.
  func endStreaming() {
    setOption(TCP_USER_TIMEOUT, 0)
    setOption(TCP_NOTSENT_LOWAT, 0)
  }

  /// Whether the system has closed the connection because the client took nothing for too long. It says so once, and
  /// only before anything else is tried on the socket.
  func takeStall() -> Bool {
    var error: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else { return false }
    // What a router has said of a client that is gone is told in the time-out's place (RFC 1122 §4.2.3.9).
    return [ETIMEDOUT, EHOSTUNREACH, ENETUNREACH].contains(error)
  }

  // Refused only by a socket that is closed already.
  private func setOption(_ name: Int32, _ value: Int32) {
    var value = value
    setsockopt(socket, Int32(IPPROTO_TCP), name, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

/// The socket has taken what there was of the body.
private func readBody(
  body: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, capacity: Int
) -> Int {
  guard let body, let buffer, capacity > 0 else { return -2 }
  let portion = Unmanaged<StreamedBody>.fromOpaque(body)._withUnsafeGuaranteedRef { $0.sendNext() }
  // MHD_CONTENT_READER_END_OF_STREAM and _END_WITH_ERROR, which are casts and so do not reach Swift.
  switch portion {
  case .piece:
    // What is sent in this byte's place is the connection's.
    buffer.pointee = 0
    return 1
  case .nothingYet: return 0
  case .end: return -1
  case .brokenOff: return -2
  }
}

private func releaseBody(body: UnsafeMutableRawPointer?) {
  if let body { Unmanaged<StreamedBody>.fromOpaque(body).release() }
}
