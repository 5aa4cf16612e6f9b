// SPDX-License-Identifier: MIT
import ObservableCore
import ViewModels

/// A person who is in a lobby, and the place where their pointer is.
final class Person: ViewModel {
  @Observed var name = ""
  @Observed var place = "door"

  init(_ member: SessionMember) { name = member.user?.name ?? "somebody" }

  static let surface = Surface<Person>("person", .value("name", \.$name), .value("place", \.$place))
}

/// A room that shows who is in it.
final class Lobby: ViewModel {
  let people: KeyedList<Person>
  private let context: SessionContext
  lazy var names = Computed(self) { try $0.context.members.get().map { $0.user?.name ?? "somebody" } }
  lazy var isFollowed = Computed(self) { try $0.context.isFollowed.get() }

  init(_ context: SessionContext) {
    self.context = context
    people = context.memberList { Person($0) }
  }

  func go(_ place: String) { people[context.action?.client ?? ""]?.place = place }

  static let surface = Surface<Lobby>(
    "lobby", .list("people", \.people).orderNotStored(), .value("names", \.names), .value("isFollowed", \.isFollowed),
    .action("go", Lobby.go))

  static let hosted = HostedModelType.hosting(scope: .room) { Lobby($0) }
}
