// SPDX-License-Identifier: MIT
package import JSONPatching
package import Storing
package import ViewModels

/// Opening sessions.
extension SessionHost {
  /// A session that was opened.
  package struct Opened: Sendable {
    package let session: Session
    /// The client's new key, which is handed over only here; `nil` if the client has one already.
    package let newKey: String?
    /// The client that asked. What this shows of the session is refused to it once it has another credential or
    /// another user.
    package let requester: Requester
    /// The invitation by which the client comes; `nil` for none.
    package let invitation: String?
    /// The wait until the store knows a client that has entered a room; `nil` if it does.
    let entering: Grant?

    /// Calls `done` once the store knows the client, or with the reason why it does not. It may be called before this returns.
    package func whenKnown(_ done: @escaping @Sendable (SessionError?) -> Void) {
      if let entering { entering.whenStored(done) } else { done(nil) }
    }
  }

  /// Opens a session on the view model `name`.
  ///
  /// - Parameters:
  ///   - credential: the credential of the key that the client sent. A credential that no session knows is
  ///     treated as no credential, and never adopted.
  ///   - request: the request that asks for the session, if it has a key. A known client that repeats it gets
  ///     the session that it opened first. A client whose credential is not known cannot be told from another,
  ///     and gets a new session each time.
  ///   - hasFetched: whether the sessions that an earlier call asked for have been fetched.
  ///   - keyStart: the beginning of a new key.
  ///   - network: the network that the request comes from.
  ///   - visitor: the facts that are known of the person who opens it. The user is the client's.
  ///   - proved: the user that the request proves; `nil` for none.
  ///   - adopts: whether a credential that no client has becomes the new client's. The app has checked it.
  ///   - address: the address at which the view model begins; `nil` for none in particular.
  ///   - invitation: the invitation by which the client comes into a room; `nil` for none. The session decides on it:
  ///     call ``Session/enter(_:by:)``.
  /// - Throws: ``SessionError``, ``SessionsToFetch``, or the error of the view model's `init`. With
  ///   ``SessionError/left``, the client has signed in or out meanwhile, and the request is to be handled anew.
  package func open(
    _ name: String, as credential: Credential?, _ request: KeyedRequest? = nil, hasFetched: Bool = false,
    keyStart: String = "", from network: ClientNetwork = .unknown, at address: JSON? = nil,
    by visitor: Visitor = Visitor(), proving proved: User? = nil, adopts: Bool = false, invitation: String? = nil
  ) throws -> Opened {
    guard let (type, counts) = types[name] else { throw SessionError.noSuchModel(name, expected: modelNames) }
    try checkLease()
    if let credential, !hasFetched, !table.knowsAll(of: credential) { throw SessionsToFetch.clients([credential]) }
    let (owner, newKey, user): (Credential, String?, User?)
    if let credential, let client = table.client(of: credential) {
      (owner, newKey, user) = (client.owner, nil, client.user)
    } else {
      // The cookie of this answer would replace the one that the browser has just got.
      if let credential, table.ending(of: credential, now: now()) == .replaced { throw SessionError.credentialReplaced }
      let key = adopts ? nil : keyStart + randomness.base64URL(bytes: 32)
      (owner, newKey, user) = (key.map { Credential(hashing: $0) } ?? credential ?? Self.nobody, key, proved)
    }
    let client = owner
    var entering: Grant?
    let (session, isMade) = try session(
      name, type, counts, for: client, by: user, request, from: network, at: address, visitor, isKnown: newKey == nil,
      invitation: invitation
    ) {
      // Binds the new client to the user that the request proves. One that enters a room has no session of its own, so it
      // is known as one that has signed in.
      if let proved, newKey != nil || adopts { _ = services.signIns.bind(client, to: proved) }
      if type.owner == .room { entering = services.signIns.enter(client, isNew: newKey != nil || adopts) }
    }
    do throws(SessionError) {
      return try opened(session, newKey, for: client, as: credential, by: user, entering, invitation)
    } catch {
      if isMade, session.owner == client { end(signedOut: session) }
      throw error
    }
  }

