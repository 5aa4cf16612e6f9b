// SPDX-License-Identifier: MIT
import HTTPListening

/// Decides by a request's origin whether it is let in (PROTOCOL §7, "Cross-site order").
struct CrossSite: Sendable {
  /// The names of this host, in lower case.
  private let hostNames: Set<String>
  /// Whether each host counts by which a trusted proxy is reached.
  let takesHostsOfProxies: Bool
  /// The origins of other sites whose pages may use this server, in lower case.
  private let allowedOrigins: Set<String>

  /// - Parameters:
  ///   - hostNames: the names by which the server is reached, besides this machine's own.
  ///   - allowedOrigins: origins such as `https://app.example`; see `isOrigin(_:)`.
  init(hostNames: [String], allowedOrigins: [String] = []) {
    takesHostsOfProxies = hostNames.contains(Self.anyOfProxy)
    let names = hostNames.filter { $0 != Self.anyOfProxy }
    self.hostNames = Set((["127.0.0.1", "localhost", "[::1]"] + names).map { $0.lowercased() })
    self.allowedOrigins = Set(allowedOrigins.map { $0.lowercased() })
  }

  /// The name that stands for each host by which a trusted proxy is reached.
  static let anyOfProxy = "*"

  /// Checks the hosts that a request names.
  ///
  /// - Parameters:
  ///   - count: the number of Host fields.
  ///   - field: the value of the first Host field.
  ///   - target: the host in a target of the absolute form.
  ///   - forwarded: the host that the client named to a proxy. It is checked in place of the others.
  ///   - isVouchedFor: whether a trusted proxy sends the request.
  ///   - isProbe: whether it is for a health check, which names the server by whichever address it has.
  /// - Throws: the problem, if one of the hosts is not this server.
  func checkHosts(
    count: Int, field: String?, target: String?, forwarded: String?, isVouchedFor: Bool = false, isProbe: Bool = false
  ) throws(Problem) {
    guard count == 1, let field, !field.isEmpty else {
      throw Problem(.badRequest, "expected one Host field, got \(count == 1 ? "an empty one" : "\(count)")")
    }
    let takesAll = isVouchedFor && takesHostsOfProxies
    if let host = forwarded { return try check(host, takesAll, isProbe) }
    try check(field, takesAll, isProbe)
    // In the absolute form, the target says which host is meant (RFC 9112 §3.2.2).
    if let host = target { try check(host, takesAll, isProbe) }
  }

  private func check(_ host: String, _ takesAll: Bool, _ isProbe: Bool) throws(Problem) {
    guard let name = Self.name(of: host) else {
      throw Problem(.badRequest, "'\(host)' is not a host, or a host with a port")
    }
    if name.utf8.allSatisfy({ $0 < 0x80 }), takesAll || hostNames.contains(name.lowercased()) { return }
    if isProbe, IPAddress(name.first == "[" ? name.dropFirst().dropLast() : name) != nil { return }
    throw Problem(.wrongHost, "'\(host)' is not a name of this server")
  }

  /// The parts of a request that tell which page sent it.
  struct Request {
    /// The host that the client has named.
    var host: String
    /// Whether the client speaks TLS.
    var isSecure = false
    /// Whether it brings a bearer's token, and no cookie of this server. A browser never adds a token by
    /// itself.
    var isByBearer = false
    var fetchSite: String?
    var fetchMode: String?
    var fetchDestination: String?
    var origin: String?
    /// Whether it is a GET or HEAD of a page for people.
    var readsPage: Bool
  }

  /// - Throws: the problem, if the request is not let in.
  func check(_ request: Request) throws(Problem) {
    if request.isByBearer || allows(request.origin) { return }
    if let site = request.fetchSite {
      if site == "same-origin" || site == "none" { return }
      let isNavigation = request.fetchMode == "navigate" && request.fetchDestination == "document"
      if isNavigation, request.readsPage { return }
      throw Problem(.crossSite, "the browser says that this request is \(site); expected same-origin")
    }
    if let origin = request.origin {
      let own = Self.origin(request.isSecure, request.host)
      if Self.withoutDefaultPort(origin.lowercased()) == own { return }
      throw Problem(.crossSite, "the request comes from '\(origin)'; expected '\(own)'")
    }
  }

  /// Checks a request with a form's body, which a page of any site can have a browser send without asking.
  ///
  /// It has been let in already. A browser has to say besides that a page of this server sent it, and a request that
  /// says nothing of its page must not look like a browser's: none leaves out all of these.
  ///
  /// - Parameter looksLikeBrowser: whether it has `Referer`, `Accept-Language`, or an `Accept` that names pages.
  func checkForm(_ request: Request, looksLikeBrowser: Bool) throws(Problem) {
    if request.isByBearer || allows(request.origin) || request.fetchSite == "same-origin" { return }
    if request.fetchSite == nil, request.origin != nil || !looksLikeBrowser { return }
    throw Problem(
      .crossSite,
      "nothing says which page sent this form; expected Sec-Fetch-Site: same-origin, or Origin, or JSON in its place")
  }

  // MARK: Other origins

  /// Whether pages of some other origins may use this server.
  var allowsOthers: Bool { !allowedOrigins.isEmpty }

  /// Whether pages of this origin may use this server.
  func allows(_ origin: String?) -> Bool {
    guard allowsOthers, let origin else { return false }
    return allowedOrigins.contains(origin.lowercased())
  }

  /// Whether a text is an origin as browsers send it: a scheme, a host, and a port if it is not the scheme's
  /// own; no slash at the end (RFC 6454 §6.2). `null` is not an origin.
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

  /// Whether a host, perhaps with a port, is `localhost`, the name that each machine has for itself.
  static func isLocalhost(_ host: String) -> Bool { name(of: host)?.lowercased() == "localhost" }

  /// The host without its port; `nil` if there is no host, or if the text after it is not a port (RFC 3986
  /// §3.2).
  private static func name(of host: String) -> Substring? {
    let name: Substring
    if host.utf8.first == UInt8(ascii: "[") {
      guard let bracket = host.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      name = host[...bracket]
    } else {
      name = Substring(host.utf8.prefix { $0 != UInt8(ascii: ":") })
    }
    let port = host[name.endIndex...].utf8
    let isFollowed = port.isEmpty || port.first == UInt8(ascii: ":") && isPort(port.dropFirst())
    return !name.isEmpty && isFollowed ? name : nil
  }

  /// Whether the digits are a 16-bit number. No digits are allowed too.
  private static func isPort(_ digits: Substring.UTF8View) -> Bool {
    var number = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return false }
      number = number * 10 + Int(digit - 0x30)
      if number > UInt16.max { return false }
    }
    return true
  }
}

extension ServerConfiguration {
  /// Whether a text is an origin as browsers send it: a scheme, a host, and a port if it is not the scheme's
  /// own.
  package static func isOrigin(_ text: String) -> Bool { CrossSite.isOrigin(text) }
}
