// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

/// The facts that a view model may know of its session: its user, its parameters, its languages.
///
/// ```swift
/// .hosting { context in Board(context) }
/// ```
///
/// Its values are observables of the session's graph: a formula that reads ``user`` follows it. They change while the view model
/// lives, each time in a transaction like any other. Not `Sendable`: it belongs to its session, as the view model does.
public final class SessionContext {
  /// The id in the session's URL.
  public let session: String
  /// A text that is the same for all sessions of one client, such as one browser, and no secret; empty where there is no client.
  ///
  /// In a session that is a user's own (`scope: .user`) it is the user's, whichever client comes: ``action`` says which does.
  public let client: String
  /// Whether the connection that opened the session was of the server's own machine.
  public let isLocal: Bool
  /// The user; `nil` while nobody has signed in.
  public var user: ObservableValue<User?> { givenUser }
  /// The languages that the client prefers, the most wanted first, as tags of BCP 47: `de-AT`, `en`.
  public var languages: ObservableValue<[String]> { givenLanguages }
  /// The name of the client's time zone (IANA), such as `Europe/Vienna`; `nil` where that is not known.
  public var timeZone: ObservableValue<String?> { givenTimeZone }
  /// The client that performs the action or starts the command that is at work; `nil` at all other times.
  public package(set) var action: ActionOrigin?

  private let isOfUser: Bool
  private let givenUser: Observable<User?>
  private let givenLanguages: Observable<[String]>
  private let givenTimeZone: Observable<String?>
  let timers: Observable<Timers>
  let clock: @Sendable () -> WallTime
  /// Whether the surface says what is done when a time has come, and whether it has timers of any kind.
  var (canWake, hasTimers) = (false, false)
  private let wish: Observable<IdentityWish?>
  /// Whether somebody may have signed in or out of late: it is quick to ask.
  package private(set) var mayHaveWish = false
  private let params: JSON?
  private let declared: ParamsDeclaration?

  /// Gives the request whose answer can bring its client a new credential; `nil` if there is none now.
  package var answering: () -> AnyObject? = { nil }
  /// A closure that is told that somebody has signed in or out; the transaction may still be undone.
  package var didWish: () -> Void = {}
  /// Told that a timer was set, or is set no more; the transaction may still be undone.
  package var didSetTimers: () -> Void = {}

  /// Makes a context, in the session's graph.
  init(of origin: SessionOrigin, params declared: ParamsDeclaration?) {
    session = origin.id
    client = origin.client
    let visitor = origin.visitor
    isOfUser = origin.isOfUser
    isLocal = visitor.isLocal
    params = visitor.params
    self.declared = declared
    givenUser = Observable(visitor.user, name: "user")
    givenLanguages = Observable(visitor.languages, name: "languages")
    givenTimeZone = Observable(visitor.timeZone, name: "timeZone")
    timers = Observable(origin.timers ?? Timers(), name: "timers")
    clock = origin.clock
    wish = Observable(nil, name: "signing in or out")
  }

  /// The context of the session whose graph is entered.
  static var entered: SessionContext {
    guard let context = Graph.entered?.attachments.context as? SessionContext else {
      stopProgram(
        "a rule about users was asked outside a session", expected: "its view model to be used by its session alone",
        remedy: "in a test make it with 'ModelDriver'")
    }
    return context
  }

  /// The parameters that the session was opened with, as the type that the surface declares: `.params(BoardParams.self)`.
  ///
  /// They fit that type, which was looked at when the session was opened.
  public func params<Params: JSONRepresentable>(_: Params.Type = Params.self) -> Params {
    guard let declared, declared.type == ObjectIdentifier(Params.self) else {
      stopProgram(
        "parameters of the type \(Params.self) were asked for",
        expected: declared.map { "\($0.name), which the surface declares" } ?? "a surface that declares some",
        remedy: "write '.params(\(Params.self).self)' in the surface")
    }
    do { return try Params(json: params ?? .object([])) } catch {
      stopProgram(bug: "parameters that were looked at do not fit: \(error)")
    }
  }

  // MARK: Signing in and out

  /// Makes `user` the user of this client: of all its sessions, from this transaction on.
  ///
  /// The answer to the request that is at work brings the client a new credential, and the old one ends: somebody who
  /// knew the old one has nothing of it. So a request has to be answered yet: it is in an action, and in a command
  /// whose request waits for its end, by `Prefer: wait` or as hosting says with `awaitsCommands: true`.
  ///
  /// - Throws: ``SigningInNeedsRequest`` where no request waits; ``SessionOfAnotherUser`` in a session that is a user's, for another.
  public func signIn(_ user: User) throws {
    guard let request = answering() else { throw SigningInNeedsRequest() }
    if isOfUser, givenUser.value?.id != user.id { throw SessionOfAnotherUser() }
    try givenUser.set(user)
    try want(.become(user), [], request)
  }

