// SPDX-License-Identifier: MIT
import HTTPListening

/// The clients that may read `/metrics`, which tells how the server is built and how much it is used.
public enum MetricsAccess: String, Sendable, CaseIterable {
  /// Clients on this machine, unless a proxy sends their requests. A request with `Forwarded`, `Via`,
  /// `X-Real-IP` or an `X-Forwarded-` field for the address, the scheme or the host counts as a proxy's. A
  /// proxy on this machine that sets none of these must not pass the path on.
  case local
  /// Every client.
  case all
  /// No client. The path does not exist.
  case off
}

extension MetricsAccess {
  func permits(_ request: HTTPRequest) -> Bool {
    switch self {
    case .all: return true
    case .off: return false
    case .local:
      return !Self.fieldsOfProxies.contains { request.headerCount($0) > 0 } && Self.isLoopback(request.peerAddress)
    }
  }

  /// The fields that proxies set. A client that sends one of them is taken for a proxy.
  private static let fieldsOfProxies: [StaticString] = [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Via", "X-Real-IP",
  ]

  /// Whether an address in numbers is one of this machine's loopback addresses (RFC 1122 §3.2.1.3, RFC 4291
  /// §2.5.3).
  static func isLoopback(_ address: String) -> Bool {
    let address = address.hasPrefix("::ffff:") ? String(address.dropFirst("::ffff:".count)) : address
    return address == "::1" || address.hasPrefix("127.")
  }
}
