// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

extension SessionContext {
  /// The state that a room shows to this session's client, as a type of the app's.
  ///
  /// ```swift
  /// struct Cards: Codable, JSONRepresentable, Equatable { var title: String }
  /// lazy var board = context.room(Board.self, BoardName(board: "week 12"), as: Cards.self)
  /// lazy var words = Computed(self) { try $0.board.get()?.title ?? "" }
  /// ```
  ///
  /// Each value is of one version of the room, and arrives as a transaction of its own in this session. Where the room changes
  /// faster than this session has time, versions are left out. What the client may not see (`visible(to:)`) is not in it.
  /// The room is opened if it is not there, and stays in memory as long as this session follows it. This session is none of
  /// the room's members.
  ///
  /// The value is `nil` until the room is known: first of all, after a restart, while the room cannot be reached, and
  /// while the user may not enter, which is looked at again every half minute. It begins anew when the user changes, and ends
  /// with the version after which nothing keeps the returned observable. A room that has ended is opened anew by those who follow it.
  ///
  /// - Parameters:
  ///   - params: the parameters of the room.
  ///   - shown: a type with those members of the room's state that are wanted. O(state) for each version. A state that does
  ///     not fit is reported in the log, and the value stays as it was.
  /// - Precondition: this session is no room.
  public func room<Room: ViewModel, Params: JSONRepresentable, Shown: JSONRepresentable & Equatable>(
    _ room: Room.Type, _ params: Params, as shown: Shown.Type, file: StaticString = #fileID, line: UInt = #line
  ) -> ObservableValue<Shown?> {
    if owner == .room {
      stopProgram(
        "a room was asked for by a room", expected: "a session of one person",
        remedy: "ask for it in a view model of the person's own, beside the room on the page", file: file, line: line)
    }
    let name = Room.surface.name
    let given = written(params)
    let value = Observable<Shown?>(nil, name: "room", file: file, line: line)
    roomFollowers.append(RoomFollower(value, self.user) { [rooms] user in rooms(name, given, user) })
    return value
  }

  /// The same, for rooms without parameters: their view model has one.
  public func room<Room: ViewModel, Shown: JSONRepresentable & Equatable>(
    _ room: Room.Type, as shown: Shown.Type, file: StaticString = #fileID, line: UInt = #line
  ) -> ObservableValue<Shown?> {
    self.room(room, NoParams(), as: shown, file: file, line: line)
  }
}

/// Has an observable follow a room, as long as the observable is there.
private final class RoomFollower<Shown: JSONRepresentable> {
  private weak var value: Observable<Shown?>?
  private let user: ObservableValue<User?>
  private let states: (User?) -> AsyncStream<JSON?>
  private let arrived = Observer<JSON?>()
  private let userChanged = Observer<User?>()
  private var following: Following?
  /// The user as whom it follows.
  private var reader: User?

  init(_ value: Observable<Shown?>, _ user: ObservableValue<User?>, _ states: @escaping (User?) -> AsyncStream<JSON?>) {
    (self.value, self.user, self.states) = (value, user, states)
    arrived.handle(self) { follower, state in try follower.take(state) }
    userChanged.handle(self) { follower, user in
      guard let value = follower.value else { return follower.end() }
      // In the transaction that changes the user, so that nobody is shown what was for another one.
      try value.set(nil)
      follower.follow(as: user)
    }
    userChanged.subscribe(user)
    follow(as: user.value)
  }

  /// Ends the following, as nothing keeps the observable.
  private func end() {
    following?.dispose()
    following = nil
  }

  private func follow(as user: User?) {
    following?.dispose()
    reader = user
    following = arrived.follow(states(user), name: "a room")
  }

  private func take(_ state: JSON?) throws {
    guard let value else { return end() }
    // The transaction that changed the user may have been undone.
    if reader != user.value { return follow(as: user.value) }
    try value.set(state.map { try Shown(json: $0) })
  }
}

/// The parameters of a view model that takes none.
private struct NoParams: Codable, JSONRepresentable {}

/// The JSON of a value.
private func written(_ value: some JSONRepresentable) -> JSON {
  var writer = JSONWriter()
  value.write(to: &writer)
  do { return try JSONReader.read(writer.bytes) } catch {
    stopProgram(
      "'\(type(of: value))' writes no JSON: \(error)", expected: "one JSON value", remedy: "correct its 'write'")
  }
}
