// SPDX-License-Identifier: MIT
public import JSONPatching
import ObservableCore

/// A kind of view model that can be hosted: its name, and the code that makes one.
///
/// ```swift
/// EuripusServer([.hosting { Counter() }, .hosting { Recordings(store: store) }]).run()
/// ```
public struct HostedModelType: Sendable {
  typealias Maker = @Sendable (SessionOrigin, _ stored: StateToPutBack?) throws -> any HostedModel

  /// The name of the view model in URLs.
  public let name: String
  /// The entries of its surface.
  package let description: SurfaceDescription
  /// The version of the stored state's shape: the schema of its surface.
  public let schema: UInt32
  private let maker: Maker

  /// The promise of a session's answers (PROTOCOL §8); `nil` for that of the server.
  package let durability: Durability?
  /// Whether the answer to a change waits for the commands that it starts (PROTOCOL §3).
  package let awaitsCommands: Bool
  private let scope: SessionScope
  private let params: ParamsDeclaration?
  /// The page; `nil` where the page is a file like others.
  package let page: HostedPage?
  /// The place where the addresses begin.
  package let home: AddressHome
  package let databaseActions: DatabaseActions

  /// A kind of view model, to be hosted by a server. Its ``name`` is that of the view model's surface.
  ///
  /// - Parameters:
  ///   - path: the path of the page, such as `/recordings`. The server answers this path, and all paths below
  ///     it, with the page's file. A server does not start with a path that it has for itself, or that two view models
  ///     have. With `nil` the page is a static file like others.
  ///   - page: the page's file in the directory of static files; by default it is named after the view model,
  ///     as `recordings.html` is.
  ///   - durability: the failures that an answered change survives; `nil` for the server's
  ///     `SessionConfiguration.durability`.
  ///   - awaitsCommands: whether the answer to a change waits for the commands that it starts, even if the client does
  ///     not ask for it. It waits for 30 seconds at most, or for as long as the client's `Prefer: wait` says. A command
  ///     that is not over by then is shown as executing. It suits commands that save values which the client is told.
  ///   - scope: who shares a session: those at the client that opened it, the clients of a user, or all who enter a room.
  ///   - make: makes the view model of a new session, in a graph of its own. It may run on any thread.
  public static func hosting<Model: ViewModel>(
    at path: String? = nil, page: String? = nil, durability: Durability? = nil, awaitsCommands: Bool = false,
    scope: SessionScope = .client, _ make: @escaping @Sendable () throws -> Model
  ) -> HostedModelType {
    // The user of a session of the user's own is stored with it, and so are the parameters of a room.
    let hasContext = Model.surface.description.usesContext || scope.owner != .client
    return hosting(at: path, page, durability, awaitsCommands, scope, hasContext: hasContext) { _ in try make() }
  }

  /// The same, for a view model that knows its session: its user, its parameters.
  ///
  /// ```swift
  /// .hosting { context in Board(context) }
  /// ```
  public static func hosting<Model: ViewModel>(
    at path: String? = nil, page: String? = nil, durability: Durability? = nil, awaitsCommands: Bool = false,
    scope: SessionScope = .client, _ make: @escaping @Sendable (SessionContext) throws -> Model
  ) -> HostedModelType {
    hosting(at: path, page, durability, awaitsCommands, scope, hasContext: true) { context in
      guard let context else { stopProgram(bug: "a session has no context") }
      return try make(context)
    }
  }

  private static func hosting<Model: ViewModel>(
    at path: String?, _ page: String?, _ durability: Durability?, _ awaitsCommands: Bool, _ scope: SessionScope,
    hasContext: Bool, _ make: @escaping @Sendable (SessionContext?) throws -> Model
  ) -> HostedModelType {
    let surface = Model.surface
    checkAddress(of: surface, hasPage: path != nil)
    checkRoom(surface, scope)
    let audiences = scope.owner == .room ? surface.description.audiences : []
    let file = page ?? surface.name + HostedPage.ending
    let home = AddressHome(path ?? "/" + file)
    let mayHaveVariables = surface.description.mayHaveVariables
    var description = surface.description
    if description.hasAddress { description.addressStart = home.text }
    (description.owner, description.takesGuests) = (scope.owner, scope.door?.takesGuests == true)
    return HostedModelType(
      description, surface.schema, durability, awaitsCommands, scope, surface.params,
      path.map { HostedPage(path: $0, file: file) }, home
    ) { origin, stored in
      try Hosted(
        make, for: origin, hasContext: hasContext, home: home, audiences: audiences, mayHaveVariables: mayHaveVariables,
        stored: stored)
    }
  }

  private static func checkAddress<Model: ViewModel>(of surface: Surface<Model>, hasPage: Bool) {
    if let part = surface.description.partWithAddress() {
      refuseToStart(
        "'\(part.name)' is a part of '\(surface.name)' and has '.inAddress()'",
        expected: "that in the surface of the view model that is hosted alone, as an address is that of its page",
        remedy: "take it away, or have the value in '\(surface.name)'")
    }
    if let part = surface.description.firstPart(where: \.hasTimers) {
      refuseToStart(
        "'\(part.name)' is a part of '\(surface.name)' and has timers",
        expected: "'.onWake' and '.every' in the surface of the view model that is hosted alone",
        remedy: "have '\(surface.name)' call the part")
    }
    if let path = surface.address.path, !hasPage {
      refuseToStart(
        "'\(path.name)' of '\(surface.name)' is in the address, and the page has no path",
        expected: "a path for the coordinator's to be below",
        remedy: "write '.hosting(at: \"/\(surface.name)\") { … }', or take '.inAddress()' away")
    }
  }

