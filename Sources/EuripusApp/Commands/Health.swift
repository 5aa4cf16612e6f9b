// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Glibc

/// `health`: asks a running server whether it is alive. It serves health checks on a machine without curl.
struct Health: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks the server on this machine whether it is alive.",
    discussion: """
      Exit status: 0 if GET /healthz answers 200 within 2 seconds, 1 if not; with --ready, GET /readyz. It speaks plain HTTP: where \
      EURIPUS_TLS_CERT is set it ends with status 64, as a server that speaks TLS is to be asked by a client that does.
      """)

  @Option(help: "The address that the server listens on. (default: that of EURIPUS_HOST, or \(Self.standard.host))")
  var host: String = Self.setting("host") ?? Self.standard.host

  @Option(
    help: "The port that the server listens on. (default: that of EURIPUS_PORT or PORT, or \(Self.standard.port))")
  var port: UInt16?

  @Flag(help: "Ask whether it takes new clients, which a server that is about to stop does not.")
  var ready = false

  private static var standard: HTTPListenerConfiguration { StandardSettings.current.server.listener }

  private static func setting(_ name: String) -> String? {
    let (setting, environment) = (Setting.named(name), ProcessEnvironment.variables)
    return environment[setting.variable] ?? ResolvedSettings.platformText(of: setting, in: environment)
  }

  /// The address to ask. A server that listens on all addresses also listens on this machine's own.
  private var address: String {
    switch host {
    case "0.0.0.0": "127.0.0.1"
    case "::": "::1"
    default: host
    }
  }

  private func portToAsk() throws -> UInt16 {
    if let port { return port }
    guard let setting = Self.setting("port") else { return Self.standard.port }
    guard let port = UInt16(setting) else {
      let isOwn = ProcessEnvironment.variables["EURIPUS_PORT"] != nil
      throw ValidationError("\(isOwn ? "EURIPUS_PORT" : "PORT") must be a number from 0 to 65535; got '\(setting)'")
    }
    return port
  }

  func validate() throws {
    let port = try portToAsk()
    if Self.setting("tls-cert") != nil {
      throw ValidationError(
        """
        EURIPUS_TLS_CERT is set, and this cannot ask a server that speaks TLS: ask by a client that does, such as \
        'curl --fail --cacert FILE https://NAME:\(port)\(path)'
        """)
    }
    if AddressInformation(address, port: port) == nil { throw notAnAddress }
  }

  func run() throws {
    let port = try portToAsk()
    guard let information = AddressInformation(address, port: port) else { throw notAnAddress }
    let answer = Self.ask(at: information, path: path)
    if case .answered(let line) = answer, line.hasPrefix("HTTP/1.1 200 ") {
      return StandardOutput.write(ready ? "ready" : "ok")
    }
    let place = "\(address.contains(":") ? "[\(address)]" : address):\(port)"
    StandardError.complain("\(place) is not \(ready ? "ready" : "healthy"): \(answer.words)")
    throw ExitCode.failure
  }

  private var notAnAddress: ValidationError {
    ValidationError("--host must be an address in numbers, such as 127.0.0.1 or ::1; got '\(host)'")
  }

  private var path: String { ready ? "/readyz" : "/healthz" }

  /// The answer to a GET.
  private enum Answer {
    /// Its first line.
    case answered(String)
    /// There is no connection, for the reason that the system gives.
    case notConnected(Int32)
    case silent
    /// The connection ended before an answer came.
    case closed

    var words: String {
      switch self {
      case .answered(let line): "it answered '\(line)'"
      case .notConnected(ECONNREFUSED): "no program listens there"
      case .notConnected(let reason): "no connection: \(String(cString: strerror(reason)))"
      case .silent: "no answer within 2 seconds"
      case .closed: "it closed the connection without an answer"
      }
    }
  }

  private static func ask(at address: AddressInformation, path: String) -> Answer {
    let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return .notConnected(errno) }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    guard address.connect(descriptor) else { return errno == EINPROGRESS ? .silent : .notConnected(errno) }
    // A name that every server has, at each of its addresses.
    let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return .closed }
    var answer = [UInt8](repeating: 0, count: 256)
    let count = recv(descriptor, &answer, answer.count, 0)
    guard count > 0 else { return count < 0 && errno == EAGAIN ? .silent : .closed }
    return .answered(String(decoding: answer[..<count].prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self))
  }
}
