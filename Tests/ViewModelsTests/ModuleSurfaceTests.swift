// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A page of ready-made modules whose view may change it.
private final class Board: ViewModel {
  struct Failure: Error {}
  let page = ModulePage()
  let write = Observer<String>()
  let fail = Observer<String>()
  let cut = Observer<Int>()
  private let notice = TextModule("Start")

  init() {
    page.top = TextModule("Top")
    page.append(notice)
    page.append(BlankModule(height: 80))
    page.append(BlankModule(height: 10), key: "gap")
    page.didLoad()
    write.handle(self) { board, text in
      board.notice.text.bundle = text
      board.page.refresh()
    }
    fail.handle(self) { board, text in
      try board.write.invoke(text)
      board.page.remove(at: 1)
      throw Failure()
    }
    cut.handle(self) { board, index in board.page.remove(at: index) }
  }

  static let surface = Surface<Board>(
    "board", .modules("modules", \.page), .value("visible", \.page.isVisible),
    .value("orientation", \.page.orientation), .value("jumpedTo", \.page.jumpedTo),
    .value("refreshes", \.page.refreshes), .action("didAppear", \.page.didAppear),
    .action("rotated", \.page.rotated), .action("write", \.write), .action("fail", \.fail), .action("cut", \.cut))
}

@Suite struct `A page of modules in a session` {
  @Test func `S2-1 S2-9 is a list of items that say their kind, the top one first`() throws {
    let board = try ModelDriver { Board() }
    #expect(
      board.state == [
        "modules": [
          "order": ["top", "text", "blank", "gap"],
          "items": [
            "top": ["kind": "text", "text": "Top"], "text": ["kind": "text", "text": "Start"],
            "blank": ["kind": "blank", "height": 80], "gap": ["kind": "blank", "height": 10],
          ],
        ],
        "visible": false, "orientation": 1, "jumpedTo": .null, "refreshes": 4,
      ])
  }

  @Test func `S2-5 a refresh sends what was bound, and nothing where nothing was`() throws {
    let board = try ModelDriver { Board() }
    _ = board.takeChanges()
    try board.perform("write", "Go on")
    #expect(board.takeChanges() == ["modules/items/text/text", "refreshes"])
    let revision = board.revision
    try board.perform("write", "Go on")
    #expect(board.revision == revision)
  }

  @Test func `S2-4 what an undone action bound is bound again by the next refresh`() throws {
    let board = try ModelDriver { Board() }
    let before = board.state
    #expect(throws: ViewModelFailure.self) { try board.perform("fail", "Half done") }
    #expect(board.state == before)
    try board.perform("write", "Half done")
    #expect(board["modules/items/text/text"] == "Half done")
    #expect(board["refreshes"] == 5)
  }

  @Test func `S2-6 S2-7 takes what happens to the page as actions`() throws {
    let board = try ModelDriver { Board() }
    try board.perform("didAppear")
    try board.perform("rotated", 3)
    #expect(board["visible"] == true)
    #expect(board["orientation"] == 3)
    #expect(throws: SurfaceError.self) { try board.perform("rotated", 2) }
    #expect(board["orientation"] == 3)
  }

  @Test func `S2-8 a module that is taken out leaves the others as they are`() throws {
    let board = try ModelDriver { Board() }
    _ = board.takeFrame()
    try board.perform("cut", 1)
    #expect(
      board.takeFrame()["patch"] == [
        ["op": "remove", "path": "/modules/items/blank"], ["op": "remove", "path": "/modules/order/2"],
      ])
  }
}
