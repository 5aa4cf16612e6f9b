// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions
import Storing
import ViewModels

/// Finds out who sends a request. It is the one place for that, and goes in this order:
///
/// 1. where the request comes from: a connection, a trusted proxy, or another server of the store;
/// 2. whether it is let in: the host that it names, and the page that sent it;
/// 3. the user that a trusted proxy names, or else the app;
/// 4. the client, by the key that the request brings;
/// 5. whether that client is the user's.
///
/// The first two are for every request, by ``caller(of:at:isForPeople:takesOthers:)``. The others are for routes that ask for a client, by
/// ``identify(_:of:as:)``.
final class Callers: Sendable {
  /// The error of a request with the keys of several known clients. One of them was planted in the browser, and nobody can
  /// say which one.
  struct PlantedKey: Error {
    let clients: Set<Credential>
  }

  let crossSite: CrossSite
  let forwarding: Forwarding
  /// The app's own way to recognise users; `nil` if it has none.
  let authenticator: Authenticator?
  /// Whether this server knows the fields by which proxies name users.
  var knowsUserFields: Bool { userHeader != nil }
  let peers = NodeAddresses()
  /// The fields in which a proxy names the user; `nil` if no proxy does.
  private let userHeader: UserHeader?
  private let host: SessionHost
  /// Whether clients have tokens here. A request with one alone is not asked which page it comes from.
  private let takesTokens: Bool

  init(_ configuration: ServerConfiguration, host: SessionHost, takesTokens: Bool) {
    (self.host, self.takesTokens) = (host, takesTokens)
    crossSite = CrossSite(hostNames: configuration.hostNames, allowedOrigins: configuration.allowedOrigins)
    forwarding = Forwarding(trusting: configuration.trustedProxies.compactMap { AddressRange($0) })
    userHeader = configuration.userHeader
    authenticator = configuration.authenticate.map {
      Authenticator($0, within: configuration.authenticateSurroundings, now: host.now)
    }
  }

  // MARK: For every request

  /// The caller of a request that is let in, with the user that a trusted proxy names.
  ///
  /// - Parameters:
  ///   - target: the host in a target of the absolute form.
  ///   - isForPeople: whether the route has a page for people, to which other sites may lead.
  ///   - takesOthers: whether the route takes requests from pages of all sites.
  ///   - isProbe: whether the route is for health checks.
  /// - Throws: ``NotHere`` for a request that was meant for another server, and the problem of one that is refused.
  func caller(
    of request: HTTPRequest, at target: String?, isForPeople: Bool, takesOthers: Bool, isProbe: Bool
  ) throws -> Caller {
    let isPassedOn = try isPassedOn(request)
    let client = try isPassedOn ? Forwarding.passedOn(request) : forwarding.client(of: request)
    if let address = client.address { request.setClientAddress(address) }
    let field = request.header("Host")
    let visitor = isPassedOn ? request.header(NodeField.reader).flatMap { RoomVisitor($0) } : nil
    // A server calls another one by its address, whatever its name for clients is.
    if visitor == nil {
      let isVouchedFor =
        crossSite.takesHostsOfProxies && (isPassedOn || forwarding.trusts(request.peerAddress))
      try crossSite.checkHosts(
        count: request.headerCount("Host"), field: field, target: target, forwarded: client.host,
        isVouchedFor: isVouchedFor, isProbe: isProbe)
    }
    var caller = Caller(
      request, client, host: client.host ?? field ?? "", isPassedOn: isPassedOn, hasFetched: !mayFetch(request))
    caller.visitor = visitor
    if !takesOthers { try checkPage(of: request, caller, isForPeople: isForPeople) }
    if let userHeader {
      // Another server says whether it trusted the proxy.
      let isTrusted =
        isPassedOn ? request.header(NodeField.user) != nil : forwarding.trusts(request.peerAddress)
      caller.user = try userHeader.user(in: request.fields, isTrusted: isTrusted).map { .user($0) } ?? .nobody
    }
    return caller
  }

  /// Whether another server of the store, which has let the request in, passed it on.
  private func isPassedOn(_ request: HTTPRequest) throws -> Bool {
    guard host.isNode, let token = request.header(NodeField.token) else { return false }
    guard host.isNodeToken(token) else { throw NotHere(word: "other") }
    peers.note(request.peerAddress)
    return true
  }

  /// Refuses a request from a page of another site.
  private func checkPage(of request: HTTPRequest, _ caller: Caller, isForPeople: Bool) throws(Problem) {
    let site = request.header("Sec-Fetch-Site")
    let origin = site == nil || crossSite.allowsOthers ? request.header("Origin") : nil
    // The client is not a browser.
    if site == nil, origin == nil { return }
    try crossSite.check(page(of: request, caller, site, origin, isForPeople: isForPeople))
  }

  private func page(
    of request: HTTPRequest, _ caller: Caller, _ site: String?, _ origin: String?, isForPeople: Bool = false
  ) -> CrossSite.Request {
    let isRead = request.method == "GET" || request.method == "HEAD"
    return CrossSite.Request(
      host: caller.host, isSecure: caller.isSecure,
      isByBearer: takesTokens && ClientKey.isBearerAlone(request, of: caller), fetchSite: site,
      fetchMode: site.flatMap { _ in request.header("Sec-Fetch-Mode") },
      fetchDestination: site.flatMap { _ in request.header("Sec-Fetch-Dest") }, origin: origin,
      readsPage: isRead && isForPeople)
  }

