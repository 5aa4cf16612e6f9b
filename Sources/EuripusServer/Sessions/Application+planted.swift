// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// A key that was planted in a browser, beside the browser's own.
extension Application {
  /// The known clients whose keys came together in cookies. One of the keys was planted, and nobody can say which one.
  func clientsOfSeveralKeys(_ call: Call) throws(SessionsToFetch) -> Set<Credential> {
    let credentials = ClientKey.several(call.request, call.identity)
    let asked = mayFetch(call.request) ? credentials.filter { !host.knowsAll(of: $0) } : []
    if !asked.isEmpty { throw .clients(asked) }
    return Set(credentials.filter { host.knows($0) }.map { host.owner(of: $0) ?? $0 })
  }

  /// Ends clients, and has the opening handled anew, by a client that has none of their keys.
  func ending(_ clients: Set<Credential>) -> HTTPAnswer {
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn)) { reply, ending in
      self.giveUp(reply, ending, silent: "the session store")
    }
    host.end(Array(clients)) { result in
      if case .failure(let error) = result { reply.answer(self.failure(error)) } else { reply.askAgain() }
    }
    return .later(reply)
  }
}
