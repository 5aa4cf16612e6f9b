// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// Following changes by long poll (PROTOCOL §5).
extension Application {
  func changes(_ session: Session, _ request: HTTPRequest, _ target: RequestTarget) throws -> HTTPAnswer {
    if let accept = request.list("Accept"), !Self.acceptsJSON(accept) {
      throw Problem(.notAcceptable, "changes come as application/json; got 'Accept: \(accept)'")
    }
    let since = try Conditions.since(target)
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
    var fields = [HTTPField("Vary", held == nil ? "Accept, Prefer" : "Prefer")]
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

  /// Whether an `Accept` field lets JSON through; its weights are not weighed, there is nothing to choose between.
  private static func acceptsJSON(_ accept: String) -> Bool {
    accept.isEmpty
      || accept.lowercased().split(separator: ",").contains { range in
        let type = range.prefix { $0 != ";" }.filter { $0 != " " }
        return type == "*/*" || type == "application/*" || type == "application/json"
      }
  }
}
