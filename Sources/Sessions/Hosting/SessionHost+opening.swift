// SPDX-License-Identifier: MIT
public import JSONPatching
public import ViewModels

/// Opening sessions.
extension SessionHost {
  /// A session that was opened.
  public struct Opened: Sendable {
    public let session: Session
    /// The client's new key, to be handed over this once; `nil` if it has one already.
    public let newKey: String?
  }

  /// Opens a session on the view model `name`.
  ///
  /// - Parameters:
  ///   - credential: of the key that the client sent. One that no session knows is treated as none, never adopted.
  ///   - request: the one that asks for it, if it has a key: of a client that is known, the same one opens one session. Whose
  ///     credential is not known cannot be told from another, and gets a session of its own each time.
  ///   - hasFetched: whether the sessions that an earlier call wanted to be fetched were.
  ///   - keyStart: the beginning of a new key.
  ///   - network: the one that the request comes from.
  ///   - visitor: the facts that are known of the person who opens it; the user is the client's.
  ///   - proved: the user that the request proves to be of; `nil` for none.
  ///   - adopts: whether a credential that no client has is the new client's: it was checked by the app.
  ///   - address: the address that the view model is to be at from the beginning; `nil` for none in particular.
  /// - Throws: ``SessionError``, ``SessionsToFetch``, or the error of the view model's `init`.
  public func open(
    _ name: String, as credential: Credential?, _ request: KeyedRequest? = nil, hasFetched: Bool = false,
    keyStart: String = "", from network: ClientNetwork = .unknown, at address: JSON? = nil,
    by visitor: Visitor = Visitor(), proving proved: User? = nil, adopts: Bool = false
  ) throws -> Opened {
    guard let (type, counts) = types[name] else { throw SessionError.noSuchModel(name, expected: modelNames) }
    try checkLease()
    if let credential, !hasFetched, !table.knowsAll(of: credential) { throw SessionsToFetch.clients([credential]) }
    var (owner, newKey, user): (Credential, String?, User?)
    if let credential, let client = table.client(of: credential) {
      (owner, newKey, user) = (client.owner, nil, client.identity?.user)
    } else {
      // With the cookie of this answer a browser would lose the one that it has just got.
      if let credential, table.ending(of: credential, now: now()) == .replaced { throw SessionError.credentialReplaced }
      let key = adopts ? nil : keyStart + randomness.base64URL(bytes: 32)
      (owner, newKey, user) = (key.map { Credential(hashing: $0) } ?? credential ?? Self.nobody, key, proved)
    }
    let client = owner
    var request = request
    if type.scope == .user {
      guard let user else { throw SessionError.signInNeeded(model: name) }
      // Each opening is the same: there is one for each user.
      (owner, request) = (.ofUser(user.id), .ofUser(name))
      if !table.knowsAll(of: owner) { throw SessionsToFetch.user(owner) }
    }
    var visitor = visitor
    visitor.user = user
    /// Makes the user that the request proves the new client's.
    func bind() {
      if let proved, newKey != nil || adopts { _ = services.identities.bind(client, to: proved) }
    }
    switch table.prospect(for: owner, request, reopens: type.scope == .user, from: network, now: now()) {
    case .done: break
    case .isOpen(let session):
      bind()
      return Opened(session: session, newKey: newKey)
    case .isStored(let id): throw SessionsToFetch.session(id, for: client)
    case .refused(let error): throw error
    }
    // Before the session, so that it is stored before that.
    bind()
    let use = table.making(for: owner)
    defer { table.made(for: owner) }
    let keeping = keeping(of: type)
    let nextCheck = now() + min(configuration.idleTime, Self.patience)
    let id = randomness.base64URL(bytes: 16)
    var origin = SessionOrigin(
      id: id, client: owner.name, address: address, isOfUser: type.scope == .user, visitor: visitor)
    origin.clock = services.clock
    let model = try making(name) { [origin] in try type.make(for: origin) }
    let length = model.stateLength
    guard length <= configuration.maxStateBytes else {
      model.close()
      throw SurfaceError.stateTooLong(length: length, limit: configuration.maxStateBytes)
    }
    let bytes = model.memoryBytes
    let session = Session(
      id: id, modelName: name, owner: owner, opening: request, epoch: randomness.word(),
      use: use, network: network, openedBy: owner == client ? user?.id : nil, model: model, bytes: bytes,
      services: services, counts: counts,
      awaitsCommands: type.awaitsCommands, keeping: keeping, nextCheck: nextCheck)
    switch table.insert(session, bytes, reopens: type.scope == .user, now: now(), checkAt: nextCheck) {
    case .done(let superseded):
      end(superseded)
      // Somebody may have signed in, or out, while the view model was made.
      let present = proved ?? table.user(of: client)
      if let user, user.id != present?.id {
        if owner == client {
          session.submit {
            $0.end(.signedOut)
          } afterTurn: { [table] in
            table.remove(session)
          }
        }
        throw SessionError.credentialReplaced
      }
      if present != user { session.submit { $0.become(present) } }
      return Opened(session: session, newKey: newKey)
    // Others came first while the view model was made, which is dropped before anybody has seen it.
    case .isOpen(let first):
      session.submit { $0.end(.expired) }
      return Opened(session: first, newKey: newKey)
    case .isStored(let id):
      session.submit { $0.end(.expired) }
      throw SessionsToFetch.session(id, for: client)
    case .refused(let error):
      session.submit { $0.end(.expired) }
      throw error
    }
  }

  /// How long a client has from the opening of a session to its first request in it: a page may be opened in a tab that nobody
  /// looks at yet.
  static let patience: Duration = .seconds(5 * 60)

  /// Looks whether a view model can be opened at an address.
  ///
  /// - Throws: `SurfaceError` for an address that is none of its own.
  package func checkAddress(_ address: JSON, of name: String) throws(SurfaceError) {
    try types[name]?.type.checkAddress(address)
  }

  /// Makes a view model, and takes note of how long that took: of one that throws too, as it may block and fail again and
  /// again, but not where its code did not run.
  func making(
    _ name: String, _ make: () throws -> sending any HostedModel
  ) throws -> sending any HostedModel {
    let began = now()
    do {
      let model = try make()
      services.pace.noteMaking(name, took: now() - began)
      return model
    } catch {
      if !(error is Poisoned) { services.pace.noteMaking(name, took: now() - began) }
      throw error
    }
  }

  /// Has `body` open a session on the view model `name`: here, or elsewhere while the view model has not proved quick to make.
  public func runOpening(of name: String, _ body: @escaping @Sendable () -> Void) {
    // The refusal of a name that there is not is quick.
    guard types[name] != nil else { return body() }
    let lane = services.pace.laneOfMaking(name)
    if lane == .here { body() } else { services.pool.run(isSlow: lane == .slow, body) }
  }
}
