// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// Requests for what is in the store alone: each is handled anew when that is in memory.
extension Application {
  /// The answer to a request that cannot be decided before something was fetched.
  func fetching(_ what: SessionsToFetch) -> HTTPAnswer {
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn), keepsRequest: true) { reply, ending in
      Self.refuse(reply, ending, "the session store has not answered for \(Self.longestTurn) seconds")
    }
    host.fetch(what) { failure in
      if let failure { reply.answer(Problem(failure).response) } else { reply.askAgain() }
    }
    return .later(reply)
  }
}
