// SPDX-License-Identifier: MIT

/// Which requests are let in by where they come from (PROTOCOL §7, "Cross-site order").
struct CrossSite: Sendable {
  /// In lower case.
  private let hostNames: [String]
  /// Origins of other sites whose pages may use this server, in lower case.
  private let allowedOrigins: Set<String>

  /// - Parameters:
  ///   - hostNames: names by which the server is reached, besides this machine's own.
  ///   - allowedOrigins: such as `https://app.example`; see `isOrigin(_:)`.
  init(hostNames: [String], allowedOrigins: [String] = []) {
    self.hostNames = ["127.0.0.1", "localhost", "[::1]"] + hostNames.map { $0.lowercased() }
    self.allowedOrigins = Set(allowedOrigins.map { $0.lowercased() })
  }

  /// What of a request decides.
  struct Request {
    var hosts: Int
    var host: String?
    /// The host in a target of the absolute form.
    var targetHost: String?
    /// The host that the client named to a proxy, which is asked in place of the others.
    var forwardedHost: String?
    /// Whether the client speaks TLS.
    var isSecure = false
    /// Whether it brings a bearer's token, and no cookie of this server: no browser adds that by itself.
    var isByBearer = false
    var fetchSite: String?
    var fetchMode: String?
    var fetchDestination: String?
    var origin: String?
    /// Whether it is a GET or HEAD of a static file.
    var readsFile: Bool
  }

  /// - Throws: the problem, if the request is not let in.
  func check(_ request: Request) throws(Problem) {
    guard request.hosts == 1, let host = request.host, !host.isEmpty else {
      throw Problem(
        .badRequest, "expected one Host field, got \(request.hosts == 1 ? "an empty one" : "\(request.hosts)")")
    }
    // In the absolute form it is the target that says which host is meant (RFC 9112 §3.2.2).
    let named = request.forwardedHost.map { [$0] } ?? [host] + (request.targetHost.map { [$0] } ?? [])
    for host in named {
      guard let name = Self.name(of: host) else {
        throw Problem(.badRequest, "'\(host)' is not a host, or a host with a port")
      }
      guard hostNames.contains(where: { Self.isSame(name, $0) }) else {
        throw Problem(
          .wrongHost, "'\(host)' is not a name of this server; start it with --host-name \(name) to make it one")
      }
    }
    if request.isByBearer || allows(request.origin) { return }
    if let site = request.fetchSite {
      if site == "same-origin" || site == "none" { return }
      let isNavigation = request.fetchMode == "navigate" && request.fetchDestination == "document"
      if isNavigation, request.readsFile { return }
      throw Problem(.crossSite, "the browser says that this request is \(site); expected same-origin")
    }
    if let origin = request.origin {
      let own = Self.origin(request.isSecure, request.forwardedHost ?? host)
      if Self.withoutDefaultPort(origin.lowercased()) == own { return }
      throw Problem(.crossSite, "the request comes from '\(origin)'; expected '\(own)'")
    }
  }

  // MARK: Other origins

  /// Whether there are origins of other sites whose pages may use this server.
  var allowsOthers: Bool { !allowedOrigins.isEmpty }

  /// Whether it is such an origin.
  func allows(_ origin: String?) -> Bool {
    guard allowsOthers, let origin else { return false }
    return allowedOrigins.contains(origin.lowercased())
  }

  /// Whether a text is an origin as browsers send it (RFC 6454 §6.2): a scheme, a host, and a port where that is not the
  /// scheme's own; no slash after it. `null` is none.
  static func isOrigin(_ text: String) -> Bool {
    let text = text.lowercased()
    for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
      let host = String(text.dropFirst(scheme.count))
      let isClean = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#@\\".utf8.contains($0) }
      return isClean && !host.hasSuffix(":") && name(of: host) != nil && withoutDefaultPort(text) == text
    }
    return false
  }

  private static func origin(_ isSecure: Bool, _ host: String) -> String {
    withoutDefaultPort("\(isSecure ? "https" : "http")://\(host.lowercased())")
  }

  private static func withoutDefaultPort(_ origin: String) -> String {
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.hasPrefix(scheme) {
      return origin.hasSuffix(port) ? String(origin.dropLast(port.count)) : origin
    }
    return origin
  }

  // MARK: Hosts

  /// The host without its port; `nil` if it is none, or what follows it is not a port (RFC 3986 §3.2).
  private static func name(of host: String) -> Substring? {
    let host = host[...]
    var end = host.utf8.firstIndex(of: UInt8(ascii: ":")) ?? host.endIndex
    if host.utf8.first == UInt8(ascii: "[") {
      guard let bracket = host.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = host.utf8.index(after: bracket)
    }
    let port = host[end...].utf8
    guard port.isEmpty || port.first == UInt8(ascii: ":") && isPort(port.dropFirst()), end > host.startIndex else {
      return nil
    }
    return host[..<end]
  }

  private static func isPort(_ digits: Substring.UTF8View) -> Bool {
    digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && (digits.isEmpty || UInt16(Substring(digits)) != nil)
  }

  /// - Parameter known: in lower case.
  private static func isSame(_ name: Substring, _ known: String) -> Bool {
    name.utf8.count == known.utf8.count
      && zip(name.utf8, known.utf8).allSatisfy { byte, other in
        byte == other || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == other
      }
  }
}
