// SPDX-License-Identifier: MIT
import Dispatch
import HTTPListening
import Sessions

/// Getting into a session's turn, without a thread that waits: the request is answered when the session has done it and
/// everything that the answer shows is stored.
///
/// A request that waits for the turn is either done or refused, never both: the first that takes it decides.
extension Application {
  /// Runs `body` in the session's turn and answers with its response. For quick code: it may run here.
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

  /// Answers with a response, if there is one.
  func conclude(_ reply: DeferredReply, _ result: Result<HTTPResponse?, SessionError>) {
    switch result {
    case .success(let response): if let response { reply.answer(response) }
    // Nothing was done: the host finds the session again.
    case .failure(.left): reply.askAgain()
    case .failure(let error): reply.answer(failure(error))
    }
  }

  /// How long a request waits for its session's turn, or for the store, in seconds.
  static let longestTurn = 30

  /// Answers a request that nothing was done for in the seconds that it waited.
  static func refuse(_ reply: DeferredReply, _ ending: DeferredReply.Ending, after seconds: Int) {
    switch ending {
    case .clientLeft: break
    case .timedOut: reply.answer(Problem(.overloaded, "the session was busy for \(seconds) s").response)
    case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
    }
  }

  /// Answers a request that was begun, and takes too long: where the server stops, it may still be answered.
  ///
  /// - Parameter silent: The part that does not answer.
  func giveUp(
    _ reply: DeferredReply, _ ending: DeferredReply.Ending, silent: String = "the session store"
  ) {
    guard case .timedOut = ending else { return }
    let problem = Problem(
      .storeUnavailable,
      "\(silent) does not answer; what was asked for may be done yet: ask again, with the same Idempotency-Key")
    reply.answer(failure(problem))
  }

  /// The same, as soon as the store takes too long: for a request whose own time is over, and that nothing else would end.
  func giveUp(_ reply: DeferredReply, _ ending: DeferredReply.Ending, ifStuck session: Session) {
    guard case .timedOut = ending else { return }
    if session.isStuck { return giveUp(reply, ending) }
    guard session.isBeingStored else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { self.giveUp(reply, ending, ifStuck: session) }
  }

  /// The field that says which wait was granted.
  static func applied(_ wait: Int?) -> [HTTPField] {
    wait.map { [HTTPField("Preference-Applied", "wait=\($0)")] } ?? []
  }
}
