// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

/// One person's own search in a board.
final class LineFinder: ViewModel {
  struct Shown: Codable, JSONRepresentable, Equatable { var lines: [String] }

  @Observed var words = ""
  lazy var found = Computed(self) { me in try me.board.get()?.lines.filter { $0.contains(me.words) } ?? [] }
  private let board: ObservableValue<Shown?>

  init(_ context: SessionContext) {
    board = context.room(TeamBoard.self, context.params(BoardName.self), as: Shown.self)
  }

  static let surface = Surface<LineFinder>(
    "line-finder", .params(BoardName.self), .twoWay("words", \.$words), .value("found", \.found))
}

/// The Swift of the guide "A view model beside a room", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on following a room` {
  @Test func `shows one person's own search in what several write`() async throws {
    let board: JSON = ["team": "blue", "board": "week 12"]
    let anna = try ModelDriver(scope: .room, as: User(id: "1", name: "Anna"), params: board) { TeamBoard($0) }
    try anna.perform("add", "Milk")
    let finder = try anna.beside(as: User(id: "2", name: "Bob"), params: board) { LineFinder($0) }
    try finder.set("words", "Mi")
    await finder.wait { $0["found"] == ["Anna: Milk"] }
    try anna.perform("add", "Mint")
    await finder.wait { $0["found"] == ["Anna: Milk", "Anna: Mint"] }
  }
}
