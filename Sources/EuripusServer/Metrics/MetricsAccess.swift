// SPDX-License-Identifier: MIT
import HTTPListening

/// Who may read `/metrics`, which tells what the server is and how much it is used.
public enum MetricsAccess: String, Sendable, CaseIterable {
  /// Clients on this machine that no proxy speaks for: a request with `Forwarded` or `X-Forwarded-For` is none. A proxy on this
  /// machine that says nothing of whom it speaks for must not pass the path on.
  case local
  /// Every client.
  case all
  /// Nobody: there is no such path.
  case off
}

extension MetricsAccess {
  func permits(_ request: HTTPRequest) -> Bool {
    switch self {
    case .all: return true
    case .off: return false
    case .local:
      if request.headerCount("Forwarded") > 0 || request.headerCount("X-Forwarded-For") > 0 { return false }
      return Self.isLoopback(request.peerAddress)
    }
  }

  /// Whether an address in numbers is this machine's own (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
  static func isLoopback(_ address: String) -> Bool {
    let address = address.hasPrefix("::ffff:") ? String(address.dropFirst("::ffff:".count)) : address
    return address == "::1" || address.hasPrefix("127.")
  }
}
