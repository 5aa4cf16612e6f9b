// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

/// The facts that a view model may know of its session: its user, its parameters, its languages.
///
/// ```swift
/// .hosting { context in Board(context) }
/// ```
///
/// Its values are observables of the session's graph: a formula that reads ``user`` follows it. They change
/// while the view model lives, each time in a transaction like any other. It is not `Sendable`: like the view
/// model it belongs to its session.
public final class SessionContext {
  /// The id in the session's URL.
  public let session: String
  /// A text that is the same for all sessions of one client, such as one browser. It is no secret; it is empty
  /// where there is no client.
  ///
  /// In a session that is a user's own (`scope: .user`) it is the same for all clients of the user, and in a room for all
  /// members: ``action`` tells them apart.
  public let client: String
  /// Whether the client that opened the session was on the server's own machine. Behind a trusted proxy the address that it
  /// names decides; a request with a proxy's field that comes from no trusted proxy is not local.
  public let isLocal: Bool
  /// The user; `nil` while nobody has signed in, and in a room, where ``action`` says who acts.
  public var user: ObservableValue<User?> { givenUser }
  /// The languages that the client prefers, the best first, as tags of BCP 47: `de-AT`, `en`.
  public var languages: ObservableValue<[String]> { givenLanguages }
  /// The name of the client's time zone (IANA), such as `Europe/Vienna`; `nil` where that is not known.
  public var timeZone: ObservableValue<String?> { givenTimeZone }
  /// The clients that follow the session, the one first that came first: a poll or a stream of each waits for the next
  /// change, or did so less than two seconds ago. That time is for a page that is between two polls.
  ///
  /// A page that is closed, a browser that is killed and a network that is gone end it alike. The server learns of the
  /// last of these by the connection, within half a minute with a poll. A page that nobody sees stops following (CLIENT).
  public var members: ObservableValue<[SessionMember]> { askedMembers }
  /// Whether somebody follows the session: whether there are ``members``.
  ///
  /// ```swift
  /// lazy var status = Computed(self) { try $0.context.isFollowed.get() ? "here" : "away" }
  /// ```
  public private(set) lazy var isFollowed: ObservableValue<Bool> = Computed { [askedMembers] in
    try !askedMembers.get().isEmpty
  }
  /// The guests of a room that takes some (``SessionScope/orInvited``), the one first that came first.
  public private(set) lazy var guests: ObservableValue<[RoomGuest]> = Computed { [guestList] in
    try guestList?.get().guests ?? []
  }
  /// The client that performs the action or starts the command that is at work; `nil` at all other times.
  public var action: ActionOrigin? { acting() }

  /// The name of the view model in URLs.
  let model: String
  let owner: SessionOwner
  /// The place where the addresses of its page begin.
  let home: AddressHome
  private let givenUser: Observable<User?>
  private let givenLanguages: Observable<[String]>
  private let givenTimeZone: Observable<String?>
  let timers: Observable<Timers>
  let clock: @Sendable () -> Moment
  let rooms: RoomStates
  let topics: TopicHub
  /// Where its files are; `nil` where it cannot have any.
  package let spool: (any FileSpool)?
  /// Called with each file that was dropped as nobody has taken it in time.
  var didExpire: [(SpooledFile) -> Void] = []
  /// Deeds of transactions with files, also those that were undone.
  var begunDeeds: [FileDeed] = []
  /// The observers by which it follows rooms.
  var roomFollowers: [AnyObject] = []
  /// Whether the surface has an entry for waking, and whether it has timers of any kind.
  var (canWake, hasTimers) = (false, false)
  private let wish: Observable<IdentityWish?>
  /// The topics that a transaction has told; made when one is first told.
  private(set) lazy var told = Observable<[String]>([], name: "told topics")
  /// The wish that the session ends; made when that is first wanted.
  private lazy var ending = Observable<EndWish?>(nil, name: "ending")
  /// The places to which clients are sent, one for each request; made when that is first wanted.
  private(set) lazy var destinations = Observable<[Destination]>([], name: "destinations")
  /// The files that it offers; `nil` while none ever was offered.
  var givenOffers: Observable<OfferedFiles>?
  /// Deeds of transactions with files; made when there is a first one.
  private(set) lazy var deeds = Observable<[FileDeed]>([], name: "files")
  /// The members; made when the view model asks for them.
  private lazy var askedMembers: Observable<[SessionMember]> = {
    asksForMembers = true
    didAskForMembers()
    return Observable(storedMembers, name: "members")
  }()
  /// Whether the view model has asked for its ``members``.
  package private(set) var asksForMembers = false
  /// The members that were stored with the session.
  package let storedMembers: [SessionMember]
  /// The invitations and the guests; `nil` where the session takes no guests.
  package let guestList: Observable<GuestList>?
  /// Whether a transaction has signed somebody in or out since the last ``takeWish()``: a quick look before
  /// that call.
  package private(set) var mayHaveWish = false
  /// The audiences of the surface's entries; empty where the session is no room.
  var audiences: [Audience] = []
  /// The view of the reader for whom the state is written; `nil` where the session is no room.
  package private(set) var roomView: RoomView?
  private let params: JSON?
  private let declared: ParamsDeclaration?

