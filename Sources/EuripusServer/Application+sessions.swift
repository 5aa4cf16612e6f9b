// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Locking
import Sessions

/// Opening, reading and closing (PROTOCOL §2), and one action (§3).
extension Application {
  func open(_ model: String, _ request: HTTPRequest) throws -> HTTPAnswer {
    if let options = try body(of: request) { try OpeningOptions.check(options) }
    let opened = try host.open(model, as: KeyCookie.credential(request))
    let url = "/sessions/\(model)/\(opened.session.id)"
    let cookie = opened.newKey.map { [HTTPField("Set-Cookie", KeyCookie.setting($0))] } ?? []
    let fields = [HTTPField("Location", url)] + cookie
    // A command that was executed in the view model's `init` may have the turn.
    return inSession(opened.session) { .message($0.opened(url: url), 201, fields) }
  }

  /// The session that a target names.
  ///
  /// - Throws: one and the same problem for a session that is not there and for one that is another client's.
  func session(_ model: String, _ id: String, _ request: HTTPRequest) throws -> Session {
    switch try host.find(model, id, as: KeyCookie.credential(request)) {
    case .session(let session): return session
    case .closed: throw SessionError.closed
    case .none:
      throw Problem(
        .noSession,
        "no session of this client has this URL: it never was, it was idle for too long, or it is another client's")
    }
  }

  func snapshot(_ session: Session, _ request: HTTPRequest) throws -> HTTPAnswer {
    let known = EntityTags(request.list("If-None-Match"))
    if let version = known?.version, let wait = Preferences(request.list("Prefer")).wait {
      return poll(session, since: version, wantsSnapshot: true, wait: wait)
    }
    return inSession(session) { session in
      let snapshot = try session.snapshot()
      if let known, known.contains(snapshot.version.description) { return .notModified("\(snapshot.version)") }
      return .message(snapshot)
    }
  }

  func close(_ session: Session, _ request: HTTPRequest, _ target: RequestTarget) throws -> HTTPAnswer {
    let conditions = try Conditions(request, target)
    return inSession(session) { session in
      try session.check(conditions.ifMatch)
      self.host.close(session)
      return .noContent()
    }
  }

  func read(_ session: Session, _ path: [String], _ request: HTTPRequest) -> HTTPAnswer {
    let known = EntityTags(request.list("If-None-Match"))
    return inSession(session) { session in
      guard let value = try session.value(path) else {
        throw Problem(.notFound, "the state has no value '\(path.joined(separator: "/"))' that can be read now")
      }
      if let known, known.contains(value.version.description) { return .notModified("\(value.version)") }
      return .message(value)
    }
  }

  func assign(
    _ session: Session, _ path: [String], _ request: HTTPRequest, _ target: RequestTarget
  ) throws -> HTTPAnswer {
    guard let value = try body(of: request) else {
      throw Problem(.invalidAction, "expected the value as JSON, got an empty body", pointer: "")
    }
    let conditions = try Conditions(request, target)
    return inSession(session) { session in
      .frame(try session.assign(path, value, since: conditions.since, ifMatch: conditions.ifMatch))
    }
  }

  func cancel(
    _ session: Session, _ path: [String], _ request: HTTPRequest, _ target: RequestTarget
  ) throws -> HTTPAnswer {
    let conditions = try Conditions(request, target)
    return inSession(session) { session in
      .frame(try session.cancel(path, since: conditions.since, ifMatch: conditions.ifMatch))
    }
  }

  func perform(
    _ session: Session, _ path: [String], _ request: HTTPRequest, _ target: RequestTarget
  ) throws -> HTTPAnswer {
    let value = try body(of: request)
    let conditions = try Conditions(request, target)
    if let wait = Preferences(request.list("Prefer")).wait {
      return perform(session, path, value, conditions, wait: wait)
    }
    return inSession(session) { session in
      .frame(try session.perform(path, value, since: conditions.since, ifMatch: conditions.ifMatch))
    }
  }

