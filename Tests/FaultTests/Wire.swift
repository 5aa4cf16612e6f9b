// SPDX-License-Identifier: MIT
import Glibc

/// A connection to the server, byte by byte, on which the fault layer does its damage.
final class Wire {
  struct Broken: Error, CustomStringConvertible { let description: String }

  private let descriptor: Int32
  private var received: [UInt8] = []

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Broken(description: "cannot connect: \(String(cString: strerror(errno)))") }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  func write(_ bytes: some Sequence<UInt8>) throws {
    let bytes = Array(bytes)
    let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard count == bytes.count else { throw Broken(description: "\(count) of \(bytes.count) bytes written") }
  }

  /// Waits for a whole response, and gives its bytes.
  func read() throws -> [UInt8] {
    while true {
      if let (_, length) = Answer.parse(received) {
        defer { received.removeFirst(length) }
        return Array(received[..<length])
      }
      let chunk = try readSome()
      if chunk.isEmpty {
        throw Broken(description: "the server hung up after \(String(decoding: received, as: UTF8.self))")
      }
      received += chunk
    }
  }

  /// Waits for some bytes; they are empty if the server has hung up.
  func readSome() throws -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    guard count >= 0 else { throw Broken(description: "nothing came within 20 s") }
    return Array(chunk[..<count])
  }

  /// The index of the first wire with something to read; nil if there is none within 20 s.
  static func firstReadable(of wires: [Wire]) -> Int? {
    var polled = wires.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    guard poll(&polled, nfds_t(polled.count), 20_000) > 0 else { return nil }
    return polled.firstIndex { $0.revents != 0 }
  }
}