  /// Called when the view model asks for its ``members`` for the first time.
  package var didAskForMembers: () -> Void = {}
  /// Gives the ``action``.
  package var acting: () -> ActionOrigin? = { nil }
  /// Gives the request whose answer can bring its client a new credential; `nil` if there is none now.
  package var answering: () -> AnyObject? = { nil }
  /// Makes the text of an invitation, and its hash; `nil` before the session is there.
  package var inviting: (() -> (text: String, hash: String))?
  /// Called when the guests have changed; the transaction may still be undone.
  package var didChangeGuests: () -> Void = {}
  /// A closure that is told that somebody has signed in or out; the transaction may still be undone.
  package var didWish: () -> Void = {}
  /// Called when the session is to end; the transaction may still be undone.
  ///
  /// - Returns: the run of the command at work, which comes to its end before; `nil` where it is an action.
  package var didEnd: (() -> UInt64?)?
  /// Called when a topic was told; the transaction may still be undone.
  package var didTell: () -> Void = {}
  /// Called when the client is sent to another page; the transaction may still be undone.
  package var didGo: () -> Void = {}
  /// Called when files were taken, dropped or offered; the transaction may still be undone. `nil` before the session is there.
  package var didHandleFiles: (() -> Void)?
  /// Gives the page's address at some steps, with its values; `nil` before the view model is there, or without values.
  var addressing: (([String]) -> String)?
  /// Called when a timer was set or cleared; the transaction may still be undone.
  package var didSetTimers: () -> Void = {}

