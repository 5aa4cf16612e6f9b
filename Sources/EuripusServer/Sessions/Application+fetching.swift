// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// Requests for sessions that are not in memory here. Each is handled anew once its session is, or passed on to
/// the server that has the session.
extension Application {
  /// The answer to a request that cannot be decided before a fetch.
  func fetching(_ what: SessionsToFetch, for request: HTTPRequest) throws -> HTTPAnswer {
    let passed = try passable(request)
    if passed == nil, host.isNode, case .session(let id, _) = what, !host.has(id) { throw NotHere() }
    let slot = PassageSlot()
    // Without the lease, the request waits for the store as on a server without others. A request that is
    // passed on may also wait there for as long as it may here.
    let what = host.holdsLease ? what : .lease
    let mayBePassed = if case .lease = what { false } else { host.isNode }
    let seconds = mayBePassed ? Self.longestTurn + Preferences.longestWait : waitingTime(of: request)
    let reply = DeferredReply(deadline: .seconds(seconds)) { reply, ending in
      switch ending {
      case .clientLeft: break
      case .timedOut: reply.answer(self.failure(Problem(.storeUnavailable, Self.wasSilent)))
      case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
      }
      slot.giveUp()
    }
    fetch(what, from: network(of: request), attempt: request.attempt, passing: passed, in: slot, for: reply)
    return .later(reply)
  }

  /// Has a request handled anew after a fetch.
  ///
  /// - Parameters:
  ///   - attempt: the number of times that it was handled before.
  ///   - passed: a copy of the request for the server that has the session; `nil` for a request that another
  ///     server has passed on.
  func fetch(
    _ what: SessionsToFetch, from network: ClientNetwork, attempt: Int, passing passed: PassedRequest?,
    in slot: PassageSlot, for reply: DeferredReply
  ) {
    host.fetch(what, from: network) { outcome in
      switch outcome {
      case .here: if case .lease = what { reply.askAgain(isCounted: false) } else { reply.askAgain() }
      case .failed(let error): reply.answer(self.failure(error))
      case .elsewhere(let place):
        if let passed {
          self.pass(passed, to: place, from: network, attempt: attempt, for: reply, in: slot)
        } else {
          reply.answer(NotHere().response)
        }
      }
    }
  }

  /// A copy of a request for another server; `nil` if there are no others, and for a request that one of them
  /// has passed on.
  func passable(_ request: HTTPRequest) throws -> PassedRequest? {
    guard host.isNode, try !isPassedOn(request) else { return nil }
    return PassedRequest(request, try identity(request), hasCheckedUser: userHeader != nil)
  }

  /// The network of a request that has been let in.
  func network(of request: HTTPRequest, _ identity: ClientIdentity? = nil) -> ClientNetwork {
    guard let identity = identity ?? (try? self.identity(request)) else { return .unknown }
    return ClientNetwork(IPAddress(address(request, identity)))
  }

  /// The seconds that a request may wait for the store, and for the app's word on its user, from its first handling
  /// on. A poll may have waited for a change for longer than others may wait at all.
  func waitingTime(of request: HTTPRequest) -> Int {
    max(Self.longestTurn, Preferences(request.list("Prefer")).wait ?? 0)
  }

  private static let wasSilent = "the session store has not answered in the time that the request may wait"
}
