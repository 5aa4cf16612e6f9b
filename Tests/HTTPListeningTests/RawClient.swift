// SPDX-License-Identifier: MIT
import Glibc

/// A blocking HTTP client that sends bytes just as they are given.
// @unchecked Sendable: used by one thread at a time.
final class RawClient: @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The error of a wait that took longer than `patience`. No test expects it.
  struct Hang: Error {
    let call: String
  }

  struct Response {
    var status: Int
    var fields: [(name: String, value: String)]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    func field(_ name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
  }

  let descriptor: Int32
  private var isOpen = true
  /// A closure that ends everything else that belongs to the client.
  private let whenClosed: () -> Void
  /// The bytes that were read and are not part of a response yet.
  var pending: [UInt8] = []

  /// Takes over a connected socket.
  init(descriptor: Int32, whenClosed: @escaping () -> Void = {}) {
    self.descriptor = descriptor
    self.whenClosed = whenClosed
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// - Parameters:
  ///   - host: The last number of the loopback address of the listener.
  ///   - source: The last number of the loopback address to come from.
  convenience init(port: UInt16, at host: UInt8 = 1, from source: UInt8 = 1, receiveBuffer: Int32? = nil) throws {
    // A process that another test starts must not keep this connection open.
    self.init(descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    if var receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    if source != 1 { try Self.withLoopback(source, port: 0, "bind") { bind(descriptor, $0, $1) } }
    try Self.withLoopback(host, port: port, "connect") { connect(descriptor, $0, $1) }
  }

  private static func withLoopback(
    _ last: UInt8, port: UInt16, _ name: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0000 | UInt32(last)).bigEndian
    let status = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    guard status == 0 else { throw Failure(description: "\(name): \(String(cString: strerror(errno)))") }
  }

  deinit { close() }

  /// Tells the server that nothing follows.
  func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  func close() {
    guard isOpen else { return }
    isOpen = false
    _ = Glibc.close(descriptor)
    whenClosed()
  }

  private func error(of call: String) -> any Error {
    errno == EAGAIN ? Hang(call: call) : Failure(description: "\(call): \(String(cString: strerror(errno)))")
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw error(of: "send") }
      sent += count
    }
  }

  /// Reads one response. `hasBody` is false for the response to HEAD, and for the head of a stream.
  func receive(hasBody: Bool = true) throws -> Response {
    let lines = try receive(through: "\r\n\r\n").split(separator: "\r\n")
    var response = Response(status: Int(lines[0].split(separator: " ")[1]) ?? 0, fields: [], body: [])
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      response.fields.append((String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""))
    }
    guard hasBody, response.status >= 200 else { return response }
    response.body = try receive(count: Int(response.field("Content-Length") ?? "0") ?? 0)
    return response
  }

  /// The text up to some bytes, which are read too.
  private func receive(through end: String) throws -> String {
    let end = Array(end.utf8)
    while true {
      if let range = pending.firstRange(of: end) {
        defer { pending.removeSubrange(..<range.upperBound) }
        return String(decoding: pending[..<range.lowerBound], as: UTF8.self)
      }
      guard try fill() else { throw Failure(description: "closed before a line: \(pending.count) bytes") }
    }
  }

  private func receive(count: Int) throws -> [UInt8] {
    while pending.count < count {
      guard try fill() else { throw Failure(description: "closed in a body: \(pending.count) of \(count) bytes") }
    }
    defer { pending.removeSubrange(..<count) }
    return Array(pending[..<count])
  }

  /// The next chunk of a body in chunks (RFC 9112 §7.1); `nil` for the last one, which is empty.
  func receiveChunk() throws -> String? {
    let size = try receive(through: "\r\n")
    guard let count = Int(size, radix: 16) else { throw Failure(description: "no chunk size: '\(size)'") }
    let chunk = try receive(count: count + 2).dropLast(2)
    return count == 0 ? nil : String(decoding: chunk, as: UTF8.self)
  }

  /// The rest of a body in chunks.
  func receiveBodyToEnd() throws -> String {
    var body = ""
    while let chunk = try receiveChunk() { body += chunk }
    return body
  }

  /// Whether the server has closed the connection and sent nothing before. Waits until it has done either.
  func isClosedByServer() throws -> Bool {
    guard pending.isEmpty else { return false }
    return try !fill()
  }

  /// Waits until the server has closed the connection, whatever it sends before.
  func isClosedInTheEnd() throws -> Bool {
    while try fill() {}
    return true
  }

  /// Reads some bytes and drops them.
  /// - Returns: The number of dropped bytes; never 0.
  func drop(_ count: Int) throws -> Int {
    var buffer = [UInt8](repeating: 0, count: count)
    let read = recv(descriptor, &buffer, count, 0)
    guard read != 0 else { throw Failure(description: "the server has ended") }
    guard read > 0 else { throw error(of: "recv") }
    return read
  }

  /// Reads some bytes into `pending`. Returns `false` at the end of the stream, also if it was reset.
  func fill() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 {
      pending += buffer[..<count]
      return true
    }
    if count == 0 || errno == ECONNRESET { return false }
    throw error(of: "recv")
  }

  /// Waits until there are bytes to read, or the end of them.
  func isReadable() throws -> Bool { try poll(Int16(POLLIN)) }

  /// Waits until the server has ended both directions, even if there are bytes to read.
  func isHungUp() throws -> Bool {
    // Without events, poll(2) tells of errors and of the end alone. After the client has ended its own side, a
    // FIN is the end.
    endSending()
    return try poll(0)
  }

  private func poll(_ events: Int16) throws -> Bool {
    var polled = pollfd(fd: descriptor, events: events, revents: 0)
    guard Glibc.poll(&polled, 1, Int32(patience) * 1_000) != 0 else { throw Hang(call: "poll") }
    return polled.revents != 0
  }
}
