// SPDX-License-Identifier: MIT

/// Which requests are let in by where they come from (PROTOCOL §7, "Cross-site order").
struct CrossSite: Sendable {
  private let hostNames: Set<String>

  /// - Parameter hostNames: names by which the server is reached, besides this machine's own.
  init(hostNames: [String]) {
    self.hostNames = Set(["localhost", "127.0.0.1", "[::1]"] + hostNames.map { $0.lowercased() })
  }

  /// What of a request decides.
  struct Request {
    var hosts: Int
    var host: String?
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
      throw Problem(.badRequest, "expected one Host field, got \(request.hosts == 1 ? "an empty one" : "\(request.hosts)")")
    }
    guard hostNames.contains(Self.name(of: host)) else {
      throw Problem(
        .wrongHost, "'\(host)' is not a name of this server; start it with --host-name \(Self.name(of: host)) to make it one")
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

  /// The host without its port, in lower case.
  private static func name(of host: String) -> String {
    let host = host.lowercased()
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
    return String(host.prefix { $0 != ":" })
  }
}
