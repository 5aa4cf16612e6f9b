// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Sessions
import ViewModels

/// Opening, reading and closing (PROTOCOL §2), and one action (§3).
extension Application {
  func open(
    _ model: String, _ request: HTTPRequest, _ target: RequestTarget, _ identity: ClientIdentity
  ) throws -> HTTPAnswer {
    let key = try key(request, identity)
    let keyed = try Self.keyedOpening(request, target)
    try Conditions.checkNothingIsMatched(request)
    let options = try OpeningOptions(body(of: request))
    if request.attempt == 0, let wait = openings?.take(address(request, identity), now: host.now()) {
      var problem = Problem(.tooManyRequests, "too many sessions were opened from this address of late")
      problem.fields = [HTTPField("Retry-After", "\(wait.secondsToWait)")]
      problem.limit = .openings
      throw problem
    }
    // A client that asks for the other means gets another key: the one it has is known by its hash alone.
    let isMeant = options.means == nil || options.means == key?.means
    let opening = Opening(
      model: model, credential: isMeant ? key?.credential : nil, keyed: keyed, hasFetched: request.attempt > 0,
      means: options.means ?? .cookie, isSecure: identity.isSecure)
    let claim = Claim()
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn)) { reply, ending in
      if claim.take() { Self.refuse(reply, ending) } else { Self.giveUp(reply, ending) }
    }
    host.runOpening(of: model) {
      // Nobody waits for it any more.
      guard claim.take() else { return }
      do { try self.open(opening, reply) } catch let missing as SessionsToFetch {
        self.fetch(missing, for: reply)
      } catch {
        reply.answer(self.failure(error))
      }
    }
    return .later(reply)
  }

  /// The parts of a request to open a session.
  private struct Opening: Sendable {
    let model: String
    /// The credential that the client has; `nil` if it is to get one.
    let credential: Credential?
    let keyed: KeyedRequest?
    let hasFetched: Bool
    let means: ClientKey.Means
    let isSecure: Bool
  }

  private func open(_ opening: Opening, _ reply: DeferredReply) throws {
    let opened = try host.open(opening.model, as: opening.credential, opening.keyed, hasFetched: opening.hasFetched)
    let url = "/sessions/\(opening.model)/\(opened.session.id)"
    var fields = [HTTPField("Location", url)]
    var token: String?
    if let newKey = opened.newKey {
      switch opening.means {
      case .cookie: fields.append(HTTPField("Set-Cookie", KeyCookie.setting(newKey, isSecure: opening.isSecure)))
      case .bearer: token = newKey
      }
    }
    opened.session.submit { [fields, token] session -> HTTPResponse? in
      do {
        // Another request may have closed it meanwhile, if the key came before.
        try session.check(nil)
        return .message(session.opened(url: url, token: token), 201, fields)
      } catch { return self.failure(error) }
    } then: { result in
      Self.conclude(reply, result)
    }
  }

  private func key(_ request: HTTPRequest, _ identity: ClientIdentity) throws -> ClientKey? {
    // Nobody has to be asked about the one key that most requests bring.
    if !ClientKey.mayHaveToken(request) { return try ClientKey.ofCookie(request, isSecure: identity.isSecure) }
    return try keyOfTwo(request, identity)
  }

  private func keyOfTwo(_ request: HTTPRequest, _ identity: ClientIdentity) throws -> ClientKey? {
    var asked: [Credential] = []
    let key = try ClientKey.of(request, isSecure: identity.isSecure) { credential in
      if request.attempt == 0, !host.knowsAll(of: credential) { asked.append(credential) }
      return host.knows(credential)
    }
    // Which of two counts depends on who is known.
    if !asked.isEmpty { throw SessionsToFetch.clients(asked) }
    return key
  }

  /// The session that a target names.
  ///
  /// - Throws: one and the same problem for a session that is not there and for one that is another client's.
  func session(
    _ model: String, _ id: String, _ request: HTTPRequest, _ identity: ClientIdentity
  ) throws -> Session {
    guard case .session(let session) = try found(model, id, request, identity) else { throw SessionError.closed }
    return session
  }

  /// The session that a target names, or that it was closed.
  private func found(
    _ model: String, _ id: String, _ request: HTTPRequest, _ identity: ClientIdentity
  ) throws -> SessionHost.Found {
    let found = try host.find(model, id, as: key(request, identity)?.credential)
    if case .none = found { throw Problem.noSession }
    return found
  }

  func snapshot(_ session: Session, _ request: HTTPRequest) throws -> HTTPAnswer {
    let (ifMatch, known) = Conditions.ofReader(request)
    if let version = known?.version, let wait = Preferences(request.list("Prefer")).wait {
      return poll(session, Poll(since: version, ifMatch: ifMatch, known: known, wantsSnapshot: true, wait: wait))
    }
    return inSession(session) { session in
      try session.check(ifMatch)
      let snapshot = try session.snapshot()
      let isKnown = known?.contains(snapshot.version.description) == true
      return isKnown ? HTTPResponse.message(snapshot).asNotModified : .message(snapshot)
    }
  }

  func close(
    _ model: String, _ id: String, _ request: HTTPRequest, _ target: RequestTarget, _ identity: ClientIdentity
  ) throws -> HTTPAnswer {
    let found = try found(model, id, request, identity)
    guard case .session(let session) = found else {
      // The request that closed it gets its answer again.
      if case .closed(let closing?) = found, try closing == keyed(request, target) { return .now(.noContent()) }
      throw SessionError.closed
    }
    return try close(session, request, target)
  }

  func read(_ session: Session, _ path: [String], _ request: HTTPRequest) -> HTTPAnswer {
    let (ifMatch, known) = Conditions.ofReader(request)
    return inSession(session) { session in
      guard let value = try session.value(path) else {
        throw Problem(.notFound, "the state has no value '\(path.joined(separator: "/"))' that can be read now")
      }
      try session.check(ifMatch)
      let isKnown = known?.contains(value.version.description) == true
      return isKnown ? HTTPResponse.message(value).asNotModified : .message(value)
    }
  }

  func assign(
    _ session: Session, _ path: [String], _ request: HTTPRequest, _ target: RequestTarget
  ) throws -> HTTPAnswer {
    try change(session, request, target) {
      guard let value = try body(of: request) else {
        throw Problem(.invalidAction, "expected the value as JSON, got an empty body", pointer: "")
      }
      return ChangeBody(.set(path, value))
    }
  }

  func cancel(
    _ session: Session, _ path: [String], _ request: HTTPRequest, _ target: RequestTarget
  ) throws -> HTTPAnswer {
    try change(session, request, target) { ChangeBody(.cancel(path)) }
  }

  func perform(
    _ session: Session, _ path: [String], _ request: HTTPRequest, _ target: RequestTarget
  ) throws -> HTTPAnswer {
    try change(session, request, target, canWait: true) {
      ChangeBody(.perform(path, try body(of: request)))
    }
  }

  func performBatch(_ session: Session, _ request: HTTPRequest, _ target: RequestTarget) throws -> HTTPAnswer {
    try change(session, request, target, canWait: true) {
      try ChangeBody(batch: body(of: request))
    }
  }

  /// The body's JSON; `nil` for an empty body.
  func body(of request: HTTPRequest) throws -> JSON? {
    let type = request.header("Content-Type")
    if let type, !MediaType.isJSON(type) {
      throw Problem(.notJSON, "expected the media type application/json, got '\(type)' (with curl: --json)")
    }
    let body = request.body
    if body.isEmpty { return nil }
    guard type != nil else { throw Problem(.notJSON, "expected the media type application/json, got none") }
    return try JSONReader.read(Array(body))
  }
}
