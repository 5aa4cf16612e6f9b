// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// Requests for sessions that are not in memory here: each is handled anew when its session is, or passed on to the
/// server that has it.
extension Application {
  /// The answer to a request that cannot be decided before something was fetched.
  func fetching(_ what: SessionsToFetch, for request: HTTPRequest) throws -> HTTPAnswer {
    let passed = try passable(request)
    if passed == nil, host.isNode, case .session(let id, _) = what, !host.has(id) { throw NotHere() }
    let slot = PassageSlot()
    // A store that is away is waited for as by a server alone; a request that is passed on may wait there as long as it may wait here.
    let what = host.holdsLease ? what : .lease
    let mayBePassed = if case .lease = what { false } else { host.isNode }
    let seconds = Self.longestTurn + (mayBePassed ? Preferences.longestWait : 0)
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

  /// Has a request handled anew when something was fetched.
  ///
  /// - Parameters:
  ///   - attempt: how often it was handled before.
  ///   - passed: the request, for the server that has the session; `nil` for one that came from another server.
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
          self.pass(passed, to: place, attempt: attempt, for: reply, in: slot)
        } else {
          reply.answer(NotHere().response)
        }
      }
    }
  }

  /// A copy of a request for another server; `nil` where there is none, and for a request that came from one.
  func passable(_ request: HTTPRequest) throws -> PassedRequest? {
    guard host.isNode, try !isPassedOn(request) else { return nil }
    return PassedRequest(request, try identity(request), hasCheckedUser: userHeader != nil)
  }

  /// The network that a request comes from; it has been let in.
  func network(of request: HTTPRequest, _ identity: ClientIdentity? = nil) -> ClientNetwork {
    guard let identity = identity ?? (try? self.identity(request)) else { return .unknown }
    return ClientNetwork(IPAddress(address(request, identity)))
  }

  private static let wasSilent = "the session store has not answered for \(longestTurn) seconds"
}
