// SPDX-License-Identifier: MIT
public import JSONPatching
import ObservableCore

/// The people that share a session: those at one client, the clients of one user, or all who enter a room.
public struct SessionScope: Sendable {
  let owner: SessionOwner
  private(set) var door: RoomDoor?
  /// The time for which a room that nobody uses stays in the store; `nil` for ever.
  private(set) var time: Duration?

  private init(_ owner: SessionOwner, _ door: RoomDoor? = nil) { (self.owner, self.door) = (owner, door) }

  /// The client that opened it, with or without a user. Each opening makes another session.
  public static let client = SessionScope(.client)
  /// The user. Each user has one living session, which all clients of that user reach. A client that has not
  /// signed in is refused.
  public static let user = SessionScope(.user)
  /// A room that everybody may enter, as ``room(_:)-((User?)->Bool)`` has it.
  public static let room = room { _ in true }

  /// A room: for each value of the parameters one living session, which all clients reach that may enter.
  ///
  /// ```swift
  /// hosting(scope: .room { (board: BoardName, user) in user?.roles.contains(board.team) == true }) { Board($0) }
  /// ```
  ///
  /// A room has no user of its own: ``SessionContext/user`` is `nil` in it, and ``SessionContext/action`` says who acts.
  ///
  /// - Parameter mayEnter: whether a user may enter the room with these parameters, of the type that the surface declares;
  ///   `nil` is a person who has not signed in. It is asked at each request of a client, and for each client that
  ///   waits when the room changes, with the user and the claims of that moment, on a thread that serves other requests too.
  ///   So it must be quick, and must not wait.
  public static func room<Params: JSONRepresentable & Sendable>(
    _ mayEnter: @escaping @Sendable (_ room: Params, _ user: User?) -> Bool
  ) -> SessionScope {
    SessionScope(
      .room,
      RoomDoor(params: (ObjectIdentifier(Params.self), "\(Params.self)")) { params in
        guard let room = try? Params(json: params ?? .object([])) else { return { _ in false } }
        return { mayEnter(room, $0) }
      })
  }

  /// The same rooms, each of which is forgotten that long after its last use. Otherwise a room stays in the store for
  /// ever. Without a store it lives as long as other sessions do that nobody uses.
  ///
  /// - Precondition: it is a room.
  public func kept(for time: Duration, file: StaticString = #fileID, line: UInt = #line) -> SessionScope {
    guard owner == .room else {
      refuseToStart(
        "'.kept(for:)' was called of a scope that is no room", expected: "'.room.kept(for: …)'",
        remedy: "set 'stored-time' for other sessions", file: file, line: line)
    }
    var scope = self
    scope.time = time
    return scope
  }

  /// The same rooms, into which clients may also be invited that the rule does not let in: by
  /// ``SessionContext/invite(as:for:)``.
  ///
  /// ```swift
  /// hosting(scope: .room { (form: FormName, user) in user?.id == form.owner }.orInvited) { Form($0) }
  /// ```
  ///
  /// - Precondition: it is a room.
  public var orInvited: SessionScope {
    guard var door else {
      refuseToStart(
        "'.orInvited' was written behind a scope that is no room", expected: "'.room { … }.orInvited'",
        remedy: "host the view model as a room, whose rule lets its own people in")
    }
    door.takesGuests = true
    var scope = self
    scope.door = door
    return scope
  }

  /// A room that certain users may enter, whatever its parameters are.
  public static func room(_ mayEnter: @escaping @Sendable (_ user: User?) -> Bool) -> SessionScope {
    SessionScope(.room, RoomDoor(params: nil) { _ in mayEnter })
  }
}

/// The rule by which clients enter the rooms of a view model.
struct RoomDoor: Sendable {
  /// The type of parameters that the rule takes, and its name; `nil` where it takes none.
  let params: (type: ObjectIdentifier, name: String)?
  /// Gives the rule of the room with certain parameters.
  let rule: @Sendable (_ params: JSON?) -> RoomRule
  /// Whether clients may be invited.
  var takesGuests = false
}

/// Says whether a user may enter a room; `nil` is a person who has not signed in.
package typealias RoomRule = @Sendable (User?) -> Bool

extension SurfaceDescription {
  /// Whether an entry of this view model, or of one within it, needs the context of its session.
  var usesContext: Bool {
    needsContext || firstPart { $0.needsContext } != nil || hasUnknownRows
  }

  private var needsContext: Bool {
    params != nil || hasTimers || entries.contains { $0.audience != nil }
  }

  /// Whether view models with this surface, or those within them, may have stored variables.
  var mayHaveVariables: Bool { hasOwnVariables || firstPart { $0.hasOwnVariables } != nil || hasUnknownRows }

  /// Whether some rows are of kinds that the surface does not name. Nothing is known about them.
  var hasUnknownRows: Bool { hasOwnUnknownRows || firstPart { $0.hasOwnUnknownRows } != nil }

  private var hasOwnUnknownRows: Bool {
    entries.contains { if case .list(.kinds(nil), _) = $0.form { true } else { false } }
  }

  /// The audiences of all entries of this view model, and of those within it, each once.
  var audiences: [Audience] {
    var all = entries.compactMap(\.audience)
    _ = firstPart { part in
      all += part.entries.compactMap(\.audience)
      return false
    }
    return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
