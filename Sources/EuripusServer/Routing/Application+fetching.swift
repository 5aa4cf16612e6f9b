// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions
import Storing

/// Requests for sessions that are not in memory here. Each is handled anew once its session is, or passed on to
/// the server that has the session.
extension Application {
  /// The answer to a request that cannot be decided before a fetch.
  func fetching(_ what: SessionsToFetch, for call: Call) throws -> HTTPAnswer {
    let (request, passed) = (call.request, passable(call))
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
    fetch(what, from: call.caller.network, attempt: request.attempt, passing: passed, in: slot, for: reply)
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
    if case .lease = what { return host.whenLeaseHolds { reply.askAgain(isCounted: false) } }
    Task(executorPreference: host.executor) {
      switch await self.host.fetch(what, from: network) {
      case .here: reply.askAgain()
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
  func passable(_ call: Call) -> PassedRequest? {
    guard host.isNode, !call.caller.isPassedOn else { return nil }
    return PassedRequest(call.request, of: call.caller, hasCheckedUser: callers.knowsUserFields)
  }

  /// The answer to a request that cannot be decided before the app has named its user.
  func authenticating(_ unasked: Authenticator.Unasked, for call: Call) -> HTTPAnswer {
    let reply = DeferredReply(deadline: .seconds(waitingTime(of: call.request))) { reply, ending in
      switch ending {
      case .clientLeft: break
      case .timedOut:
        let detail = "the app has not said whose this is in the time that the request may wait"
        reply.answer(Problem(.overloaded, detail).response)
      case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
      }
    }
    callers.authenticator?.ask(unasked.head, from: call.caller.network) { result in
      if case .failure(let error) = result { reply.answer(self.failure(error)) } else { reply.askAgain() }
    }
    return .later(reply)
  }

  /// Ends the clients of a browser in which a key was planted, and has the opening handled anew, by a client that has none
  /// of their keys.
  func ending(_ clients: Set<Credential>) -> HTTPAnswer {
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn)) { reply, ending in
      self.giveUp(reply, ending, silent: "the session store")
    }
    Task(executorPreference: host.executor) {
      do {
        _ = try await self.host.end(Array(clients))
        reply.askAgain()
      } catch { reply.answer(self.failure(error)) }
    }
    return .later(reply)
  }

  /// The seconds that a request may wait for the store, and for the app's word on its user, from its first handling
  /// on. A poll may have waited for a change for longer than others may wait at all.
  func waitingTime(of request: HTTPRequest) -> Int {
    max(Self.longestTurn, Preferences(request.list("Prefer")).wait ?? 0)
  }

  private static let wasSilent = "the session store has not answered in the time that the request may wait"
}
