// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// Following changes by long poll (PROTOCOL §5).
extension Application {
  func changes(_ session: Session, _ request: HTTPRequest, _ target: RequestTarget) throws -> HTTPAnswer {
    if let accept = request.header("Accept"), !Self.acceptsJSON(accept) {
      throw Problem(.notAcceptable, "changes come as application/json; got 'Accept: \(accept)'")
    }
    let since = try Conditions.since(target)
    return poll(
      session, since: since, wantsSnapshot: false, wait: Preferences(request.header("Prefer")).wait)
  }

  /// Answers at once if something is newer than `since` or the client does not want to wait; otherwise waits for a
  /// change, for `wait` seconds at most.
  func poll(_ session: Session, since: Version?, wantsSnapshot: Bool, wait: Int?) -> HTTPAnswer {
    let waiter = nextWaiter()
    guard let wait else {
      return inSession(session) { session in
        Self.response(session.poll(since: since, wantsSnapshot: wantsSnapshot) ?? .unchanged, wantsSnapshot, wait: nil)
      }
    }
    let reply = DeferredReply(deadline: .seconds(wait)) { [host] reply, ending in
      switch ending {
      case .clientLeft: break
      case .timedOut, .stopping: reply.answer(Self.response(.unchanged, wantsSnapshot, wait: wait))
      }
      session.enter { [host] session in
        session.touch(host.now())
        session.endWait(waiter, nil)
      }
    }
    let respond: @Sendable (PollAnswer) -> Void = { reply.answer(Self.response($0, wantsSnapshot, wait: wait)) }
    let answer: PollAnswer?? = session.enter({ [host] session in
      session.touch(host.now())
      return session.poll(since: since, wantsSnapshot: wantsSnapshot, waiter: Waiter(id: waiter, answer: respond))
    }) {
      { answer in if let answer { respond(answer) } }
    }
    if case .some(.some(let answer)) = answer { return .now(Self.response(answer, wantsSnapshot, wait: wait)) }
    return .later(reply)
  }

  private static func response(_ answer: PollAnswer, _ wantsSnapshot: Bool, wait: Int?) -> HTTPResponse {
    var fields = [HTTPField("Vary", wantsSnapshot ? "Prefer" : "Accept, Prefer")]
    if let wait { fields.append(HTTPField("Preference-Applied", "wait=\(wait)")) }
    switch answer {
    case .changed(let message): return .message(message, 200, fields)
    case .unchanged: return wantsSnapshot ? .plain(304, [], fields) : .noContent(fields)
    case .displaced(let seconds):
      fields.append(HTTPField("Retry-After", "\(seconds)"))
      return wantsSnapshot ? .plain(304, [], fields) : .noContent(fields)
    case .closed: return (Problem(SessionError.closed) ?? Problem(.sessionClosed, "")).response
    }
  }

  /// Whether an `Accept` field lets JSON through; its weights are not weighed, there is nothing to choose between.
  private static func acceptsJSON(_ accept: String) -> Bool {
    accept.lowercased().split(separator: ",").contains { range in
      let type = range.prefix { $0 != ";" }.filter { $0 != " " }
      return type == "*/*" || type == "application/*" || type == "application/json"
    }
  }
}
