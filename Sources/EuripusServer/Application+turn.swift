// SPDX-License-Identifier: MIT

import HTTPListening
import Sessions

/// Getting into a session's turn: at once where it is free, and otherwise when it is, without a thread that waits.
///
/// A request that waits for the turn is either done or refused, never both: whoever claims it first decides.
extension Application {
  /// Runs `body` in the session's turn and answers with what it gives.
  func inSession(
    _ session: Session, _ body: @escaping @Sendable (isolated Session) throws -> HTTPResponse
  ) -> HTTPAnswer {
    let response = session.enter { session in
      defer { self.workIsOver() }
      session.touch(self.host.now())
      do { return try body(session) } catch { return self.failure(error) }
    }
    return response.map { .now($0) } ?? .later(waitingForTurn(of: session, body))
  }

  private func waitingForTurn(
    of session: Session, _ body: @escaping @Sendable (isolated Session) throws -> HTTPResponse
  ) -> DeferredReply {
    let claim = Claim()
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn)) { reply, ending in
      if claim.take() { Self.refuse(reply, ending, after: Self.longestTurn) }
    }
    let work = atWork
    session.submit { session -> HTTPResponse? in
      guard claim.take() else { return nil }
      session.touch(self.host.now())
      return self.noting(work) { do { return try body(session) } catch { return self.failure(error) } }
    } then: { response in
      if let response { reply.answer(response) }
    }
    return reply
  }

  /// Runs `body` in the session's turn, which may keep the waiter that it is given, and answers with what it gives, or else
  /// with what the waiter is told.
  ///
  /// - Parameter wait: seconds after which the waiter is told what there is; `nil` for as long as a turn is waited for.
  func inSession(
    _ session: Session, wait: Int?,
    _ body: @escaping @Sendable (isolated Session, ActionWaiter) throws -> HTTPResponse?
  ) -> HTTPAnswer {
    let id = nextWaiter()
    let claim = Claim()
    let seconds = wait ?? Self.longestTurn
    let reply = DeferredReply(deadline: .seconds(seconds)) { reply, ending in
      if claim.take() { return Self.refuse(reply, ending, after: seconds) }
      let hasReader: Bool
      switch ending {
      case .clientLeft: hasReader = false
      case .timedOut, .stopping: hasReader = true
      }
      session.submit { $0.endActionWait(id, hasReader: hasReader) }
    }
    let waiter = ActionWaiter(id: id) { answer in
      switch answer {
      case .frame(let message): reply.answer(.frame(message, Self.applied(wait)))
      case .closed: reply.answer(Problem(SessionError.closed).response)
      }
    }
    let begin: @Sendable (isolated Session) -> HTTPResponse? = { session in
      guard claim.take() else { return nil }
      defer { self.workIsOver() }
      session.touch(self.host.now())
      do { return try body(session, waiter) } catch { return self.failure(error) }
    }
    switch session.enter(begin) {
    case .some(.some(let response)): return .now(response)
    case .some(.none): break
    case .none:
      let work = atWork
      session.submit { session in
        self.noting(work) { begin(session) }
      } then: { response in
        if let response { reply.answer(response) }
      }
    }
    return .later(reply)
  }

  /// How long a request waits for its session's turn, in seconds.
  private static let longestTurn = 30

  /// Answers a request whose turn has not come; nothing is done for it.
  private static func refuse(_ reply: DeferredReply, _ ending: DeferredReply.Ending, after seconds: Int) {
    switch ending {
    case .clientLeft: break
    case .timedOut: reply.answer(Problem(.overloaded, "the session was busy for \(seconds) seconds").response)
    case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
    }
  }

  /// The field that says which wait was granted.
  static func applied(_ wait: Int?) -> [HTTPField] {
    wait.map { [HTTPField("Preference-Applied", "wait=\($0)")] } ?? []
  }
}
