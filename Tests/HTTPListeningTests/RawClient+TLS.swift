// SPDX-License-Identifier: MIT
import Foundation
import HTTPListening

extension RawClient {
  /// A client whose bytes go through TLS: an `openssl s_client` on the other end of a pair of sockets.
  ///
  /// - Parameter isQuiet: Whether it prints nothing of the server's certificate and session, once the handshake is
  ///   over.
  static func tls(port: UInt16, options: [String] = [], isQuiet: Bool = true) throws -> RawClient {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue)
    guard socketpair(AF_UNIX, kind | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw Failure(description: "socketpair: \(String(cString: strerror(errno)))")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["openssl", "s_client", "-connect", "127.0.0.1:\(port)"] + (isQuiet ? ["-quiet"] : []) + options
    let end = FileHandle(fileDescriptor: pair[1], closeOnDealloc: true)
    process.standardInput = end
    process.standardOutput = end
    process.standardError = FileHandle.nullDevice
    try process.run()
    try end.close()
    // SIGTERM would not do: a child inherits it as blocked from a thread that blocks it.
    return RawClient(descriptor: pair[0]) { kill(process.processIdentifier, SIGKILL) }
  }

  /// A client whose side of the handshake is over, and that has sent no request.
  static func idleTLS(port: UInt16, options: [String]) throws -> RawClient {
    let client = try tls(port: port, options: options, isQuiet: false)
    while !String(decoding: client.pending, as: UTF8.self).contains("Verify return code") {
      guard try client.fill() else { throw Failure(description: "closed in the handshake") }
    }
    return client
  }
}

/// The ways to a listener, whose claims hold for both.
enum Transport: CaseIterable {
  case plain, tls

  func withListener(
    configure: (inout HTTPListenerConfiguration) -> Void = { _ in },
    handler: @escaping @Sendable (HTTPRequest) -> HTTPAnswer = echo, _ body: (HTTPListener) throws -> Void
  ) throws {
    let identity = self == .tls ? try TestCertificate.shared.get().identity : nil
    try HTTPListeningTests.withListener(
      configure: {
        configure(&$0)
        $0.tls = identity
      }, handler: handler, body)
  }

  func client(_ listener: HTTPListener) throws -> RawClient {
    try self == .tls ? .tls(port: listener.port) : RawClient(port: listener.port)
  }
}
