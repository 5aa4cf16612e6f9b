// SPDX-License-Identifier: MIT
public import JSONPatching
package import ViewModels

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
  ///   - hasFetched: whether what an earlier call wanted to be fetched was.
  ///   - keyStart: what a new key begins with.
  ///   - network: the one that the request comes from.
  ///   - address: the address that the view model is to be at from the beginning; `nil` for none in particular.
  /// - Throws: ``SessionError``, ``SessionsToFetch``, or what the view model's `init` threw.
  public func open(
    _ name: String, as credential: Credential?, _ request: KeyedRequest? = nil, hasFetched: Bool = false,
    keyStart: String = "", from network: ClientNetwork = .unknown, at address: JSON? = nil
  ) throws -> Opened {
    guard let (type, counts) = types[name] else { throw SessionError.noSuchModel(name, expected: modelNames) }
    if let credential, !hasFetched, !table.knowsAll(of: credential) { throw SessionsToFetch.clients([credential]) }
    let owner: Credential
    let newKey: String?
    if let credential, table.knows(credential) {
      (owner, newKey) = (credential, nil)
    } else {
      let key = keyStart + randomness.base64URL(bytes: 32)
      (owner, newKey) = (Credential(hashing: key), key)
    }
    switch table.prospect(for: owner, request, from: network) {
    case .done: break
    case .isOpen(let session): return Opened(session: session, newKey: nil)
    case .isStored(let id): throw SessionsToFetch.session(id)
    case .refused(let error): throw error
    }
    let use = table.making(for: owner)
    defer { table.made(for: owner) }
    let keeping = keeping(of: type)
    let nextCheck = now() + configuration.idleTime
    let id = randomness.base64URL(bytes: 16)
    let model = try making(name) { try type.make(for: SessionOrigin(id: id, client: owner.name, address: address)) }
    let length = model.stateLength
    guard length <= configuration.maxStateBytes else {
      model.close()
      throw SurfaceError.stateTooLong(length: length, limit: configuration.maxStateBytes)
    }
    let bytes = model.memoryBytes
    let session = Session(
      id: id, modelName: name, owner: owner, opening: request, epoch: randomness.word(),
      use: use, network: network, model: model, bytes: bytes, services: services, counts: counts,
      awaitsCommands: type.awaitsCommands, keeping: keeping, nextCheck: nextCheck)
    switch table.insert(session, bytes, checkAt: nextCheck) {
    case .done: return Opened(session: session, newKey: newKey)
    // Others came first while the view model was made, which is dropped before anybody has seen it.
    case .isOpen(let first):
      session.submit { $0.end(.expired) }
      return Opened(session: first, newKey: nil)
    case .isStored(let id):
      session.submit { $0.end(.expired) }
      throw SessionsToFetch.session(id)
    case .refused(let error):
      session.submit { $0.end(.expired) }
      throw error
    }
  }

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
