// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

extension Application {
  /// The answer of a route of the app's own to a request that was let in.
  ///
  /// - Parameter rates: how often requests may come from one address; `nil` for as often as they do.
  func answer(_ route: AppRoute, _ call: Call, _ rates: AddressRates?) throws -> HTTPAnswer {
    let address = address(call.request, call.identity)
    if let wait = rates?.take(address, now: host.now()) {
      let seconds = wait.secondsToWait
      throw Problem(
        .tooManyRequests,
        "too many requests for this came from this address of late; expected the next one \(seconds) s later",
        limit: .route, retryAfter: seconds)
    }
    let id = Randomness.system.word()
    call.request.setID(id)
    let request = try RouteRequest(call, user: knownUser(of: call), address: address, id: id)
    return runner.answer(route, request, ResourceConditions(call.request))
  }
}

extension RouteTable {
  /// The longest body of requests to an app's routes that have limits of their own; `nil` if none has.
  func bodyLimit(isSecure: Bool) -> (@Sendable (_ method: String, _ target: String) -> Int?)? {
    guard routes.contains(where: { $0.own?.maxBodyBytes != nil }) else { return nil }
    return { method, target in
      let found = RequestTarget(target, isSecure: isSecure).flatMap { self.find($0.segments) }
      return found?.resource.route(RequestMethod(rawValue: method))?.own?.maxBodyBytes
    }
  }
}
