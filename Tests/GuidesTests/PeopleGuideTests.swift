// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

/// Names a board.
struct BoardName: Codable, JSONRepresentable, Sendable {
  var team: String
  var board: String
}

/// A person who looks at a board, and the card that they point at.
final class Viewer: ViewModel {
  @Observed var name = ""
  @Observed var card: String?

  init(_ member: SessionMember) { name = member.user?.name ?? "Somebody" }

  static let surface = Surface<Viewer>("viewer", .value("name", \.$name), .value("card", \.$card))
}

final class TeamBoard: ViewModel {
  @Observed var title = "New board"
  @Observed var lines: [String] = []
  let people: KeyedList<Viewer>
  private let context: SessionContext

  init(_ context: SessionContext) {
    self.context = context
    people = context.memberList { Viewer($0) }
  }

  func add(_ text: String) { lines.append("\(context.action?.user?.name ?? "Somebody"): \(text)") }
  func clear() { lines = [] }
  func point(at card: String) { people[context.action?.client ?? ""]?.card = card }

  static let surface = Surface<TeamBoard>(
    "team-board", .params(BoardName.self), .twoWay("title", \.$title), .value("lines", \.$lines),
    .list("people", \.people).orderNotStored(),
    .action("add", TeamBoard.add), .action("clear", TeamBoard.clear).for(.role("owner")),
    .action("point", TeamBoard.point))
}

struct BoardsApp: EuripusApp {
  var models: Models {
    hosting(at: "/board", scope: .room { (board: BoardName, user) in user?.roles.contains(board.team) == true }) {
      TeamBoard($0)
    }
  }
}

/// The Swift of the guide "People in one view model", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on people` {
  @Test func `shows two people who see each other's changes, and come and go`() throws {
    let board: JSON = ["team": "blue", "board": "week 12"]
    let anna = try ModelDriver(scope: .room, as: User(id: "1", name: "Anna", roles: ["owner"]), params: board) {
      TeamBoard($0)
    }
    let bob = try anna.member(User(id: "2", name: "Bob"))
    try anna.perform("add", "Milk")
    #expect(bob["lines"] == ["Anna: Milk"])
    #expect(throws: SurfaceError.self) { try bob.perform("clear") }
    bob.follow()
    #expect(anna["people/order"] != [])
    bob.stopFollowing()
    anna.advance(by: .seconds(3))
    #expect(anna["people/order"] == [])
  }
}
