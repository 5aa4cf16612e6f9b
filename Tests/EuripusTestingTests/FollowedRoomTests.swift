// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A room with notes. Some of its notes are for owners alone.
private final class Shelf: ViewModel {
  struct Name: Codable, JSONRepresentable, Sendable { var shelf: String }

  final class Note: ViewModel {
    @Observed var text: String
    init(_ text: String) { self.text = text }
    static let surface = Surface<Note>("note", .value("text", \.$text))
  }

  private let context: SessionContext
  let notes = KeyedList<Note>()
  @Observed var secret = "none"
  lazy var isFollowed = context.isFollowed

  init(_ context: SessionContext) { self.context = context }

  func add(_ text: String) { notes.append(Note(text), key: "\(notes.rows.count)") }
  func hide(_ text: String) { secret = text }

  static let surface = Surface<Shelf>(
    "shelf", .params(Name.self), .list("notes", \.notes) { _, _ in Note("") },
    .value("isFollowed", \.isFollowed),
    .value("secret", \.$secret).visible(to: .role("owner")), .action("add", Shelf.add),
    .action("hide", Shelf.hide))

  static let scope = SessionScope.room { (room: Name, user) in user?.roles.contains("guest") == true }
}

/// One person's view of the room: the notes that have a word in them.
private final class NoteFinder: ViewModel {
  struct Shown: Codable, JSONRepresentable, Equatable {
    struct Note: Codable, Equatable { var text: String }
    var notes: ShownRows<Note>
    var secret: String?
  }

  private let context: SessionContext
  @Observed var word = ""
  lazy var shelf = context.room(Shelf.self, Shelf.Name(shelf: "left"), as: Shown.self)
  lazy var found = Computed(self) { me in
    try me.shelf.get()?.notes.rows.map(\.row.text).filter { me.word.isEmpty || $0.contains(me.word) } ?? []
  }
  lazy var secret = Computed(self) { try $0.shelf.get()?.secret }
  lazy var isKnown = Computed(self) { try $0.shelf.get() != nil }

  init(_ context: SessionContext) { self.context = context }

  static let surface = Surface<NoteFinder>(
    "finder", .twoWay("word", \.$word), .value("found", \.found), .value("secret", \.secret),
    .value("isKnown", \.isKnown))
}

@Suite(.timeLimit(.minutes(30))) struct `A view model that follows a room` {
  private let shelf: ModelDriver
  private let guest = User(id: "gil", roles: ["guest"])

  init() throws {
    shelf = try ModelDriver(scope: Shelf.scope, as: guest, params: ["shelf": "left"]) { Shelf($0) }
  }

  private func finder(as user: User?) throws -> ModelDriver { try shelf.beside(as: user) { NoteFinder($0) } }

  @Test func `is shown what its user may see`() async throws {
    let owner = try finder(as: User(id: "olga", roles: ["guest", "owner"]))
    let other = try finder(as: guest)
    try shelf.perform("hide", "gold")
    try shelf.perform("add", "Milk")
    await owner.wait { $0["secret"] == "gold" }
    await other.wait { $0["found"] == ["Milk"] }
    #expect(other["secret"] == .null)
  }

  @Test func `knows nothing of a room that its user may not enter, from the time on when that is so`() async throws {
    let finder = try finder(as: guest)
    await finder.wait { $0["isKnown"] == true }
    finder.become(nil)
    // At once, so that nobody is shown what was for another user.
    #expect(finder["isKnown"] == false)
    finder.become(guest)
    await finder.wait { $0["isKnown"] == true }
  }

  @Test func `is none of the room's members`() async throws {
    try shelf.perform("add", "Milk")
    let finder = try finder(as: guest)
    await finder.wait { $0["found"] == ["Milk"] }
    #expect(shelf["isFollowed"] == false)
  }
}
