// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// Following changes (PROTOCOL §5), here by long poll.
extension Application {
  func changes(_ session: Session, _ request: HTTPRequest, _ target: RequestTarget) throws -> HTTPAnswer {
    let accept = request.list("Accept")
    guard let type = Accept(accept).best(of: ["application/json", EventStreamText.mediaType]) else {
      var problem = Problem(
        .notAcceptable, "changes come as application/json or text/event-stream; got 'Accept: \(accept ?? "")'")
      problem.fields = [Self.changesVary]
      throw problem
    }
    let since = try Conditions.since(target)
    if type == EventStreamText.mediaType {
      // What the browser has seen last is later than what its page asked for first. It cannot mend a wrong one.
      return stream(session, since: request.header("Last-Event-ID").flatMap { Version($0) } ?? since)
    }
    return poll(
      session, since: since, wantsSnapshot: false, wait: Preferences(request.list("Prefer")).wait)
  }

  /// Answers at once if something is newer than `since` or the client does not want to wait; otherwise waits for a
  /// change, for `wait` seconds at most.
  func poll(_ session: Session, since: Version?, wantsSnapshot: Bool, wait: Int?) -> HTTPAnswer {
    // A reader of snapshots that gets none is told that the one it has is the present one.
    let snapshotOf = wantsSnapshot ? since : nil
    guard let wait else {
      return inSession(session) { session in
        Self.response(session.poll(since: since, wantsSnapshot: wantsSnapshot) ?? .unchanged, snapshotOf, wait: nil)
      }
    }
    let waiter = nextWaiter()
    let reply = DeferredReply(deadline: .seconds(wait)) { [host] reply, ending in
      switch ending {
      case .clientLeft: break
      case .timedOut, .stopping: reply.answer(Self.response(.unchanged, snapshotOf, wait: wait))
      }
      session.submit { [host] session in
        session.touch(host.now())
        session.endWait(waiter, nil)
      }
    }
    let respond: @Sendable (PollAnswer) -> Void = { reply.answer(Self.response($0, snapshotOf, wait: wait)) }
    let begin: @Sendable (isolated Session) -> PollAnswer? = { [host] session in
      session.touch(host.now())
      return session.poll(since: since, wantsSnapshot: wantsSnapshot, waiter: Waiter(id: waiter, answer: respond))
    }
    switch session.enter(begin) {
    case .some(.some(let answer)): return .now(Self.response(answer, snapshotOf, wait: wait))
    case .some(.none): break
    case .none: session.submit(begin) { answer in if let answer { respond(answer) } }
    }
    return .later(reply)
  }

  /// - Parameters:
  ///   - held: the version of the snapshot that a reader of snapshots has; `nil` for a reader of frames.
  ///   - wait: the seconds of the wait that was granted.
  private static func response(_ answer: PollAnswer, _ held: Version?, wait: Int?) -> HTTPResponse {
    var fields = [held == nil ? changesVary : HTTPField("Vary", "Prefer")]
    if let wait { fields.append(HTTPField("Preference-Applied", "wait=\(wait)")) }
    switch answer {
    case .changed(let message): return .message(message, 200, fields)
    case .unchanged: break
    case .displaced(let seconds): fields.append(HTTPField("Retry-After", "\(seconds)"))
    case .closed: return Problem(SessionError.closed).response
    }
    guard let held else { return .noContent(fields) }
    return .notModified("\(held)", fields + [HTTPField("Cache-Control", "no-store")])
  }

  static let changesVary = HTTPField("Vary", "Accept, Prefer")
}
