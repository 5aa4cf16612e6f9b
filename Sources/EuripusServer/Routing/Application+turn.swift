// SPDX-License-Identifier: MIT
import Dispatch
import HTTPListening
import Sessions

/// Getting into a session's turn, without a thread that waits. The request is answered when the session has
/// handled it, and everything that the answer shows is stored.
///
/// A request that waits for the turn is either done or refused, never both: whichever takes it first decides.
extension Application {
  /// Runs `body` in the session's turn, and answers with its response. It is for quick code, which may run on
  /// this thread.
  func inSession(
    _ access: Access, _ body: @escaping @Sendable (isolated Session) throws -> HTTPResponse
  ) -> HTTPAnswer {
    let claim = Claim()
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn)) { reply, ending in
      if claim.take() { Self.refuse(reply, ending, after: Self.longestTurn) } else { self.giveUp(reply, ending) }
    }
    access.session.submit(from: access.requester) { session -> HTTPResponse? in
      guard claim.take() else { return nil }
      do { return try body(session) } catch { return self.failure(error) }
    } then: { result in
      self.conclude(reply, result)
    }
    return .later(reply)
  }

  /// Answers with a response, or not at all if that is `nil`.
  func conclude(_ reply: DeferredReply, _ result: Result<HTTPResponse?, SessionError>) {
    switch result {
    case .success(let response): if let response { reply.answer(response) }
    // Nothing was done: the host has to find the session again.
    case .failure(.left): reply.askAgain()
    case .failure(let error): reply.answer(failure(error))
    }
  }

  /// The seconds that a request waits for its session's turn, or for the store.
  static let longestTurn = 30

  /// Answers a request for which nothing was done while it waited.
  static func refuse(_ reply: DeferredReply, _ ending: DeferredReply.Ending, after seconds: Int) {
    switch ending {
    case .clientLeft: break
    case .timedOut: reply.answer(Problem(.overloaded, "the session, or its store, was busy for \(seconds) s").response)
    case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
    }
  }

  /// Answers a request that was begun and takes too long. If the server stops, the request may still get its
  /// own answer.
  ///
  /// - Parameter silent: the part that does not answer.
  func giveUp(
    _ reply: DeferredReply, _ ending: DeferredReply.Ending, silent: String = "the session store"
  ) {
    guard case .timedOut = ending else { return }
    let problem = Problem(
      .storeUnavailable,
      "\(silent) does not answer; what was asked for may be done yet: ask again, with the same Idempotency-Key")
    reply.answer(failure(problem))
  }

  /// Answers as soon as the store takes too long. It is for a request whose own time is over, which nothing
  /// else would end.
  func giveUp(_ reply: DeferredReply, _ ending: DeferredReply.Ending, ifStuck session: Session) {
    guard case .timedOut = ending else { return }
    if session.isStuck { return giveUp(reply, ending) }
    guard session.isBeingStored else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { self.giveUp(reply, ending, ifStuck: session) }
  }
}
