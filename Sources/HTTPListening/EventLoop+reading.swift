// SPDX-License-Identifier: MIT
import CMicroHTTPDShim

/// Reading in libmicrohttpd's place.
extension EventLoop {
  /// Bytes read at once.
  static let receivedBytes = 16_384

  /// From now on, what libmicrohttpd reads on this thread is read by the loop's connections.
  func beginReading() {
    cmhd_read_with(readForEngine, Unmanaged.passUnretained(self).toOpaque(), shared.isSecure)
  }

  func endReading() { cmhd_read_with(nil, nil, false) }

  /// A connection was opened on this socket.
  func register(_ connection: Connection) {
    let socket = Int(connection.engine.socket)
    while readers.count <= socket { readers.append(nil) }
    readers[socket] = Unmanaged.passUnretained(connection)
  }

  func unregister(_ connection: Connection) { readers[Int(connection.engine.socket)] = nil }

  fileprivate func read(_ socket: Int32, into space: UnsafeMutableRawBufferPointer) -> Int {
    guard socket >= 0, socket < readers.count, let connection = readers[Int(socket)] else { return Int(CMHD_NOT_OURS) }
    return connection._withUnsafeGuaranteedRef { $0.receive(into: space) }
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
