// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Sessions
import Storing
import ViewModels

/// Opening, reading and closing sessions, and the bodies of requests (PROTOCOL §2).
extension Application {
  func open(_ call: Call) throws -> HTTPAnswer {
    let (request, model) = (call.request, call.path.model)
    let caller = call.caller
    let key = caller.key
    let keyed = try Self.keyedOpening(call)
    try Conditions.checkNothingIsMatched(request)
    let options = try OpeningOptions(body(of: request))
    if let address = options.address { try check(address, of: model) }
    try check(options.params, of: model)
    // A client that asks for the other means gets a new key: of the one that it has, only a hash is known.
    let isMeant = options.means == nil || options.means == key?.means
    let credential = isMeant ? key?.credential : nil
    if try !isKnown(credential, call) { try countOpening(call) }
    let opening = Opening(
      model: model, credential: credential, keyed: keyed, hasFetched: caller.hasFetched,
      user: caller.user, isForeign: isMeant && key?.isForeign == true,
      means: options.means ?? .cookie, cookie: caller.cookie,
      network: caller.network, address: options.address,
      visitor: Visitor(
        languages: options.preferences?.languages ?? AcceptedLanguages.list(request.list("Accept-Language")),
        timeZone: options.preferences?.timeZone, isLocal: callers.isLocal(caller, request), params: options.params),
      invitation: options.invitation)
    let claim = Claim()
    // The path after "/sessions/".
    let sent = call.target.path(fromSegment: 1)
    let (passed, slot, attempt) = (passable(call), PassageSlot(), request.attempt)
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn)) { reply, ending in
      slot.giveUp()
      if claim.take() { return Self.refuse(reply, ending, after: Self.longestTurn) }
      self.giveUp(reply, ending, silent: "the view model, or the session store,")
    }
    host.runOpening(of: model) {
      // No client waits for it any more.
      guard claim.take() else { return }
      let handleAnew: @Sendable (SessionsToFetch) -> Void = {
        self.fetch($0, from: opening.network, attempt: attempt, passing: passed, in: slot, for: reply)
      }
      do { try self.open(opening, reply, orAfter: handleAnew) } catch let missing as SessionsToFetch {
        handleAnew(missing)
      } catch SessionError.noSuchModel(_, let expected) {
        reply.answer(self.failure(SessionError.noSuchModel(sent, expected: expected)))
      } catch SessionError.left {
        reply.askAgain()
      } catch {
        reply.answer(self.failure(error))
      }
    }
    return .later(reply)
  }

  /// Whether a credential is that of a known client. Such a client's openings are counted for the client.
  private func isKnown(_ credential: Credential?, _ call: Call) throws(SessionsToFetch) -> Bool {
    guard let credential else { return false }
    // Other servers may have opened sessions for the client since.
    if !call.caller.hasFetched, host.isNode || !host.knowsAll(of: credential) { throw .clients([credential]) }
    guard host.knows(credential) else { return false }
    call.request.setKnown()
    return true
  }

  /// Counts an opening by a client of which only the address is known: once, however often the store is asked for it.
  private func countOpening(_ call: Call) throws(Problem) {
    guard call.request.count(), let wait = openings?.take(call.caller.address, now: host.now()) else { return }
    let seconds = wait.secondsToWait
    throw Problem(
      .tooManyRequests,
      """
      clients that had none opened too many sessions from this address of late; expected the next one \(seconds) s later, or \
      with the key of a client that has a session
      """, limit: .openings, of: .address, retryAfter: seconds)
  }

  /// The parts of a request to open a session.
  private struct Opening: Sendable {
    let model: String
    /// The client's credential; `nil` if the client is to get one.
    let credential: Credential?
    let keyed: KeyedRequest?
    let hasFetched: Bool
    /// The user that the request proves.
    let user: ProvedUser
    /// Whether the credential is of the app's own, and the client is known by it.
    let isForeign: Bool
    let means: ClientKey.Means
    let cookie: KeyCookie
    let network: ClientNetwork
    let address: JSON?
    let visitor: Visitor
    let invitation: String?
  }

  private func check(_ address: JSON, of model: String) throws(Problem) {
    do throws(SurfaceError) { try host.checkAddress(address, of: model) } catch {
      throw Problem(.invalidAction, "\(error)", pointer: "/address")
    }
  }

  /// Refuses parameters that do not fit, with the fault of each.
  private func check(_ params: JSON?, of model: String) throws(Problem) {
    let faults = host.faults(of: params, for: model)
    guard let first = faults.first else { return }
    var problem = Problem(
      .invalidAction, faults.count == 1 ? "\(first)" : "\(faults.count) of the parameters do not fit")
    problem.errors = faults.map { Problem.Part(pointer: "/params\($0.pointer)", detail: "\($0)") }
    throw problem
  }

  /// - Parameter handleAnew: handles the request anew, after a fetch. Called if another server was quicker to open a
  ///   session for the same request.
  private func open(
    _ opening: Opening, _ reply: DeferredReply, orAfter handleAnew: @escaping @Sendable (SessionsToFetch) -> Void
  ) throws {
    let opened = try host.open(
      opening.model, as: opening.credential, opening.keyed, hasFetched: opening.hasFetched,
      keyStart: opening.means == .bearer ? ClientKey.tokenStart : "", from: opening.network, at: opening.address,
      by: opening.visitor, proving: opening.user.user, adopts: opening.isForeign, invitation: opening.invitation)
    let url = "/sessions/\(opening.model)/\(opened.session.id)"
    var fields = [HTTPField("Location", url)]
    var token: String?
    if let newKey = opened.newKey {
      switch opening.means {
      case .cookie: fields.append(HTTPField("Set-Cookie", opening.cookie.setting(newKey)))
      case .bearer: token = newKey
      }
    }
    opened.session.submit(from: opened.requester, isEntering: true) { [fields, token] session -> HTTPResponse? in
      do {
        // With a key that came before, another request may have closed the session meanwhile.
        try session.check(nil)
        try session.enter(opened.requester, by: opened.invitation)
        return .message(session.opened(url: url, token: token), 201, fields)
      } catch { return self.failure(error) }
    } then: { result in
      if case .failure(.left) = result, let credential = opening.credential {
        return handleAnew(.clients([credential]))
      }
      opened.whenKnown { failure in self.conclude(reply, failure.map { .failure($0) } ?? result) }
    }
  }

  /// The session that a call names, and the client that may use it.
  struct Access {
    let session: Session
    let requester: Requester
    /// The cookie in which the client keeps its key; `nil` for a client that keeps its key by itself.
    let cookie: KeyCookie?
    /// Whether the client is a session at another server, which follows a room here.
    var isSession = false
  }

  /// Finds the session that a reader follows: as ``access(_:)``, or a room for a session at another server.
  func accessOfReader(_ call: Call) throws -> Access {
    guard let visitor = call.caller.visitor else { return try access(call) }
    guard let (room, requester) = try host.room(call.path.id, call.path.model, for: visitor.user) else {
      throw Problem.noSession
    }
    return Access(session: room, requester: requester, cookie: nil, isSession: true)
  }

  /// Finds the session that a call names.
  ///
  /// - Parameter isOfFile: whether it is about a file, for which the session does not go to the server that is asked: the
  ///   bytes are where it is.
  /// - Throws: the same problem for a session that does not exist and for one of another client.
  func access(_ call: Call, isOfFile: Bool = false) throws -> Access {
    let (found, requester, cookie) = try found(call)
    let session = try living(found)
    call.request.setKnown()
    if host.isNode, !isOfFile { host.noteArrival(at: session, isPassedOn: call.caller.isPassedOn) }
    note(requester, at: session, of: call)
    return Access(session: session, requester: requester, cookie: cookie)
  }

  /// Has the log say which client has sent a request, and to which session. Neither word lets anybody use it.
  private func note(_ requester: Requester, at session: Session, of call: Call) {
    guard logsRequests else { return }
    call.request.setNotes([("client", requester.client.name), ("session", String(session.id.prefix(8)))])
  }

  private func living(_ found: SessionHost.Found) throws -> Session {
    switch found {
    case .session(let session): return session
    case .closed(let closing): throw closing.error
    case .refused(let error): throw error
    case .none: throw Problem.noSession
    }
  }

  /// The session that a call names, living or closed, and the client that sends the call.
  private func found(_ call: Call) throws -> (SessionHost.Found, Requester, KeyCookie?) {
    let (found, client) = try host.look(
      for: call.path.id, call.path.model, as: call.caller.key?.credential, hasFetched: call.caller.hasFetched)
    var network = ClientNetwork.unknown
    switch found {
    case .none: throw Problem.noSession
    case .refused(let error): throw error
    case .session(let session): if session.hasContext { network = call.caller.network }
    case .closed: break
    }
    guard let key = call.caller.key, let client else { throw Problem.noSession }
    let start = key.means == .bearer ? ClientKey.tokenStart : ""
    return (found, Requester(client, keyStart: start, from: network), key.cookie)
  }

  func close(_ call: Call) throws -> HTTPAnswer {
    let (found, requester, cookie) = try found(call)
    // The request that closed it gets its answer again.
    if case .closed(.byClient(let closing?)) = found, try closing == keyed(call) { return .now(.noContent()) }
    let access = try Access(session: living(found), requester: requester, cookie: cookie)
    note(requester, at: access.session, of: call)
    return access.session.isRoom ? try leaveRoom(access, call) : try close(access, call)
  }

  /// Ends the waits of a client in a room, which goes on for the others.
  private func leaveRoom(_ access: Access, _ call: Call) throws -> HTTPAnswer {
    // To leave once more changes nothing, so a key only has to be one.
    _ = try keyed(call)
    let conditions = try Conditions(call.request, call.target)
    return inSession(access) { session in
      try session.check(conditions.ifMatch)
      session.releaseReaders(ofMember: access.requester.client)
      return .noContent()
    }
  }

  /// Notes that the client leaves, as a page does when it is closed.
  func leave(_ call: Call) throws -> HTTPAnswer {
    let access = try access(call)
    let conditions = try Conditions(call.request, call.target)
    return inSession(access) { [host] session in
      try session.check(conditions.ifMatch)
      host.leave(session)
      return .noContent()
    }
  }

  func read(_ call: Call) throws -> HTTPAnswer {
    let access = try access(call)
    let path = call.path.tokens
    // The path after "/sessions/{model}/{id}/state/".
    let sent = call.target.path(fromSegment: 4)
    let (ifMatch, known) = Conditions.ofReader(call.request)
    return inSession(access) { session in
      guard let value = try session.value(path) else {
        throw Problem(.notFound, "the state has no value '\(sent)' that can be read now")
      }
      try session.check(ifMatch)
      let isKnown = known?.contains(value.version) == true
      return isKnown ? HTTPResponse.message(value).asNotModified : .message(value)
    }
  }

  func readAddress(_ call: Call) throws -> HTTPAnswer {
    let access = try access(call)
    let (ifMatch, known) = Conditions.ofReader(call.request)
    return inSession(access) { session in
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

  /// The JSON of a body; `nil` for an empty body, since many clients name a media type without a body. An empty
  /// body of a form's type is refused all the same: a page of another site can send one without asking.
  func body(of request: HTTPRequest) throws -> JSON? { try body(of: request, request.header("Content-Type")) }

  /// - Parameter type: the request's `Content-Type`; `nil` if it has none.
  func body(of request: HTTPRequest, _ type: String?) throws -> JSON? {
    let body = request.body
    if body.isEmpty, !(type.map(MediaType.isOfForms) ?? false) { return nil }
    if let type, !MediaType.isJSON(type) {
      throw Problem(.notJSON, "expected the media type application/json, got '\(type)' (with curl: --json)")
    }
    guard type != nil else { throw Problem(.notJSON, "expected the media type application/json, got none") }
    return try JSONReader.read(body)
  }
}