  /// Makes a context, in the session's graph.
  init(of origin: SessionOrigin, model: String, params declared: ParamsDeclaration?, home: AddressHome) {
    (self.model, self.home) = (model, home)
    session = origin.id
    client = origin.client
    let visitor = origin.visitor
    owner = origin.owner
    isLocal = visitor.isLocal
    params = visitor.params
    self.declared = declared
    givenUser = Observable(visitor.user, name: "user")
    givenLanguages = Observable(visitor.languages, name: "languages")
    givenTimeZone = Observable(visitor.timeZone, name: "timeZone")
    timers = Observable(origin.timers ?? Timers(), name: "timers")
    clock = origin.clock
    rooms = origin.rooms
    topics = origin.topics
    spool = origin.spool
    givenOffers = origin.offers.isEmpty ? nil : Observable(origin.offers, name: "offers")
    wish = Observable(nil, name: "signing in or out")
    storedMembers = origin.members
    guestList = origin.guests.map { Observable($0, name: "guests") }
    // Until a reader comes, the state is written as for nobody.
    if owner == .room { roomView = RoomView(of: nil, audiences: []) }
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

  /// The parameters with which the session was opened, as the type that the surface declares by
  /// `.params(BoardParams.self)`.
  ///
  /// They fit that type: the server checked them when it opened the session.
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

  // MARK: Ending

  /// Ends the session for good and for everybody, as soon as the action or the command that calls this is over.
  /// The answer to that request comes first; all who wait are told that the session is closed. Later requests find it closed,
  /// or find no session where it was a room, also a request that comes again with its key. A room that is opened again
  /// afterwards is a new one. Other commands that still run end. If the server goes before the command is over that calls
  /// this, the session goes on.
  ///
  /// It does nothing if the action fails, and nothing in the view model's `init`.
  ///
  /// - Throws: the error of an observer.
  public func end() throws {
    guard let didEnd else { return }
    try ending.set(EndWish(run: didEnd()))
  }

  /// The wish that the session ends; `nil` for none.
  package var endWish: EndWish? { ending.value }

  // MARK: Signing in and out

  /// Signs `user` in on this client, from this transaction on. This session and the client's others get this user; those
  /// that an earlier user of the client has opened end.
  ///
  /// The answer to the present request gives the client a new cookie or token, and the old one becomes invalid: a person
  /// who knew it cannot use it. So a request has to wait: call this in an action, or in a command for whose end the
  /// request waits, by `Prefer: wait` or because the view model is hosted with `awaitsCommands: true`.
  ///
  /// - Throws: ``SigningInNeedsRequest`` where no request waits; ``SessionOfAnotherUser`` for another user in a
  ///   session that is a user's own; ``SigningInInRoom`` in a room.
  public func signIn(_ user: User) throws {
    if owner == .room { throw SigningInInRoom() }
    guard let request = answering() else { throw SigningInNeedsRequest() }
    if owner == .user, givenUser.value?.id != user.id { throw SessionOfAnotherUser() }
    try givenUser.set(user)
    try want(.signedIn(user), [], request)
  }

  /// Signs the user of this client out; does nothing if nobody has signed in. The client's cookie or token becomes
  /// invalid, and the answer to the present request, if one waits, brings another.
  ///
  /// - Parameter isEverywhere: whether the user's other clients are signed out as well; their sessions end.
  /// - Throws: ``SigningInNeedsRequest`` in a session that is a user's own, where no request waits; ``SigningInInRoom`` in
  ///   a room.
  public func signOut(isEverywhere: Bool = false) throws {
    if owner == .room { throw SigningInInRoom() }
    guard let user = givenUser.value else { return }
    let request = answering()
    // Without a request nobody can tell which of the user's clients is meant.
    if owner == .user, request == nil { throw SigningInNeedsRequest() }
    // The user's other clients still reach a session of the user's own.
    if owner != .user { try givenUser.set(nil) }
    try want(.nobody, isEverywhere ? [user.id] : [], request)
  }

  /// Signs another user out of all clients, as for an account that is closed. Their credentials and their
  /// sessions end, and the answer to the present request waits until that is stored.
  ///
  /// A user that a proxy or the app names comes back with the next request, until the proxy or the app no
  /// longer names it. If the id is that of the present user, this client stays signed in.
  public func signOut(userWithID id: String) throws { try want(nil, [id], answering()) }

  private func want(_ next: IdentityWish.NextUser?, _ signedOut: Set<String>, _ request: AnyObject?) throws {
    let before = wish.value
    try wish.set(
      IdentityWish(
        next: next ?? before?.next, signedOut: signedOut.union(before?.signedOut ?? []),
        request: request ?? before?.request))
    mayHaveWish = true
    didWish()
  }

  /// Takes the wish of a transaction that has passed; the next call gives `nil`.
  package func takeWish() -> IdentityWish? {
    mayHaveWish = false
    guard let taken = wish.value else { return nil }
    // Nobody observes it.
    try? wish.set(nil)
    return taken
  }

  // MARK: News from the server

  /// Has the state written for a user of the room from here on; `nil` for one who has not signed in.
  package func show(to user: User?) { if owner == .room { roomView = RoomView(of: user, audiences: audiences) } }

  /// Has the state written with a view that was shown before.
  package func show(_ view: RoomView) { roomView = view }

  /// Replaces the user: by another one, by nobody, or by the same one with other claims.
  ///
  /// - Throws: the error of an observer.
  package func become(_ user: User?) throws { try givenUser.set(user) }

  /// Sets the ``members``, for a view model that has asked for them.
  ///
  /// - Throws: the error of an observer.
  package func setMembers(_ members: [SessionMember]) throws { if asksForMembers { try askedMembers.set(members) } }

  /// The members that the store keeps; `nil` for a view model that has not asked for them.
  package var membersToStore: JSON? {
    asksForMembers && !askedMembers.value.isEmpty ? .array(askedMembers.value.map(\.json)) : nil
  }

  /// Sets the languages and the time zone, which a page tells of its client.
  package func prefer(languages: [String]?, timeZone: String?) throws {
    try transaction {
      if let languages { try givenLanguages.set(languages) }
      if let timeZone { try givenTimeZone.set(timeZone) }
    }
  }

  /// The facts of the session that the store keeps.
  package var visitor: Visitor {
    Visitor(
      user: givenUser.value, languages: givenLanguages.value, timeZone: givenTimeZone.value, isLocal: isLocal,
      params: params)
  }
}
