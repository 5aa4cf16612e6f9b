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
  /// while the user may not enter. It begins anew when the user changes.
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
    let arrived = Observer<JSON?>()
    arrived.handle(value) { value, state in try value.set(state.map { try Shown(json: $0) }) }
    var following: Following?
    let userChanged = Observer<User?> { [rooms] user in
      following?.dispose()
      following = arrived.follow(rooms(name, given, user), name: "a room", file: file, line: line)
    }
    userChanged.subscribe(self.user, replay: true)
    roomFollowers += [arrived, userChanged]
    return value
  }

  /// The same, for rooms without parameters: their view model has one.
  public func room<Room: ViewModel, Shown: JSONRepresentable & Equatable>(
    _ room: Room.Type, as shown: Shown.Type, file: StaticString = #fileID, line: UInt = #line
  ) -> ObservableValue<Shown?> {
    self.room(room, NoParams(), as: shown, file: file, line: line)
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
