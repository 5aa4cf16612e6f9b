// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Glibc

/// `euripus health`: asks a running server whether it is alive; for health checks where there is no curl.
struct Health: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks the server on this machine whether it is alive.",
    discussion: "Exit status: 0 if GET /healthz answers 200 within 2 seconds, 1 if not; with --ready, GET /readyz.")

  @Option(help: "The port that the server listens on. (default: that of EURIPUS_PORT, or 8080)")
  var port: UInt16 = ProcessEnvironment.variables[Setting.named("port").variable].flatMap { UInt16($0) } ?? 8080

  @Flag(help: "Ask whether it is to be given new clients, which a server that is about to stop is not.")
  var ready = false

  func run() throws {
    let status = Self.statusLine(port: port, path: ready ? "/readyz" : "/healthz")
    guard status?.hasPrefix("HTTP/1.1 200 ") == true else {
      StandardError.write(
        "euripus: 127.0.0.1:\(port) is not \(ready ? "ready" : "healthy"): \(status.map { "it answered '\($0)'" } ?? "no answer within 2 seconds")"
      )
      throw ExitCode.failure
    }
    StandardOutput.write(ready ? "ready" : "ok")
  }

  /// The first line of the answer to a GET; `nil` where there is none in time.
  private static func statusLine(port: UInt16, path: String) -> String? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return nil }
    let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8)
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
    var answer = [UInt8](repeating: 0, count: 256)
    let count = recv(descriptor, &answer, answer.count, 0)
    guard count > 0 else { return nil }
    return String(decoding: answer[..<count].prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }
}
