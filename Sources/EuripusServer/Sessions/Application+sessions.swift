// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Sessions
import ViewModels

/// Opening, reading and closing (PROTOCOL §2), and the bodies of requests.
extension Application {
  func open(_ call: Call) throws -> HTTPAnswer {
    let (request, model) = (call.request, call.path.model)
    let key = try key(call)
    let keyed = try Self.keyedOpening(call)
    try Conditions.checkNothingIsMatched(request)
    let options = try OpeningOptions(body(of: request))
    if let address = options.address { try check(address, of: model) }
    if request.attempt == 0, let wait = openings?.take(address(request, call.identity), now: host.now()) {
      var problem = Problem(.tooManyRequests, "too many sessions were opened from this address of late")
      problem.fields = [HTTPField("Retry-After", "\(wait.secondsToWait)")]
      problem.limit = .openings
      throw problem
    }
    // A client that asks for the other means gets another key: the one it has is known by its hash alone.
    let isMeant = options.means == nil || options.means == key?.means
    let opening = Opening(
      model: model, credential: isMeant ? key?.credential : nil, keyed: keyed, hasFetched: request.attempt > 0,
      means: options.means ?? .cookie, cookie: KeyCookie(request, call.identity),
      network: network(of: request, call.identity), address: options.address)
    let claim = Claim()
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn)) { reply, ending in
      if claim.take() { return Self.refuse(reply, ending, after: Self.longestTurn) }
      self.giveUp(reply, ending, silent: "the view model, or the session store,")
    }
    host.runOpening(of: model) {
      // Nobody waits for it any more.
      guard claim.take() else { return }
      do { try self.open(opening, reply) } catch let missing as SessionsToFetch {
        self.fetch(missing, from: opening.network, for: reply)
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
    let cookie: KeyCookie
    let network: ClientNetwork
    let address: JSON?
  }

  private func check(_ address: JSON, of model: String) throws(Problem) {
    do throws(SurfaceError) { try host.checkAddress(address, of: model) } catch {
      throw Problem(.invalidAction, "\(error)", pointer: "/address")
    }
  }

  private func open(_ opening: Opening, _ reply: DeferredReply) throws {
    let opened = try host.open(
      opening.model, as: opening.credential, opening.keyed, hasFetched: opening.hasFetched,
      keyStart: opening.means == .bearer ? ClientKey.tokenStart : "", from: opening.network, at: opening.address)
    let url = "/sessions/\(opening.model)/\(opened.session.id)"
    var fields = [HTTPField("Location", url)]
    var token: String?
    if let newKey = opened.newKey {
      switch opening.means {
      case .cookie: fields.append(HTTPField("Set-Cookie", opening.cookie.setting(newKey)))
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
      self.conclude(reply, result)
    }
  }

  private func key(_ call: Call) throws -> ClientKey? {
    let request = call.request
    var asked: [Credential] = []
    let key = try ClientKey.of(request, call.identity) { credential in
      if request.attempt == 0, !host.knowsAll(of: credential) { asked.append(credential) }
      return host.knows(credential)
    }
    // Which of two counts depends on who is known.
    if !asked.isEmpty { throw SessionsToFetch.clients(asked) }
    return key
  }

  /// The session that a call names.
  ///
  /// - Throws: one and the same problem for a session that is not there and for one that is another client's.
  func session(_ call: Call) throws -> Session {
    guard case .session(let session) = try found(call) else { throw SessionError.closed }
    return session
  }

  /// The session that a call names, or that it was closed.
  private func found(_ call: Call) throws -> SessionHost.Found {
    let found = try host.find(call.path.model, call.path.id, as: key(call)?.credential)
    if case .none = found { throw Problem.noSession }
    return found
  }

  func snapshot(_ call: Call) throws -> HTTPAnswer {
    let session = try session(call)
    let request = call.request
    let (ifMatch, known) = Conditions.ofReader(request)
    if let version = known?.version, let wait = Preferences(request.list("Prefer")).wait {
      return poll(session, Poll(since: version, ifMatch: ifMatch, known: known, wantsSnapshot: true, wait: wait))
    }
    return inSession(session) { session in
      try session.check(ifMatch)
      let snapshot = try session.snapshot()
      let isKnown = known?.contains(snapshot.version) == true
      return isKnown ? HTTPResponse.message(snapshot).asNotModified : .message(snapshot)
    }
  }

  func close(_ call: Call) throws -> HTTPAnswer {
    let found = try found(call)
    guard case .session(let session) = found else {
      // The request that closed it gets its answer again.
      if case .closed(let closing?) = found, try closing == keyed(call) { return .now(.noContent()) }
      throw SessionError.closed
    }
    return try close(session, call)
  }

  func read(_ call: Call) throws -> HTTPAnswer {
    let session = try session(call)
    let path = call.path.tokens
    // As in "/sessions/{model}/{id}/state/{path}".
    let sent = call.target.path(fromSegment: 4)
    let (ifMatch, known) = Conditions.ofReader(call.request)
    return inSession(session) { session in
      guard let value = try session.value(path) else {
        throw Problem(.notFound, "the state has no value '\(sent)' that can be read now")
      }
      try session.check(ifMatch)
      let isKnown = known?.contains(value.version) == true
      return isKnown ? HTTPResponse.message(value).asNotModified : .message(value)
    }
  }

  func readAddress(_ call: Call) throws -> HTTPAnswer {
    let session = try session(call)
    let (ifMatch, known) = Conditions.ofReader(call.request)
    return inSession(session) { session in
      guard let address = try session.address() else {
        throw Problem(.notFound, "nothing of this view model is in an address")
      }
      try session.check(ifMatch)
      let isKnown = known?.contains(address.version) == true
      return isKnown ? HTTPResponse.message(address).asNotModified : .message(address)
    }
  }

  /// The JSON of a body that is a value.
  func value(of request: HTTPRequest) throws -> JSON {
    guard let value = try body(of: request) else {
      throw Problem(.invalidAction, "expected the value as JSON, got an empty body", pointer: "")
    }
    return value
  }

  /// The body's JSON; `nil` for an empty body, whatever its media type: many clients name one for what is not there. But not
  /// that of a form, which a page of another site can send without asking.
  func body(of request: HTTPRequest) throws -> JSON? {
    let type = request.header("Content-Type")
    let body = request.body
    if body.isEmpty, !(type.map(MediaType.isOfForms) ?? false) { return nil }
    if let type, !MediaType.isJSON(type) {
      throw Problem(.notJSON, "expected the media type application/json, got '\(type)' (with curl: --json)")
    }
    guard type != nil else { throw Problem(.notJSON, "expected the media type application/json, got none") }
    return try JSONReader.read(body)
  }
}
