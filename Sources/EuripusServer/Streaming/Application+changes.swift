// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// Following changes by long poll (PROTOCOL §5).
extension Application {
  func changes(_ call: Call) throws -> HTTPAnswer {
    let access = try accessOfReader(call)
    let request = call.request
    let accept = request.list("Accept")
    guard let type = Accept(accept).best(of: ["application/json", EventStreamText.mediaType]) else {
      var problem = Problem(
        .notAcceptable, "changes come as application/json or text/event-stream; got 'Accept: \(accept ?? "")'")
      problem.fields = [Self.changesVary]
      throw problem
    }
    let since = try Conditions.since(call.target)
    if type == EventStreamText.mediaType {
      // The last version that the browser has seen is later than the one that its page first asked for. The
      // browser cannot mend a wrong one, so such a version is ignored.
      return stream(access, since: request.header("Last-Event-ID").flatMap { Version($0) } ?? since)
    }
    let (ifMatch, known) = Conditions.ofReader(request)
    return poll(
      access,
      Poll(
        since: since, ifMatch: ifMatch, known: known, wantsSnapshot: false,
        wait: Preferences(request.list("Prefer")).wait))
  }

  /// The whole state, perhaps after a wait for a change.
  func snapshot(_ call: Call) throws -> HTTPAnswer {
    let access = try access(call)
    let request = call.request
    let (ifMatch, known) = Conditions.ofReader(request)
    if let version = known?.version, let wait = Preferences(request.list("Prefer")).wait {
      return poll(access, Poll(since: version, ifMatch: ifMatch, known: known, wantsSnapshot: true, wait: wait))
    }
    return inSession(access) { session in
      try session.check(ifMatch)
      let snapshot = try session.snapshot()
      let isKnown = known?.contains(snapshot.version) == true
      return isKnown ? HTTPResponse.message(snapshot).asNotModified : .message(snapshot)
    }
  }

  /// Answers at once if the session has something newer than the reader's version, or if the reader does not
  /// want to wait. Otherwise it waits for a change.
  func poll(_ access: Access, _ poll: Poll) -> HTTPAnswer {
    let session = access.session
    guard let wait = poll.wait else {
      return inSession(access) { session in
        try session.check(poll.ifMatch)
        return try Self.response(to: poll, session.poll(since: poll.since, wantsSnapshot: poll.wantsSnapshot), session)
      }
    }
    let waiter = Waiter.poll(
      since: poll.since, wantsSnapshot: poll.wantsSnapshot, of: access.requester, isSession: access.isSession)
    let reply = DeferredReply(deadline: .seconds(wait)) { [host] reply, ending in
      switch ending {
      case .clientLeft: break
      // Another server may have something newer. Handled anew, the request waits for the store.
      case .timedOut where !host.holdsLease: reply.askAgain()
      case .timedOut, .stopping: self.conclude(poll, .unchanged, access, reply)
      }
      host.noteUse(of: session)
      session.submit { [host] session in
        session.touch(host.now())
        session.endWait(of: waiter, nil)
      } afterTurn: {
        self.giveUp(reply, ending, ifStuck: session)
      }
    }
    session.submit(from: access.requester) { session -> HTTPResponse? in
      do {
        try session.check(poll.ifMatch)
        let answer = session.poll(waiter) { self.conclude(poll, $0, access, reply) }
        return try answer.map { try Self.response(to: poll, $0, session) }
      } catch { return self.failure(error) }
    } then: { result in
      self.conclude(reply, result)
    }
    return .later(reply)
  }

  /// Answers a poll that has waited.
  private func conclude(_ poll: Poll, _ answer: PollAnswer, _ access: Access, _ reply: DeferredReply) {
    switch answer {
    case .changed(let message): reply.answer(poll.response(message))
    case .closed: reply.answer(Problem(SessionError.closed).response)
    case .failed(let error): conclude(reply, .failure(error))
    case .unchanged, .displaced:
      let more = Self.retry(answer)
      guard poll.wantsSnapshot else {
        reply.answer(poll.nothingNew(more))
        return
      }
      // Even a 304 needs the state, since it names the state's length.
      access.session.submit(from: access.requester) { session -> HTTPResponse? in
        do { return poll.response(try session.snapshot(), more) } catch {
          return self.failure(Problem(error) ?? Problem(SessionError.closed))
        }
      } then: { result in
        self.conclude(reply, result)
      }
    }
  }

  /// The response to a poll that does not wait.
  private static func response(
    to poll: Poll, _ answer: PollAnswer, _ session: isolated Session
  ) throws -> HTTPResponse {
    switch answer {
    case .changed(let message): poll.response(message)
    case .closed: throw SessionError.closed
    case .failed(let error): throw error
    case .unchanged, .displaced:
      poll.wantsSnapshot ? poll.response(try session.snapshot(), retry(answer)) : poll.nothingNew(retry(answer))
    }
  }

  private static func retry(_ answer: PollAnswer) -> [HTTPField] {
    if case .displaced(let seconds) = answer { [HTTPField("Retry-After", "\(seconds)")] } else { [] }
  }

  static let changesVary = HTTPField("Vary", "Accept, Prefer")
}
