// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import Sessions
import Storing

/// Passing on: a request for a session that another server of the store has is sent to that server, and its
/// answer is given back.
///
/// A session lives on one server. A server that gets a request for another server's session asks that server.
/// It takes the session over only if that server is gone, or has let go of the session. It remembers for a while which
/// server that is, until that server does not answer as the one that has the session.
extension Application {
  /// Passes a request on to the server that has its session.
  ///
  /// - Parameters:
  ///   - network: the network that it came from.
  ///   - attempt: the number of times that it was handled before.
  ///   - reply: gets the answer.
  ///   - slot: holds the passage under way, so that it can be given up.
  func pass(
    _ request: PassedRequest, to place: Elsewhere, from network: ClientNetwork, attempt: Int, for reply: DeferredReply,
    in slot: PassageSlot
  ) {
    guard attempt < Self.mostAttempts, let nodes = host.nodeClient else {
      let problem = Problem(.storeUnavailable, "the session went from server to server; expected the request once more")
      reply.answer(failure(problem))
      return
    }
    if let body = request.arriving {
      let parts = PassedParts(request, body, to: place, by: nodes, in: slot)
      Task(executorPreference: host.executor) {
        let answer = await parts.answer()
        if parts.hasFailed {
          self.host.forgetPlace(of: place.id)
          // The client comes again, and finds the session here if its server is gone.
          _ = await self.host.fetch(.session(place.id, for: place.client), from: network)
        }
        reply.answer(answer)
      }
      return
    }
    slot.put(
      Passage(nodes, request.request(to: place)) { outcome in
        switch outcome {
        case .whole, .stream: break
        // The next request asks the store again.
        case .released, .misdirected, .failed: self.host.forgetPlace(of: place.id)
        }
        switch outcome {
        case .whole(let response): reply.answer(response)
        case .stream(let head, let stream): if !reply.answer(head, stream) { stream.finish() }
        case .misdirected: reply.askAgain()
        case .released, .failed(.refused): self.takeOver(place, for: network, reply)
        case .failed(.broken) where request.mayBeRepeated: reply.askAgain()
        case .failed(.broken):
          reply.answer(
            self.failure(
              Problem(
                .storeUnavailable,
                """
                the server that has the session did not answer; what was asked for may have been done: ask for the state, or \
                send an Idempotency-Key
                """)))
        case .failed(.unreached):
          reply.answer(
            self.failure(
              Problem(
                .storeUnavailable,
                "the server that has the session cannot be reached; nothing was done, expected the request once more")))
        }
      })
  }

  /// Takes over a session that the server of a place has let go of, and has the request handled anew.
  private func takeOver(_ place: Elsewhere, for network: ClientNetwork, _ reply: DeferredReply) {
    Task(executorPreference: host.executor) {
      let outcome = await self.host.fetch(.session(place.id, for: place.client), from: network, released: place)
      // If another server was quicker, the next attempt finds the session there.
      if case .failed(let error) = outcome { reply.answer(self.failure(error)) } else { reply.askAgain() }
    }
  }

  /// The number of attempts after which a request is given up. Sessions do not move so often.
  private static let mostAttempts = 8
}
