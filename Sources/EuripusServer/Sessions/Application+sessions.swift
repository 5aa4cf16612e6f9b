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
    // Who asks for the other means gets another key: the one it has is known by its hash alone.
    let isMeant = options.means == nil || options.means == key?.means
    let opened = try host.open(model, as: isMeant ? key?.credential : nil, keyed, hasFetched: request.attempt > 0)
    let url = "/sessions/\(model)/\(opened.session.id)"
    var fields = [HTTPField("Location", url)]
    var token: String?
    if let newKey = opened.newKey {
      switch options.means ?? .cookie {
      case .cookie: fields.append(HTTPField("Set-Cookie", KeyCookie.setting(newKey, isSecure: identity.isSecure)))
      case .bearer: token = newKey
      }
    }
    // A command that was executed in the view model's `init` may have the turn.
    return inSession(opened.session) { [fields, token] session in
      // Of a key that came before, it may be another request's to have closed it meanwhile.
      try session.check(nil)
      return .message(session.opened(url: url, token: token), 201, fields)
    }
  }

  private func key(_ request: HTTPRequest, _ identity: ClientIdentity) throws -> ClientKey? {
    // Nobody has to be asked about the one key that most requests bring.
    if !ClientKey.mayHaveToken(request) { return try ClientKey.ofCookie(request, isSecure: identity.isSecure) }
    return try keyOfTwo(request, identity)
  }

  // On its own, as nothing need be kept alive for its closure where it is not called.
  @inline(never)
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
    _ model: String, _ id: SessionID?, _ request: HTTPRequest, _ identity: ClientIdentity
  ) throws -> Session {
    guard case .session(let session) = try found(model, id, request, identity) else { throw SessionError.closed }
    return session
  }

  /// The session that a target names, or that it was closed.
  private func found(
    _ model: String, _ id: SessionID?, _ request: HTTPRequest, _ identity: ClientIdentity
  ) throws -> SessionHost.Found {
    let candidate = host.candidate(id)
    let found = try host.find(model, candidate, as: key(request, identity)?.credential)
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
    _ model: String, _ id: SessionID?, _ request: HTTPRequest, _ target: RequestTarget, _ identity: ClientIdentity
  ) throws -> HTTPAnswer {
    let found = try found(model, id, request, identity)
    let keyed = try keyed(request, target)
    guard case .session(let session) = found else {
      // Of the request that closed it, this is the answer again.
      if case .closed(let closing?) = found, closing == keyed { return .now(.noContent()) }
      throw SessionError.closed
    }
    let conditions = Result { try Conditions(request, target) }
    if keyed == nil { _ = try conditions.get() }
    return inSession(session, wait: nil) { session, waiter in
      try self.once(session, keyed, waiter) {
        try session.check(try conditions.get().ifMatch)
        self.host.closeInTurn(session, for: keyed)
        return .closed
      }
    }
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
      return .assign(path, value, try Conditions(request, target))
    }
  }

  func cancel(
    _ session: Session, _ path: [String], _ request: HTTPRequest, _ target: RequestTarget
  ) throws -> HTTPAnswer {
    try change(session, request, target) { .cancel(path, try Conditions(request, target)) }
  }

  func perform(
    _ session: Session, _ path: [String], _ request: HTTPRequest, _ target: RequestTarget
  ) throws -> HTTPAnswer {
    try change(session, request, target, canWait: true) {
      .perform(path, try body(of: request), try Conditions(request, target))
    }
  }

  func performBatch(_ session: Session, _ request: HTTPRequest, _ target: RequestTarget) throws -> HTTPAnswer {
    try change(session, request, target, canWait: true) {
      .batch(try BatchBody(body(of: request)), try Conditions(request, target))
    }
  }

  /// The body's JSON; `nil` for an empty body.
  func body(of request: HTTPRequest) throws -> JSON? {
    let type = request.headerBytes("Content-Type")
    if let type, !MediaType.isJSON(type) {
      throw Problem(
        .notJSON,
        "expected the media type application/json, got '\(String(decoding: type, as: UTF8.self))' (with curl: --json)")
    }
    let body = request.bodyBytes
    if body.isEmpty { return nil }
    guard type != nil else { throw Problem(.notJSON, "expected the media type application/json, got none") }
    return try JSONReader.read(body)
  }
}
