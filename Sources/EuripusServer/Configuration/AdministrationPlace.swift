// SPDX-License-Identifier: MIT

/// The place where operators reach a server. It is on the server's own machine.
public enum AdministrationPlace: Sendable, Equatable, CustomStringConvertible {
  /// A Unix socket in the file system. Only the user that the server's process runs as can use it.
  case socket(path: String)
  /// An address that only this machine has. Every user of the machine reaches it.
  case address(host: String, port: UInt16)

  /// Takes a path that contains a slash, or a host of this machine alone with a port, such as `127.0.0.1:8081`
  /// or `[::1]:8081`.
  public init?(_ text: String) {
    // A URL is no path: the commands for operators would not find a socket of that name.
    if text.contains("://") { return nil }
    if text.contains("/") {
      self = .socket(path: text)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard ServerConfiguration.isOwnMachine(String(host)) else { return nil }
    self = .address(host: String(host), port: port)
  }

  /// The text that ``init(_:)`` takes.
  public var description: String {
    switch self {
    case .socket(let path): path
    case .address(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
  }
}
