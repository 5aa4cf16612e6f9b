// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// Requests for what is in the store alone: each is handled anew when that is in memory.
extension Application {
  /// The answer to a request that cannot be decided before something was fetched.
  func fetching(_ what: SessionsToFetch, for request: HTTPRequest) -> HTTPAnswer {
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn)) { reply, ending in
      switch ending {
      case .clientLeft: break
      case .timedOut: reply.answer(self.failure(Problem(.storeUnavailable, Self.wasSilent)))
      case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
      }
    }
    fetch(what, from: network(of: request), for: reply)
    return .later(reply)
  }

  /// Has a request handled anew when something was fetched.
  func fetch(_ what: SessionsToFetch, from network: ClientNetwork, for reply: DeferredReply) {
    host.fetch(what, from: network) { failure in
      if let failure { reply.answer(self.failure(failure)) } else { reply.askAgain() }
    }
  }

  /// The network that a request comes from; it has been let in.
  func network(of request: HTTPRequest, _ identity: ClientIdentity? = nil) -> ClientNetwork {
    guard let identity = identity ?? (try? self.identity(request)) else { return .unknown }
    return ClientNetwork(IPAddress(address(request, identity)))
  }

  private static let wasSilent = "the session store has not answered for \(longestTurn) seconds"
}
