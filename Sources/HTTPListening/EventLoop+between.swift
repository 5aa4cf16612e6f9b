// SPDX-License-Identifier: MIT
import CMicroHTTPDShim

/// Reading and sending in libmicrohttpd's place.
extension EventLoop {
  /// Bytes read at once.
  static let receivedBytes = 16_384

  /// From now on, what libmicrohttpd reads and sends on this thread is read and sent by the loop's connections.
  func standBetween() {
    cmhd_stand_between(readForEngine, writeForEngine, Unmanaged.passUnretained(self).toOpaque(), shared.isSecure)
  }

  func standAside() { cmhd_stand_between(nil, nil, nil, false) }

  /// A connection was opened on this socket.
  func register(_ connection: Connection) {
    let socket = Int(connection.engine.socket)
    while bySocket.count <= socket { bySocket.append(nil) }
    bySocket[socket] = Unmanaged.passUnretained(connection)
  }

  func unregister(_ connection: Connection) { bySocket[Int(connection.engine.socket)] = nil }

  fileprivate func read(_ socket: Int32, into space: UnsafeMutableRawBufferPointer) -> Int {
    connection(on: socket)?._withUnsafeGuaranteedRef { $0.receive(into: space) } ?? Int(CMHD_NOT_OURS)
  }

  fileprivate func write(_ socket: Int32) -> Int {
    connection(on: socket)?._withUnsafeGuaranteedRef { $0.transmit() } ?? Int(CMHD_NOT_OURS)
  }

  private func connection(on socket: Int32) -> Unmanaged<Connection>? {
    socket >= 0 && socket < bySocket.count ? bySocket[Int(socket)] : nil
  }
}

private func readForEngine(
  context: UnsafeMutableRawPointer?, socket: Int32, buffer: UnsafeMutableRawPointer?, length: Int
) -> Int {
  guard let context else { return Int(CMHD_NOT_OURS) }
  return Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef {
    $0.read(socket, into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
  }
}

private func writeForEngine(context: UnsafeMutableRawPointer?, socket: Int32) -> Int {
  guard let context else { return Int(CMHD_NOT_OURS) }
  return Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.write(socket) }
}