  /// Performs an action and waits for the commands that it starts, for `wait` seconds at most.
  private func perform(
    _ session: Session, _ path: [String], _ value: JSON?, _ conditions: Conditions, wait: Int
  ) -> HTTPAnswer {
    let id = nextWaiter()
    let fields = [HTTPField("Preference-Applied", "wait=\(wait)")]
    // It may be over before the session's turn comes.
    let isOver = Locked(false)
    let reply = DeferredReply(deadline: .seconds(wait)) { _, ending in
      isOver.withLock { $0 = true }
      let hasReader: Bool
      switch ending {
      case .clientLeft: hasReader = false
      case .timedOut, .stopping: hasReader = true
      }
      session.submit { $0.endActionWait(id, hasReader: hasReader) }
    }
    let waiter = ActionWaiter(id: id) { answer in
      switch answer {
      case .frame(let message): reply.answer(.frame(message, fields))
      case .closed: reply.answer(Problem(SessionError.closed).response)
      }
    }
    let body: @Sendable (isolated Session) -> HTTPResponse? = { session in
      session.touch(self.host.now())
      do {
        let (since, ifMatch) = (conditions.since, conditions.ifMatch)
        if isOver.withLock({ $0 }) {
          return .frame(try session.perform(path, value, since: since, ifMatch: ifMatch), fields)
        }
        return try session.perform(path, value, since: since, ifMatch: ifMatch, waiter: waiter).map {
          .frame($0, fields)
        }
      } catch { return self.failure(error) }
    }
    switch session.enter(body) {
    case .some(.some(let response)): return .now(response)
    case .some(.none): break
    case .none: session.submit(body) { response in if let response { reply.answer(response) } }
    }
    return .later(reply)
  }

  /// Runs `body` in the session's turn and answers with what it gives: now, or when the turn is free.
  ///
  /// A request that waits for the turn is either done or refused, never both: whoever claims it first decides.
  func inSession(
    _ session: Session, _ body: @escaping @Sendable (isolated Session) throws -> HTTPResponse
  ) -> HTTPAnswer {
    let response = session.enter { session in
      session.touch(self.host.now())
      do { return try body(session) } catch { return self.failure(error) }
    }
    return response.map { .now($0) } ?? .later(waitingForTurn(of: session, body))
  }

  private func waitingForTurn(
    of session: Session, _ body: @escaping @Sendable (isolated Session) throws -> HTTPResponse
  ) -> DeferredReply {
    let claim = Claim()
    let reply = DeferredReply(deadline: .seconds(30)) { reply, ending in
      guard claim.take() else { return }
      switch ending {
      case .clientLeft: break
      case .timedOut: reply.answer(Problem(.overloaded, "the session was busy for 30 seconds").response)
      case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
      }
    }
    session.submit { session -> HTTPResponse? in
      guard claim.take() else { return nil }
      session.touch(self.host.now())
      do { return try body(session) } catch { return self.failure(error) }
    } then: { response in
      if let response { reply.answer(response) }
    }
    return reply
  }

  /// The body's JSON; `nil` for an empty body.
  func body(of request: HTTPRequest) throws -> JSON? {
    let isJSON = try request.withHeader("Content-Type") { field in
      guard let field else { return false }
      guard MediaType.isJSON(field) else {
        throw Problem(
          .notJSON,
          "expected the media type application/json, got '\(String(decoding: field, as: UTF8.self))' (with curl: --json)"
        )
      }
      return true
    }
    if request.body.isEmpty { return nil }
    guard isJSON else { throw Problem(.notJSON, "expected the media type application/json, got none") }
    return try JSONReader.read(request.body)
  }
}

/// What a change depends on, and where its frame starts.
struct Conditions: Sendable {
  let since: Version?
  let ifMatch: Precondition?

  /// - Throws: `bad-version` for a `since` that is none.
  init(_ request: HTTPRequest, _ target: RequestTarget) throws {
    since = try Self.since(target)
    ifMatch = EntityTags(request.list("If-Match"))?.precondition
  }

  static func since(_ target: RequestTarget) throws -> Version? {
    let texts = target.parameters("since")
    guard let text = texts.first else { return nil }
    guard texts.count == 1, let version = Version(text) else {
      throw Problem(.badVersion, "expected one 'since' of the form epoch.revision, such as k7q2mzx4.12")
    }
    return version
  }
}

/// The optional body of opening a session.
enum OpeningOptions {
  static func check(_ options: JSON) throws {
    guard case .object(let members) = options else {
      throw Problem(.invalidAction, "expected an object with 'params' and 'auth', or an empty body", pointer: "")
    }
    for member in members {
      switch (member.name, member.value) {
      case ("params", .object([])), ("auth", .string("cookie")): break
      case ("params", _): throw Problem(.invalidAction, "this view model takes no parameters", pointer: "/params")
      case ("auth", _): throw Problem(.invalidAction, "expected \"cookie\"", pointer: "/auth")
      default: throw Problem(.invalidAction, "expected 'params' or 'auth', got '\(member.name)'", pointer: "")
      }
    }
  }
}