  /// The session that a client opens: a new one, or the living one that the same request or others with the same rights
  /// have opened.
  ///
  /// - Parameters:
  ///   - user: the client's user.
  ///   - bind: makes the client known. It is called before its session is made, so that the store has the user first.
  /// - Throws: as ``open(_:as:_:hasFetched:keyStart:from:at:by:proving:adopts:)``.
  func session(
    _ name: String, _ type: HostedModelType, _ counts: SessionCounts, for client: Credential, by user: User?,
    _ request: KeyedRequest? = nil, from network: ClientNetwork, at address: JSON? = nil, _ visitor: Visitor,
    isKnown: Bool = true, invitation: String? = nil, bind: () -> Void
  ) throws -> (Session, isMade: Bool) {
    var (owner, request) = (client, request)
    // The refusal of a client that may enter the room as a guest alone.
    var refusal: SessionError?
    let roomRule = type.roomRule(visitor.params)
    switch type.owner {
    case .client: break
    case .user:
      guard let user else { throw SessionError.signInNeeded(model: name) }
      // Every opening of a user's own session is the same request, so each user has one session.
      (owner, request) = (.ofUser(user.id), .toShare(name))
    case .room:
      if roomRule?(user) != true {
        let refused = user == nil ? SessionError.signInNeeded(model: name) : .notAdmitted(model: name)
        // Nobody else has rooms looked for: whoever has neither an invitation nor a key of before is no guest.
        guard type.takesGuests, invitation != nil || isKnown else { throw refused }
        if let wait = table.waitForOpening(of: client, now: now()) {
          table.forgetUnused(.ofRoom(name, try type.normalParams(visitor.params)))
          throw SessionError.tooManyOpenings(retryAfter: wait)
        }
        refusal = invitation == nil ? refused : .noInvitation
      }
      (owner, request) = (.ofRoom(name, try type.normalParams(visitor.params)), .toShare(name))
    }
    let isShared = type.owner != .client
    if isShared, !table.knowsAll(of: owner) { throw SessionsToFetch.user(owner) }
    var visitor = visitor
    // The facts about one person are not facts about a room.
    if roomRule != nil { visitor = Visitor(params: visitor.params) } else { visitor.user = user }
    // A new room is nobody's, so nobody's share of the memory is its bound, but that of strangers from a network.
    let isNewcomer: Bool? = roomRule == nil ? nil : true
    let keeping = keeping(of: type, visitor.params, from: network)
    switch table.prospect(
      for: owner, request, reopens: isShared, isNewcomer: isNewcomer, from: network,
      isStored: keeping != nil, now: now())
    {
    case .done:
      if let refusal {
        table.forgetUnused(owner)
        table.countOpening(of: client, now: now())
        throw refusal
      }
    case .isOpen(let session):
      if let refusal, !session.admits(client, user), invitation.map({ session.admits(client, user, by: $0) }) != true {
        table.countOpening(of: client, now: now())
        throw refusal
      }
      bind()
      return (session, false)
    case .unknown: throw SessionsToFetch.user(owner)
    case .isStored(let id): throw SessionsToFetch.session(id, for: client)
    case .refused(let error):
      if isShared { table.forgetUnused(owner) }
      // A client that may not enter is not told by this either that the room does not live.
      throw refusal ?? error
    }
    if roomRule != nil, let wait = table.waitForOpening(of: client, now: now()) {
      table.forgetUnused(owner)
      throw SessionError.tooManyOpenings(retryAfter: wait)
    }
    bind()
    let use = table.making(for: owner)
    defer { table.made(for: owner) }
    let nextCheck = now() + min(configuration.idleTime, Self.patience)
    let id = randomness.base64URL(bytes: 16)
    var origin = SessionOrigin(
      id: id, client: owner.name, address: address, owner: type.owner, visitor: visitor)
    if type.takesGuests { origin.guests = GuestList() }
    origin.clock = services.moment
    origin.rooms = rooms(for: owner, use, from: network)
    origin.topics = services.topics
    origin.spool = spool
    let model = try making(name) { [origin] in try type.make(for: origin) }
    let length = model.stateLength
    guard length <= configuration.maxStateBytes else {
      model.close()
      throw SurfaceError.stateTooLong(length: length, limit: configuration.maxStateBytes)
    }
    let bytes = model.memoryBytes
    let facts = SessionFacts(
      id: id, modelName: name, owner: owner, opening: request, epoch: randomness.word(), network: network,
      openedBy: owner == client ? user?.id : nil, params: visitor.params, roomRule: roomRule,
      hasContext: model.context != nil,
      awaitsCommands: type.awaitsCommands)
    let session = Session(
      facts, use: use, model: model, bytes: bytes, services: services, counts: counts, keeping: keeping,
      nextCheck: nextCheck)
    switch table.insert(session, bytes, reopens: isShared, isNewcomer: isNewcomer, now: now(), checkAt: nextCheck) {
    case .done(let superseded):
      if roomRule != nil { table.countOpening(of: client, now: now()) }
      end(superseded)
      return (session, true)
    // Another opening came first while the view model was made. The new view model is dropped before any client
    // has seen it.
    case .isOpen(let first):
      session.submit { $0.end(.expired) }
      return (first, false)
    case .unknown:
      session.submit { $0.end(.expired) }
      throw SessionsToFetch.user(owner)
    case .isStored(let id):
      session.submit { $0.end(.expired) }
      throw SessionsToFetch.session(id, for: client)
    case .refused(let error):
      session.submit { $0.end(.expired) }
      throw error
    }
  }

