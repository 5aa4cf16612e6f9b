// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions
import Storing
import ViewModels

extension Application {
  /// The answer of one of the app's routes to a request that was let in.
  ///
  /// - Parameter rates: the rates at which requests may come from one client or one address; `nil` sets no
  ///   limit.
  func answer(_ route: AppRoute, _ call: Call, _ rates: RouteRates?) throws -> HTTPAnswer {
    let caller = call.caller
    let key = caller.key?.credential
    // The owner for limits: the user that the request proves, or else the client.
    let owner = caller.user.user.map { .ofUser($0.id) } ?? key.flatMap { host.owner(of: $0) }
    if owner != nil { call.request.setKnown() }
    if let wait = rates?.take(owner, at: caller.address, now: host.now()) {
      let (seconds, scope) = (wait.secondsToWait, owner == nil ? Limit.Scope.address : .client)
      throw Problem(
        .tooManyRequests,
        "too many requests for this came from this \(scope) of late; expected the next one \(seconds) s later",
        limit: .route, of: scope, retryAfter: seconds)
    }
    let id = Randomness.system.word()
    call.request.setID(id)
    var request = try RouteRequest(call, user: caller.user.user ?? key.flatMap { host.user(of: $0) }, id: id)
    request.incoming = call.request.bodyStream
    let threads = ThreadCaller(network: caller.network, client: owner)
    return runner.answer(route, request, of: threads, ResourceConditions(call.request))
  }
}

extension RouteRequest {
  /// - Throws: `bad-request` for a query that is not UTF-8.
  init(_ call: Call, user: User?, id: String) throws(Problem) {
    guard let query = FormText.items(call.target.query) else {
      throw Problem(.badRequest, "the query must be UTF-8, percent-encoded")
    }
    self.init(
      method: call.request.method, path: "/" + call.target.path(fromSegment: 0), parameters: call.path.parameters,
      query: query, fields: call.request.fields, body: call.request.body, clientAddress: call.caller.address,
      isSecure: call.caller.isSecure, user: user, id: id)
  }
}

extension RouteTable {
  /// Gives the rule for the body of a request to a route that has its own; `nil` if no route has one.
  ///
  /// - Parameter ofFile: the longest file that a session takes; `nil` if none takes any.
  func bodyRule(isSecure: Bool, ofFile: Int?) -> (@Sendable (_ method: String, _ target: String) -> BodyRule?)? {
    let hasOwn = routes.contains { $0.own?.maxBodyBytes != nil }
    guard ofFile != nil || hasOwn else { return nil }
    return { method, target in
      guard hasOwn || Self.mayBeOfFiles(target),
        let target = RequestTarget(target, isSecure: isSecure),
        let route = self.find(target.segments).resource?.route(RequestMethod(rawValue: method))
      else { return nil }
      if route.readsFile, let ofFile { return BodyRule(limit: ofFile, isStreamed: true) }
      return route.own.map { BodyRule(limit: $0.maxBodyBytes, isStreamed: $0.readsBody) }
    }
  }

  /// A quick look at each action's target: whether it may lead to files, at `/sessions/MODEL/ID/uploads/`.
  static func mayBeOfFiles(_ target: String) -> Bool {
    let (bytes, wanted) = (target.utf8Span.span, "uploads/".utf8Span.span)
    // An absolute form is rare, and so is a letter that is encoded.
    guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "/"), !target.utf8.contains(UInt8(ascii: "%")) else { return true }
    var slashes = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      slashes += 1
      guard slashes == 4 else { continue }
      guard bytes.count - index > wanted.count else { return false }
      return wanted.indices.allSatisfy { bytes[index + 1 + $0] == wanted[$0] }
    }
    return false
  }
}
