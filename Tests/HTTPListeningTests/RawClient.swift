// SPDX-License-Identifier: MIT
import Glibc

/// A blocking HTTP client that sends bytes just as they are given. Every wait ends after 10 s.
// @unchecked Sendable: used by one thread at a time.
final class RawClient: @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Response {
    var status: Int
    var fields: [(name: String, value: String)]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    func field(_ name: String) -> String? {
      fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
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
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// - Parameter source: The last number of the loopback address to come from.
  convenience init(port: UInt16, from source: UInt8 = 1, receiveBuffer: Int32? = nil) throws {
    self.init(descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    if var receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    if source != 1 { try bind(to: source) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
  }

  private func bind(to source: UInt8) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0000 | UInt32(source)).bigEndian
    let status = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure(description: "bind: \(String(cString: strerror(errno)))") }
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

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
      sent += count
    }
  }

  /// Reads one response. `hasBody` is false for the response to HEAD.
  func receive(hasBody: Bool = true) throws -> Response {
    let end: [UInt8] = Array("\r\n\r\n".utf8)
    while pending.firstRange(of: end) == nil {
      guard try fill() else { throw Failure(description: "closed before a response: \(pending.count) bytes") }
    }
    guard let range = pending.firstRange(of: end) else { throw Failure(description: "no head") }
    let lines = String(decoding: pending[..<range.lowerBound], as: UTF8.self).split(separator: "\r\n")
    pending.removeSubrange(..<range.upperBound)
    var response = Response(status: Int(lines[0].split(separator: " ")[1]) ?? 0, fields: [], body: [])
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      response.fields.append((String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""))
    }
    guard hasBody, response.status >= 200 else { return response }
    let length = Int(response.field("Content-Length") ?? "0") ?? 0
    while pending.count < length {
      guard try fill() else { throw Failure(description: "closed in a body: \(pending.count) of \(length) bytes") }
    }
    response.body = Array(pending[..<length])
    pending.removeSubrange(..<length)
    return response
  }

  /// Whether the server has closed the connection and sent nothing before. Waits until it has done either.
  func isClosedByServer() throws -> Bool {
    guard pending.isEmpty else { return false }
    return try !fill()
  }

  /// Whether the server closes the connection, whatever it sends before.
  func isClosedInTheEnd() throws -> Bool {
    while try fill() {}
    return true
  }

  /// Reads some bytes and drops them.
  /// - Returns: The number of dropped bytes; never 0.
  func drop(_ count: Int) throws -> Int {
    var buffer = [UInt8](repeating: 0, count: count)
    let read = recv(descriptor, &buffer, count, 0)
    guard read > 0 else { throw Failure(description: "recv: \(read) \(String(cString: strerror(errno)))") }
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
    throw Failure(description: "recv: \(String(cString: strerror(errno)))")
  }
}

extension Array where Element == UInt8 {
  fileprivate func firstRange(of other: [UInt8]) -> Range<Int>? {
    guard count >= other.count else { return nil }
    for start in 0...(count - other.count) where self[start] == other[0] {
      if self[start..<start + other.count].elementsEqual(other) { return start..<start + other.count }
    }
    return nil
  }
}
