// SPDX-License-Identifier: MIT
import Glibc

/// A blocking TCP connection to a port of this machine.
final class TestSocket {
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  private var head = 0
  /// The number of bytes that have come so far.
  private var received = 0
  private let patience: Int
  let isObserved: Bool
  /// The number by which an observer knows the socket.
  private let number = TestObservation.number()
  private var observer: (any TestObserver)? { isObserved ? TestObservation.current : nil }

  /// - Parameters:
  ///   - source: the address from which it connects; `nil` to leave it to the system.
  ///   - patience: the seconds without a byte after which reading fails.
  ///   - isObserved: whether an observer sees its bytes.
  init(port: UInt16, address text: String, from source: String? = nil, patience: Int, isObserved: Bool) throws {
    (self.patience, self.isObserved) = (patience, isObserved)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw TestClientError("no socket: \(String(cString: strerror(errno)))") }
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if let source {
      guard try Self.withAddress(source, 0, { bind(descriptor, $0, $1) }) == 0 else {
        throw TestClientError("cannot come from \(source): \(String(cString: strerror(errno)))")
      }
    }
    guard try Self.withAddress(text, port, { connect(descriptor, $0, $1) }) == 0 else {
      throw TestClientError("cannot connect to \(text):\(port): \(String(cString: strerror(errno)))")
    }
    // A request in several pieces does not wait for the server's system between them.
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func withAddress<Result>(
    _ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) throws -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else {
      throw TestClientError("'\(text)' is no IPv4 address")
    }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  deinit { close() }

  func close() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }

  static func firstReadable(of sockets: [TestSocket]) -> Int? {
    var polled = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    guard poll(&polled, nfds_t(polled.count), 60_000) > 0 else { return nil }
    return polled.firstIndex { $0.revents != 0 }
  }

  func write(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw TestClientError("the server took \(sent) of \(bytes.count) bytes and no more") }
      sent += count
    }
    observer?.sent(bytes[...], on: number)
  }

  /// The lines up to the first empty one.
  func readLines() throws -> [String] {
    var lines: [String] = []
    while true {
      let line = try readLine()
      if line.isEmpty { return lines }
      lines.append(line)
    }
  }

  /// A line without its end.
  func readLine() throws -> String {
    var searched = head
    while true {
      for index in searched..<max(searched, buffer.count - 1) where buffer[index] == 13 && buffer[index + 1] == 10 {
        return String(decoding: try read(index + 2 - head).dropLast(2), as: UTF8.self)
      }
      // The last byte may be the first half of a line's end.
      let rest = buffer.count - head
      guard try fill() else { throw closedTooEarly }
      searched = head + max(0, rest - 1)
    }
  }

  func read(_ count: Int) throws -> [UInt8] {
    while buffer.count - head < count {
      guard try fill() else { throw closedTooEarly }
    }
    defer { head += count }
    return Array(buffer[head..<(head + count)])
  }

  private var closedTooEarly: TestClientError {
    TestClientError(
      """
      the server closed the connection before the response was whole; it had sent \(received) bytes since the \
      connection was opened
      """)
  }

  func isAtEnd() -> Bool { head == buffer.count && (try? fill()) == false }

  private func fill() throws -> Bool {
    if head == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      head = 0
    }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
      throw TestClientError("no answer within \(patience) seconds")
    }
    guard count > 0 else { return false }
    received += count
    buffer += chunk[..<count]
    observer?.received(chunk[..<count], on: number)
    return true
  }
}
