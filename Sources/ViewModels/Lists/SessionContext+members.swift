// SPDX-License-Identifier: MIT
import ObservableCore

extension SessionContext {
  /// A list of those who follow the session, with a row for each: who is here.
  ///
  /// ```swift
  /// init(_ context: SessionContext) { people = context.memberList { Person($0) } }
  /// static let surface = Surface<Board>("board", .list("people", \.people).orderNotStored(), …)
  /// ```
  ///
  /// The keys are the clients, in the order in which they came. A row is the app's, so it may have values that the client
  /// sets by an action: `people[context.action?.client ?? ""]?.card = card`. A row is made anew when its member has another
  /// user or other claims. O(members) for each that comes or goes.
  ///
  /// - Parameter make: makes the row of a member.
  public func memberList<Row: ViewModel>(
    file: StaticString = #fileID, line: UInt = #line, _ make: @escaping (SessionMember) -> Row
  ) -> KeyedList<Row> {
    let list = KeyedList<Row>(name: "members", file: file, line: line)
    var shown: [String: SessionMember] = [:]
    let didChange = Observer<[SessionMember]> { members in
      let now = Dictionary(members.map { ($0.client, $0) }) { first, _ in first }
      for (client, member) in shown where now[client].map({ $0 != member }) ?? false { list.remove(client) }
      shown = now
      list.update(members.map(\.client)) { client in
        guard let member = now[client] else { stopProgram(bug: "a row of a member was wanted that is not there") }
        return make(member)
      }
    }
    didChange.subscribe(members, replay: true)
    return list
  }
}