  /// Makes nobody the user of this client. The credential ends, and the answer to the request that is at work brings another.
  ///
  /// - Parameter isEverywhere: whether the user's other clients are signed out as well: their sessions end.
  public func signOut(isEverywhere: Bool = false) throws {
    guard let user = givenUser.value else { return }
    let request = answering()
    // Nobody could tell which of the user's clients it is.
    if isOfUser, request == nil { throw SigningInNeedsRequest() }
    // A session of a user's own is reached by the user's other clients still.
    if !isOfUser { try givenUser.set(nil) }
    try want(.become(nil), isEverywhere ? [user.id] : [], request)
  }

  /// Signs another user out of all clients, as for an account that is closed: their credentials and their sessions end, and the
  /// answer to the request that is at work waits until that is stored.
  ///
  /// A user whom a proxy or the app names comes back with the next request, until they say otherwise. Of the user who performs it
  /// this client is left alone.
  public func signOut(userWithID id: String) throws { try want(nil, [id], answering()) }

  private func want(_ change: IdentityWish.Change?, _ signedOut: Set<String>, _ request: AnyObject?) throws {
    let before = wish.value
    try wish.set(
      IdentityWish(
        change: change ?? before?.change, signedOut: signedOut.union(before?.signedOut ?? []),
        request: request ?? before?.request))
    mayHaveWish = true
    didWish()
  }

  /// The wish of a transaction that has passed, once.
  package func takeWish() -> IdentityWish? {
    mayHaveWish = false
    guard let taken = wish.value else { return nil }
    // Nobody observes it.
    try? wish.set(nil)
    return taken
  }

  // MARK: What the server knows anew

  /// Makes somebody else the user, or nobody, or the same one with other claims.
  ///
  /// - Throws: the error of an observer.
  package func become(_ user: User?) throws { try givenUser.set(user) }

  /// Sets the languages and the time zone that a page tells of its client.
  package func prefer(languages: [String]?, timeZone: String?) throws {
    try transaction {
      if let languages { try givenLanguages.set(languages) }
      if let timeZone { try givenTimeZone.set(timeZone) }
    }
  }

  /// The facts of the origin that are to be stored.
  package var visitor: Visitor {
    Visitor(
      user: givenUser.value, languages: givenLanguages.value, timeZone: givenTimeZone.value, isLocal: isLocal,
      params: params)
  }
}

/// The origin of an action: the client that performs it.
public struct ActionOrigin: Sendable, Equatable {
  /// The client, as ``SessionContext/client``: in a session of a user's own it may be another one each time.
  public let client: String
  /// The Idempotency-Key of the request, if it has one.
  public let key: String?
  private let networkHash: Int?

  /// A text that is the same for all requests from one address (of version 6: from one /48), for as long as the process runs;
  /// empty where that is not known.
  ///
  /// For limits by address: it tells nothing of the address, and is worth nothing to a later reader.
  public var network: String { networkHash.map { String(UInt(bitPattern: $0), radix: 36) } ?? "" }

  /// - Parameter networkHash: a hash of the network that has the process's own seed.
  package init(client: String, key: String?, networkHash: Int? = nil) {
    (self.client, self.key, self.networkHash) = (client, key, networkHash)
  }
}

/// Signing in, or out, that a transaction wants.
package struct IdentityWish: Equatable {
  package enum Change: Equatable {
    /// The user of the client from now on; `nil` for nobody.
    case become(User?)
  }

  /// `nil` where the client stays whose it is.
  package let change: Change?
  /// The ids of the users whose other clients are to be signed out.
  package let signedOut: Set<String>
  /// The request whose answer brings the new credential; `nil` if there is none.
  package let request: AnyObject?

  package static func == (left: IdentityWish, right: IdentityWish) -> Bool {
    left.change == right.change && left.signedOut == right.signedOut && left.request === right.request
  }
}

/// An attempt to sign in that no client would learn of: its new credential comes with the answer to a request.
public struct SigningInNeedsRequest: Error, CustomStringConvertible {
  public var description: String {
    "a user was signed in where no request waits for its answer, which would bring the new credential; expected an action, "
      + "or a command whose request waits for its end: write 'awaitsCommands: true' where the view model is hosted"
  }
}

/// An attempt to sign another user in, in a session that is a user's own.
public struct SessionOfAnotherUser: Error, CustomStringConvertible {
  public var description: String {
    "another user was signed in, in a session of a user's own; expected the same one: sign in on a view model that is "
      + "hosted without 'scope: .user'"
  }
}