  private static func checkRoom<Model: ViewModel>(_ surface: Surface<Model>, _ scope: SessionScope) {
    guard scope.owner == .room else { return }
    if let wanted = scope.door?.params, wanted.type != surface.params?.type {
      refuseToStart(
        "the rule for the rooms of '\(surface.name)' takes parameters of the type \(wanted.name)",
        expected: surface.params.map { "\($0.name), which the surface declares" } ?? "a surface that declares some",
        remedy: "write '.params(\(wanted.name).self)' in the surface")
    }
    let audiences = surface.description.audiences.count
    if audiences > RoomView.mostAudiences {
      refuseToStart(
        "the entries of '\(surface.name)' are for \(audiences) audiences, and it is hosted with 'scope: .room'",
        expected: "at most \(RoomView.mostAudiences)", remedy: "have several entries for the same role")
    }
    if surface.description.hasUnknownRows {
      refuseToStart(
        "'\(surface.name)' is hosted with 'scope: .room' and has rows of kinds that its surface does not name",
        expected: "their names, since a row may have values that are for some of the room's members alone",
        remedy: "name the surfaces of the rows where the list is declared")
    }
    if surface.description.hasAddress {
      refuseToStart(
        "'\(surface.name)' is hosted with 'scope: .room' and has a value in the address",
        expected: "no '.inAddress()' there, as the address of a page is one person's own",
        remedy: "have the value in a view model of the person's own, on the same page")
    }
  }

  private init(
    _ description: SurfaceDescription, _ schema: UInt32, _ durability: Durability?, _ awaitsCommands: Bool,
    _ scope: SessionScope, _ params: ParamsDeclaration?, _ page: HostedPage?, _ home: AddressHome,
    _ maker: @escaping Maker
  ) {
    (self.page, self.home) = (page, home)
    (self.scope, self.params) = (scope, params)
    self.awaitsCommands = awaitsCommands
    self.durability = durability
    name = description.name
    databaseActions = DatabaseActions(of: description)
    self.description = description
    self.schema = schema
    self.maker = maker
  }

  /// Makes a view model.
  ///
  /// - Parameter session: the session of the view model.
  /// - Throws: ``ViewModelFailure`` for an error of `make`, or ``SurfaceError`` for an address that is not at
  ///   or below its place.
  public func make(for session: SessionOrigin) throws -> any HostedModel {
    try session.address.map(checkAddress)
    return try maker(session, nil)
  }

  /// Checks that a view model can be made at an address.
  ///
  /// - Throws: `SurfaceError` for an address that is not at or below its place.
  package func checkAddress(_ address: JSON) throws(SurfaceError) { _ = try home.read(address) }

  /// The owner of a session.
  package var owner: SessionOwner { scope.owner }

  /// The rule of the room with these parameters; `nil` for a view model that is not hosted with `scope: .room`.
  package func roomRule(_ params: JSON?) -> RoomRule? { scope.door?.rule(params) }

  /// Whether its rooms take guests, who are invited.
  package var takesGuests: Bool { scope.door?.takesGuests == true }

  /// The time for which a room that nobody uses stays in the store; `nil` for ever.
  package var roomTime: Duration? { scope.time }

  /// A text that is the same for all parameters that mean the same: the JSON that their type writes.
  ///
  /// - Parameter given: parameters without faults.
  package func normalParams(_ given: JSON?) throws -> String {
    guard let params else { return "" }
    return String(decoding: JSON.text(of: try params.normal(given ?? .object([]))), as: UTF8.self)
  }

  /// Whether sessions are opened with parameters.
  package var takesParams: Bool { params != nil }

  /// The faults of an opening's parameters, each with its place in them.
  package func faults(of given: JSON?) -> [JSONMismatch] {
    if let params { return params.faults(of: given ?? .object([])) }
    if case .object(let members)? = given, !members.isEmpty {
      return [
        JSONMismatch(expected: "no parameters", found: "'\(members[0].name)'", at: JSONPointer([members[0].name]))
      ]
    }
    return []
  }

  /// Makes a view model, and puts a stored state back (Documentation/STORED-STATE.md).
  ///
  /// No code of the view model is told of the values that are put back. Then it is told of the changes of the
  /// restart, as of usual changes. Secrets that were set are empty, and commands that were executing have
  /// failed with ``CommandInterrupted``.
  ///
  /// - Parameters:
  ///   - state: a state that ``HostedModel/writeStored(to:)`` wrote.
  ///   - schema: the ``schema`` of the type that wrote it.
  ///   - session: the session of the view model.
  /// - Throws: ``StoredStateError``, or ``ViewModelFailure`` for an error of the view model's code.
  public func restore(_ state: JSON, schema: UInt32, for session: SessionOrigin) throws -> any HostedModel {
    try maker(session, StateToPutBack(state: state, schema: schema))
  }

  /// Does the same on trial: it makes the view model, and lets it go.
  ///
  /// - Throws: as ``restore(_:schema:for:)``.
  package func tryOut(_ state: JSON, schema: UInt32, for session: SessionOrigin) throws -> RestorationTrial {
    let notes = RestorationNotes()
    try maker(session, StateToPutBack(state: state, schema: schema, notes: notes)).close()
    return notes.trial(of: state)
  }

  /// The same type, whose view models `decorate` makes. It may do something before and after `make`, and wrap
  /// the view model that `make` gives.
  package func decorated(
    by decorate:
      @escaping @Sendable (
        _ session: SessionOrigin, _ isRestored: Bool, _ make: () throws -> any HostedModel
      ) throws -> any HostedModel
  ) -> HostedModelType {
    HostedModelType(description, schema, durability, awaitsCommands, scope, params, page, home) {
      [maker] session, stored in
      try decorate(session, stored != nil) { try maker(session, stored) }
    }
  }
}
