// SPDX-License-Identifier: MIT
import Glibc

extension RawClient {
  /// Waits until there are bytes to read, or the end of them.
  func isReadable() throws -> Bool { try poll(Int16(POLLIN), .seconds(10)) != 0 }

  /// Waits until the server has ended both directions, even if there are bytes to read.
  func isHungUp() throws -> Bool {
    // Without events, poll(2) tells of errors and of the end alone. After the client has ended its own side, a
    // FIN is the end.
    endSending()
    return try poll(0, .seconds(10)) != 0
  }

  private func poll(_ events: Int16, _ time: Duration) throws -> Int16 {
    var polled = pollfd(fd: descriptor, events: events, revents: 0)
    let (seconds, attoseconds) = time.components
    let milliseconds = Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    guard Glibc.poll(&polled, 1, milliseconds) >= 0 else {
      throw Failure(description: "poll: \(String(cString: strerror(errno)))")
    }
    return polled.revents
  }
}