  /// Refuses a form's body that a page of another site may have sent, by whichever browser.
  func checkForm(of request: HTTPRequest, _ caller: Caller) throws(Problem) {
    let accepted = request.list("Accept")?.lowercased() ?? ""
    try crossSite.checkForm(
      page(of: request, caller, request.header("Sec-Fetch-Site"), request.header("Origin")),
      looksLikeBrowser: request.headerCount("Referer") > 0 || request.headerCount("Accept-Language") > 0
        || accepted.contains("html"))
  }

  // MARK: For routes that ask for a client

  /// Completes a caller with its user and its client's key.
  ///
  /// - Throws: ``Authenticator/Unasked``, `SessionsToFetch` and ``PlantedKey`` for a request that has to be handled anew,
  ///   and the problem or the ``SessionError`` of one that is refused.
  func identify(_ caller: inout Caller, of request: HTTPRequest, as need: Caller.Need) throws {
    if case .nothing = need { return }
    if let authenticator, caller.user.user == nil {
      caller.user = try authenticator.user(of: RequestHead(request)).map { .user($0) } ?? .nobody
    }
    switch need {
    case .nothing: break
    case .client: caller.key = try proved(key(of: caller, request), caller.user)
    case .opener:
      try refusePlantedKeys(of: caller, request)
      caller.key = try provedOrNone(key(of: caller, request), caller.user)
    case .anyone:
      // Limits of a user are the same for all the user's clients.
      if caller.user.user != nil { return }
      do { caller.key = try provedOrNone(key(of: caller, request), caller.user) } catch is Problem { return }
      if let key = caller.key { try fetchUnknown([key.credential], for: caller) }
    }
  }

  /// The key of the caller's client.
  private func key(of caller: Caller, _ request: HTTPRequest) throws -> ClientKey? {
    var asked: [Credential] = []
    let isProved = if case .user = caller.user, authenticator != nil { true } else { false }
    let key = try ClientKey.of(request, caller.cookie, takesForeign: isProved) { credential in
      // It is asked first whether all is known: another request may have the client fetched meanwhile.
      if !caller.hasFetched, !host.knowsAll(of: credential) { asked.append(credential) }
      return host.knows(credential)
    }
    // If there are two keys, the known client's counts.
    if !asked.isEmpty { throw SessionsToFetch.clients(asked) }
    // Only the store may know the client of a user.
    if case .notAsked = caller.user { return key }
    if let key { try fetchUnknown([key.credential], for: caller) }
    return key
  }

  /// - Throws: `SessionsToFetch`, if the store has to be asked about some of these clients first.
  private func fetchUnknown(_ credentials: [Credential], for caller: Caller) throws(SessionsToFetch) {
    if caller.hasFetched { return }
    let unknown = credentials.filter { !host.knowsAll(of: $0) }
    if !unknown.isEmpty { throw .clients(unknown) }
  }

  /// The key, if the client goes with the user; `nil` if the client is another user's.
  ///
  /// - Throws: ``SessionError/signedOut``, if the client belongs to a user whom the request does not prove.
  private func proved(_ key: ClientKey?, _ user: ProvedUser) throws(SessionError) -> ClientKey? {
    guard let key else { return nil }
    switch user {
    case .notAsked: return key
    case .nobody:
      // Readers that wait by earlier proofs are told too.
      if host.dismissUnproved(key.credential) { throw .signedOut }
      return key
    case .user(let user):
      if host.bind(key.credential, to: user) { return key }
      // Another person uses the same browser now.
      _ = host.dismissUnproved(key.credential)
      return nil
    }
  }

  /// The same, but a client without its user counts as none: it begins anew.
  private func provedOrNone(_ key: ClientKey?, _ user: ProvedUser) -> ClientKey? {
    do throws(SessionError) { return try proved(key, user) } catch { return nil }
  }

  private func refusePlantedKeys(of caller: Caller, _ request: HTTPRequest) throws {
    let credentials = ClientKey.several(request, caller.cookie)
    try fetchUnknown(credentials, for: caller)
    let clients = Set(credentials.filter { host.knows($0) }.map { host.owner(of: $0) ?? $0 })
    if clients.count > 1 { throw PlantedKey(clients: clients) }
  }

  /// Whether a request may be handled anew after a fetch. It may once, and once more if the app is asked first.
  private func mayFetch(_ request: HTTPRequest) -> Bool { request.attempt < (authenticator == nil ? 1 : 2) }

  // MARK: What follows from the caller

  /// Whether a request comes from this machine. An untrusted proxy here sends requests from everywhere. So a
  /// request with a proxy's field counts only if the proxy is trusted and says so.
  func isLocal(_ caller: Caller, _ request: HTTPRequest) -> Bool {
    if caller.isPassedOn || !ServerConfiguration.isOwnAddress(caller.address) { return false }
    return caller.forwardedAddress != nil || !Self.fieldsOfProxies.contains { request.headerCount($0) > 0 }
  }

  private static let fieldsOfProxies: [StaticString] = [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Server", "X-Real-IP", "Via",
  ]
}
