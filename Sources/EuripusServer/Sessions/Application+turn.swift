// SPDX-License-Identifier: MIT
import Dispatch
import HTTPListening
import Sessions

/// Getting into a session's turn: at once where it is free, and otherwise when it is, without a thread that waits. What a
/// stored session answers leaves when what it shows is stored.
///
/// A request that waits for the turn is either done or refused, never both: whoever claims it first decides.
extension Application {
  /// Runs `body` in the session's turn and answers with what it gives.
  func inSession(
    _ session: Session, _ body: @escaping @Sendable (isolated Session) throws -> HTTPResponse
  ) -> HTTPAnswer {
    inSession(session, with: body) { _, session, body in try body(session) }
  }

  /// The same of a function that captures nothing, so that no memory is asked for.
  ///
  /// - Parameter input: what it is called with.
  func inSession<Input: Sendable>(
    _ session: Session, with input: consuming Input,
    _ body: @escaping TurnBody<Input>
  ) -> HTTPAnswer {
    let work = TurnWork(application: .passUnretained(self), input: input, body: body)
    let entry = session.enter(with: work) { session, work in
      // Functions that take the session as well would have to ask whether they are in its turn.
      defer { work.application._withUnsafeGuaranteedRef { $0.workIsOver() } }
      session.touch(work.application._withUnsafeGuaranteedRef { $0.host.now() })
      do { return try work.body(work.application, session, work.input) } catch {
        return work.application._withUnsafeGuaranteedRef { $0.failure(error) }
      }
    }
    switch entry {
    case .done(let response): return .now(response)
    case .held(let response): return .later(held(response, in: session))
    case .left: return .later(Self.onceMore())
    case .busy:
      return .later(
        waitingForTurn(of: session) { session in try work.body(.passUnretained(self), session, work.input) })
    }
  }

  /// What is done in a session's turn, by the application, with what it is given. The application is not counted, as all
  /// threads have it in common; it is there for as long as the call.
  typealias TurnBody<Input> =
    @Sendable (Unmanaged<Application>, isolated Session, Input) throws -> HTTPResponse

  // @unchecked Sendable: its parts are, and whoever calls has the application.
  private struct TurnWork<Input: Sendable>: @unchecked Sendable {
    let application: Unmanaged<Application>
    let input: Input
    let body: TurnBody<Input>
  }

  /// The reply to a request that is done, when that is stored.
  private func held(_ response: HTTPResponse, in session: Session) -> DeferredReply {
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn), keepsRequest: true) { reply, ending in
      Self.giveUp(reply, ending)
    }
    session.whenStored { Self.conclude(reply, $0.map { .failure($0) } ?? .success(response)) }
    return reply
  }

  private func waitingForTurn(
    of session: Session, _ body: @escaping @Sendable (isolated Session) throws -> HTTPResponse
  ) -> DeferredReply {
    let claim = Claim()
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn), keepsRequest: true) { reply, ending in
      if claim.take() { Self.refuse(reply, ending, Self.wasBusy) } else { Self.giveUp(reply, ending) }
    }
    let work = atWork
    session.submit { session -> HTTPResponse? in
      guard claim.take() else { return nil }
      session.touch(self.host.now())
      return self.noting(work) { do { return try body(session) } catch { return self.failure(error) } }
    } then: { result in
      Self.conclude(reply, result)
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
    let reply = DeferredReply(deadline: .seconds(wait ?? Self.longestTurn), keepsRequest: true) { reply, ending in
      if claim.take() { return Self.refuse(reply, ending, Self.wasBusy) }
      let hasReader: Bool
      switch ending {
      case .clientLeft: hasReader = false
      case .timedOut, .stopping: hasReader = true
      }
      session.submit {
        $0.endActionWait(id, hasReader: hasReader)
      } afterTurn: {
        Self.giveUp(reply, ending, ifStuck: session)
      }
    }
    let waiter = ActionWaiter(id: id) { answer in
      switch answer {
      case .frame(let message): reply.answer(.frame(message, Self.applied(wait)))
      case .closed: reply.answer(Problem(SessionError.closed).response)
      case .failed(let error): Self.conclude(reply, .failure(error))
      }
    }
    enter(session, reply) { session in
      guard claim.take() else { return nil }
      defer { self.workIsOver() }
      session.touch(self.host.now())
      do { return try body(session, waiter) } catch { return self.failure(error) }
    }
    return .later(reply)
  }

  /// Runs `body` in the session's turn, now or when it is free, and answers with what it gives, if it gives anything.
  func enter(
    _ session: Session, _ reply: DeferredReply, _ body: @escaping @Sendable (isolated Session) -> HTTPResponse?
  ) {
    switch session.enter(body) {
    case .done(let response): Self.conclude(reply, .success(response))
    case .held(let response): session.whenStored { Self.conclude(reply, $0.map { .failure($0) } ?? .success(response)) }
    case .left: reply.askAgain()
    case .busy:
      let work = atWork
      session.submit { session in
        self.noting(work) { body(session) }
      } then: { result in
        Self.conclude(reply, result)
      }
    }
  }

  /// Answers with what came of a request, if there is anything.
  static func conclude(_ reply: DeferredReply, _ result: Result<HTTPResponse?, SessionError>) {
    switch result {
    case .success(let response): if let response { reply.answer(response) }
    // Nothing was done: the host finds the session again.
    case .failure(.left): reply.askAgain()
    case .failure(let error): reply.answer(Problem(error).response)
    }
  }

  /// To a request that is to be handled anew at once.
  private static func onceMore() -> DeferredReply {
    let reply = DeferredReply(deadline: nil, keepsRequest: true) { _, _ in }
    reply.askAgain()
    return reply
  }

  /// How long a request waits for its session's turn, or for the store, in seconds.
  static let longestTurn = 30

  private static let wasBusy = "the session was busy for \(longestTurn) seconds"

  /// Answers a request that was done, and for which the store takes too long: where the server stops, it may still answer.
  private static func giveUp(_ reply: DeferredReply, _ ending: DeferredReply.Ending) {
    guard case .timedOut = ending else { return }
    let problem = Problem(
      .storeUnavailable,
      "the session store does not answer; what was asked for may be stored yet: ask again, with the same Idempotency-Key"
    )
    reply.answer(problem.response)
  }

  /// As above, as soon as the store takes too long: for a request whose own time is over, and that nothing else would end.
  static func giveUp(_ reply: DeferredReply, _ ending: DeferredReply.Ending, ifStuck session: Session) {
    guard case .timedOut = ending else { return }
    if session.isStuck { return giveUp(reply, ending) }
    guard session.isBeingStored else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { giveUp(reply, ending, ifStuck: session) }
  }

  /// Answers a request that was not told what came of it.
  static func refuse(_ reply: DeferredReply, _ ending: DeferredReply.Ending, _ reason: String) {
    switch ending {
    case .clientLeft: break
    case .timedOut: reply.answer(Problem(.overloaded, reason).response)
    case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
    }
  }

  /// The field that says which wait was granted.
  static func applied(_ wait: Int?) -> [HTTPField] {
    wait.map { [HTTPField("Preference-Applied", "wait=\($0)")] } ?? []
  }
}
