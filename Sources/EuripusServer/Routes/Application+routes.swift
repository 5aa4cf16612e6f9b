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
  /// Gives the longest body of a request to a route that has its own limit; `nil` if no route has one.
  ///
  /// - Parameter ofFile: the longest file that a session takes; `nil` if none takes any.
  func bodyLimit(isSecure: Bool, ofFile: Int?) -> (@Sendable (_ method: String, _ target: String) -> Int?)? {
    guard ofFile != nil || routes.contains(where: { $0.own?.maxBodyBytes != nil }) else { return nil }
    return { method, target in
      let route = self.route(method, target, isSecure: isSecure)
      return route?.readsFile == true ? ofFile : route?.own?.maxBodyBytes
    }
  }

  /// Whether the body of a request is read while it comes; `nil` if that is so nowhere.
  func streamsBody(isSecure: Bool, takesFiles: Bool) -> (@Sendable (_ method: String, _ target: String) -> Bool)? {
    guard takesFiles || routes.contains(where: { $0.own?.readsBody == true }) else { return nil }
    return { method, target in
      let route = self.route(method, target, isSecure: isSecure)
      return takesFiles && route?.readsFile == true || route?.own?.readsBody == true
    }
  }

  /// The route for a request; `nil` for none.
  private func route(_ method: String, _ target: String, isSecure: Bool) -> Route? {
    let found = RequestTarget(target, isSecure: isSecure).flatMap { self.find($0.segments) }
    return found?.resource?.route(RequestMethod(rawValue: method))
  }
}