  /// Gives a session to the client that asked for it, if the credential that came is still the client's.
  ///
  /// A user may have signed in or out while the view model was made. The session may show the new user's values by
  /// now, and only the answer to that request brings the credential that may see them.
  ///
  /// - Parameter user: the client's user when the request came.
  private func opened(
    _ session: Session, _ newKey: String?, for client: Credential, as credential: Credential?, by user: User?,
    _ entering: Grant?, _ invitation: String?
  ) throws(SessionError) -> Opened {
    let credential = newKey.map { Credential(hashing: $0) } ?? credential ?? Self.nobody
    guard let present = table.client(of: credential), present.owner == client, present.user?.id == user?.id else {
      throw .left
    }
    if session.isRoom, invitation == nil, !session.admits(client, present.user) { throw .left }
    // The user may have other claims by now, and yet others when the session's turn comes.
    if present.user != user, !session.isRoom {
      session.submit { [table] session in
        if let known = table.user(of: client), known.id == user?.id { session.become(known) }
      }
    }
    return Opened(
      session: session, newKey: newKey, requester: Requester(present), invitation: invitation, entering: entering)
  }

  /// The time that a client has from the opening of a session to its first request in it. A page may be opened
  /// in a tab that nobody looks at yet.
  static let patience: Duration = .seconds(5 * 60)

  /// Checks that a view model can be opened at an address.
  ///
  /// - Throws: `SurfaceError`, if the address is not one of the view model's.
  package func checkAddress(_ address: JSON, of name: String) throws(SurfaceError) {
    try types[name]?.type.checkAddress(address)
  }

  /// Makes a view model, notes how long that took, and reports it if it took long. A making that throws counts
  /// too, since it may block and fail again and again. It does not count if the view model's code did not run.
  func making(
    _ name: String, _ make: () throws -> sending any HostedModel
  ) throws -> sending any HostedModel {
    let began = now()
    let watched = services.watch.begin(Self.makingName, of: name, since: began)
    defer { services.watch.end(watched) }
    do {
      let model = try make()
      noteMaking(name, since: began)
      return model
    } catch {
      if !(error is Poisoned) { noteMaking(name, since: began) }
      throw error
    }
  }

  /// The name under which the making of a view model is reported. No action is called so.
  private static let makingName = "the making of a view model"

  private func noteMaking(_ name: String, since began: ContinuousClock.Instant) {
    let time = now() - began
    services.pace.noteMaking(name, took: time)
    if time > Session.longAction {
      services.report(.slowAction(Self.makingName, model: name, took: time, isOver: true))
    }
  }

  /// Has `body` open a session on the view model `name`. It runs on this thread if the view model has proved
  /// quick to make, and in the pool otherwise.
  package func runOpening(of name: String, _ body: @escaping @Sendable () -> Void) {
    // Refusing an unknown name is quick.
    guard types[name] != nil else { return body() }
    let lane = services.pace.laneOfMaking(name)
    if lane == .here { body() } else { services.pool.run(isSlow: lane == .slow, body) }
  }
}
