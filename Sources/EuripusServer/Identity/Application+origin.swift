// SPDX-License-Identifier: MIT
import HTTPListening

/// Decides where a request comes from, and whether it is let in.
extension Application {
  /// The facts about the client of a request.
  ///
  /// - Throws: `bad-request`, if the fields of a trusted proxy cannot be understood.
  func identity(_ request: HTTPRequest) throws(Problem) -> ClientIdentity {
    if forwarding.isOff { return ClientIdentity(isSecure: request.isSecure) }
    return try forwarding.identity(
      peer: request.peerAddress, isSecure: request.isSecure,
      Forwarding.Claims(
        forwarded: request.list("Forwarded"), addresses: request.list("X-Forwarded-For"),
        schemes: request.list("X-Forwarded-Proto"), hosts: request.list("X-Forwarded-Host")))
  }

  /// The address of a request's client in numbers, for limits and logs.
  func address(_ request: HTTPRequest, _ identity: ClientIdentity) -> String {
    identity.address ?? request.peerAddress
  }

  /// Adds up to three things to the answer, whatever that will be. They are the fields for pages of allowed
  /// origins, the mark of a server in development, and over TLS the word that this host is reached only by TLS
  /// (RFC 6797). The last is left out for localhost, which all servers of a machine share.
  func tell(_ request: HTTPRequest) {
    if isInDevelopment { request.addToAnswer([HTTPField("Euripus-Development", "?1")]) }
    if request.isSecure, request.header("Host").map({ CrossSite.isLocalhost($0) }) == false {
      request.addToAnswer([HTTPField("Strict-Transport-Security", "max-age=31536000")])
    }
    if crossSite.allowsOthers { request.addToAnswer(crossSite.fields(for: request.header("Origin"))) }
  }

  /// Refuses a request that names another host. Refuses one from a page of another site, unless the route takes
  /// those.
  func letIn(
    _ request: HTTPRequest, _ target: RequestTarget?, _ resource: Resource?, _ identity: ClientIdentity
  ) throws(Problem) {
    try crossSite.checkHosts(
      count: request.headerCount("Host"), field: request.header("Host"), target: target?.host,
      forwarded: identity.host)
    let site = request.header("Sec-Fetch-Site")
    let origin = site == nil || crossSite.allowsOthers ? request.header("Origin") : nil
    // The client is not a browser.
    if site == nil, origin == nil { return }
    let route = resource?.route(RequestMethod(rawValue: request.method))
    if route?.own?.otherSites == .allowed { return }
    let isRead = request.method == "GET" || request.method == "HEAD"
    try crossSite.check(
      CrossSite.Request(
        host: identity.host ?? request.header("Host") ?? "", isSecure: identity.isSecure,
        isByBearer: takesTokens && ClientKey.isBearerAlone(request, identity), fetchSite: site,
        fetchMode: site.flatMap { _ in request.header("Sec-Fetch-Mode") },
        fetchDestination: site.flatMap { _ in request.header("Sec-Fetch-Dest") }, origin: origin,
        readsPage: isRead && resource?.route(.get)?.isPage == true))
  }

  /// Whether a request comes from this machine. An untrusted proxy here sends requests from everywhere. So a
  /// request with a proxy's field counts only if the proxy is trusted and says so.
  func isLocal(_ call: Call) -> Bool {
    if call.isPassedOn { return false }
    if let address = call.identity.address { return ServerConfiguration.isOwnAddress(address) }
    let request = call.request
    return ServerConfiguration.isOwnAddress(request.peerAddress)
      && !Self.fieldsOfProxies.contains { request.headerCount($0) > 0 }
  }

  private static let fieldsOfProxies: [StaticString] = [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Server", "X-Real-IP", "Via",
  ]

  /// The answer to OPTIONS: the methods that there are. If a browser asks on behalf of a page of an allowed
  /// origin, also the fields that such a page may send.
  func options(_ request: HTTPRequest, _ methods: [String]) -> HTTPResponse {
    var fields = [HTTPField("Allow", methods.joined(separator: ", "))]
    if request.headerCount("Access-Control-Request-Method") > 0, crossSite.allows(request.header("Origin")) {
      fields += CrossSite.preflightFields(methods)
    }
    return .noContent(fields)
  }
}
