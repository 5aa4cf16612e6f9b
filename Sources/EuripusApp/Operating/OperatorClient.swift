// SPDX-License-Identifier: MIT
import Euripus
import Glibc
import HTTPListening
import JSONPatching

/// A client of the listener for operators. Each request has a connection of its own.
struct OperatorClient {
  /// The reason why a request failed.
  enum Failure: Error, CustomStringConvertible {
    case nobodyListens(AdministrationPlace, reason: String)
    case noAnswer(AdministrationPlace)
    /// The server answered with a problem.
    case refused(status: Int, detail: String)

    var description: String {
      switch self {
      case .nobodyListens(let place, let reason):
        """
        nobody listens for operators at \(place): \(reason); expected a server that 'serve --admin' has started, there or where \
        --admin says
        """
      case .noAnswer(let place): "the server at \(place) gave no answer that can be understood"
      case .refused(let status, let detail): detail.isEmpty ? "the server answered \(status)" : detail
      }
    }
  }

  let place: AdministrationPlace
  /// The seconds that it waits: longer than the server waits for a session.
  private static let patience = 60

  /// - Parameter target: the path with its query, escaped.
  /// - Returns: the body of the answer.
  func ask(_ method: String, _ target: String) throws(Failure) -> [UInt8] {
    let descriptor = try connected()
    defer { close(descriptor) }
    // A name that every server has, at each of its places.
    let head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    let request = Array(head.utf8)
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count,
      let (status, body) = Self.parts(of: Self.everything(from: descriptor))
    else { throw .noAnswer(place) }
    guard (200...299).contains(status) else {
      let problem = try? JSONReader.read(body)
      guard case .string(let detail)? = problem?["detail"] else { throw .refused(status: status, detail: "") }
      throw .refused(status: status, detail: detail)
    }
    return body
  }

  private func connected() throws(Failure) -> Int32 {
    let information: AddressInformation?
    switch place {
    case .socket: information = nil
    case .address(let host, let port):
      information = AddressInformation(host.lowercased() == "localhost" ? "127.0.0.1" : host, port: port)
    }
    let descriptor = socket(information?.family ?? AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    errno = 0
    let isConnected =
      switch place {
      case .socket(let path): LocalAddress(path)?.connect(descriptor) ?? false
      case .address: information?.connect(descriptor) ?? false
      }
    guard isConnected else {
      let reason = errno == 0 ? "it is no address" : String(cString: strerror(errno))
      close(descriptor)
      throw .nobodyListens(place, reason: reason)
    }
    return descriptor
  }

  private static func everything(from descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// The status and the body of a complete answer; `nil` for any other.
  static func parts(of answer: [UInt8]) -> (status: Int, body: [UInt8])? {
    let end = Array("\r\n\r\n".utf8)
    guard let start = answer.indices.first(where: { answer[$0...].starts(with: end) }) else { return nil }
    let lines = String(decoding: answer[..<start], as: UTF8.self).split(separator: "\r\n")
    let body = Array(answer[(start + end.count)...])
    guard let line = lines.first?.split(separator: " "), line.count >= 2, line[0] == "HTTP/1.1",
      let status = Int(line[1])
    else { return nil }
    let field = lines.dropFirst().first { $0.lowercased().hasPrefix("content-length:") }
    let length = field.flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
    return body.count == length ? (status, body) : nil
  }

  /// A text in the form that a query or a path has it (RFC 3986 §2).
  static func escaped(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "~"):
        [byte]
      default: [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
