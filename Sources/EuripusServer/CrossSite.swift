// SPDX-License-Identifier: MIT

/// Which requests are let in by where they come from (PROTOCOL §7, "Cross-site order").
struct CrossSite: Sendable {
  /// In lower case.
  private let hostNames: [String]

  /// - Parameter hostNames: names by which the server is reached, besides this machine's own.
  init(hostNames: [String]) {
    self.hostNames = ["127.0.0.1", "localhost", "[::1]"] + hostNames.map { $0.lowercased() }
  }

  /// What of a request decides.
  struct Request {
    var hosts: Int
    var host: String?
    /// The host in a target of the absolute form.
    var targetHost: String?
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
    for host in [host] + (request.targetHost.map { [$0] } ?? []) {
      guard let name = Self.name(of: host) else {
        throw Problem(.badRequest, "'\(host)' is not a host, or a host with a port")
      }
      guard hostNames.contains(where: { Self.isSame(name, $0) }) else {
        throw Problem(
          .wrongHost, "'\(host)' is not a name of this server; start it with --host-name \(name) to make it one")
      }
    }
    if let site = request.fetchSite {
      if site == "same-origin" || site == "none" { return }
      let isNavigation = request.fetchMode == "navigate" && request.fetchDestination == "document"
      if isNavigation, request.readsFile { return }
      throw Problem(.crossSite, "the browser says that this request is \(site); expected same-origin")
    }
    if let origin = request.origin, origin.lowercased() != "http://\(host.lowercased())" {
      throw Problem(.crossSite, "the request comes from '\(origin)'; expected 'http://\(host)'")
    }
  }

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
