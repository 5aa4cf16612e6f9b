// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `The events of a page of modules` {
  @Test func `S2-6 each module is told of an event of the page in order, once each`() throws {
    let notes = Notes()
    let page = notes.page
    page.didLoad()
    page.didLoad()
    #expect(notes.log.take() == ["n0 didLoad", "n1 didLoad", "n2 didLoad"])
    for (hook, name) in [
      (page.willAppear, "willAppear"), (page.didAppear, "didAppear"), (page.willDisappear, "willDisappear"),
      (page.didDisappear, "didDisappear"),
    ] {
      try hook.invoke()
      #expect(notes.log.take() == ["n0 \(name)", "n1 \(name)", "n2 \(name)"])
      #expect(page.isVisible.value == (name == "didAppear" || name == "willDisappear"))
    }
    #expect(notes.log.lines == [])
  }

  @Test func `S2-6 a module that comes late hears of the events so far, and one that goes early that it disappears`()
    throws
  {
    let notes = Notes(1)
    let page = notes.page
    let late = Note("late", notes.log)
    page.didLoad()
    try page.willAppear.invoke()
    page.append(late)
    try page.didAppear.invoke()
    page.append(Note("later", notes.log))
    page.remove(at: 1)
    #expect(
      notes.log.take() == [
        "n0 didLoad", "n0 willAppear", "late didLoad", "late willAppear", "n0 didAppear", "late didAppear",
        "later didLoad", "later willAppear", "later didAppear", "late willDisappear", "late didDisappear",
      ])
    try page.didDisappear.invoke()
    page.remove(at: 0)
    #expect(notes.log.take() == ["n0 didDisappear", "later didDisappear"])
  }

  @Test func `S2-6 a module that another one takes out when it is told is told no more`() throws {
    final class Remover: Module {
      let page: ModulePage
      init(_ page: ModulePage) { self.page = page }
      func didLoad() { page.remove(at: 1) }
      static let surface = Surface<Remover>("remover")
    }
    let notes = Notes()
    notes.page.insert(Remover(notes.page), at: 0)
    notes.page.didLoad()
    #expect(notes.log.lines == ["n1 didLoad", "n2 didLoad"])
  }

  @Test(arguments: [Orientation.landscape, .landscapeReversed])
  func `S2-7 a rotation is told to each module, and binds the items that it shows otherwise`(
    to orientation: Orientation
  )
    throws
  {
    let notes = Notes(2)
    try notes.page.rotated.invoke(orientation)
    #expect(notes.page.orientation.value == orientation)
    #expect(notes.log.take() == ["n0 rotated to \(orientation.rawValue)", "n1 rotated to \(orientation.rawValue)"])
    #expect(notes.notes.map(\.first.shown.value) == ["n0, wide", "n1, wide"])
    #expect(notes.bound == [[1, 0], [1, 0]])
    try notes.page.rotated.invoke(.portrait)
    #expect(notes.notes.map(\.first.shown.value) == ["n0", "n1"])
    #expect(notes.bound == [[2, 0], [2, 0]])
    try notes.page.rotated.invoke(orientation)
    _ = notes.log.take()
    notes.page.append(Note("late", notes.log))
    #expect(notes.log.take() == ["late rotated to \(orientation.rawValue)"])
    #expect((notes.page[2] as? Note)?.first.shown.value == "late, wide")
  }

  @Test func `S2-7 an orientation is 1, 3 or 4 on the wire`() throws {
    #expect(try [1, 3, 4].map { try Orientation(json: .integer($0)) } == [.portrait, .landscape, .landscapeReversed])
    for (json, found) in [(2 as JSON, "2"), (0, "0"), ("1", "string"), (.null, "null")] {
      #expect(throws: JSONMismatch(expected: "1 (portrait), 3 or 4 (landscape)", found: found)) {
        try Orientation(json: json)
      }
    }
  }
}

/// A page of ready-made modules whose view may change it.
private final class Board: ViewModel {
  struct Failure: Error {}
  let page = ModulePage()
  private let notice = TextModule("Start")

  init() {
    page.top = TextModule("Top")
    page.append(notice)
    page.append(BlankModule(height: 80))
    page.append(BlankModule(height: 10), key: "gap")
    page.didLoad()
  }

  func write(_ text: String) {
    notice.text.bundle = text
    page.refresh()
  }
  func fail(_ text: String) throws {
    write(text)
    page.remove(at: 1)
    throw Failure()
  }
  func cut(_ index: Int) { page.remove(at: index) }

  static let surface = Surface<Board>(
    "board", .modules("modules", \.page), .value("visible", \.page.isVisible),
    .value("orientation", \.page.orientation), .value("jumpedTo", \.page.jumpedTo),
    .value("refreshes", \.page.refreshes), .action("didAppear", \.page.didAppear),
    .action("rotated", \.page.rotated), .action("write", Board.write), .action("fail", Board.fail),
    .action("cut", Board.cut))
}

@Suite struct `A page of modules in a session` {
  private let board: ModelDriver

  init() throws { board = try ModelDriver { Board() } }

  @Test func `S2-1 S2-9 is a list of items that say their kind, the top one first`() throws {
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

  @Test func `S2-5 a refresh sends the bound items, and nothing where nothing was bound`() throws {
    _ = board.takeChanges()
    try board.perform("write", "Go on")
    #expect(board.takeChanges() == ["modules/items/text/text", "refreshes"])
    let revision = board.revision
    try board.perform("write", "Go on")
    #expect(board.revision == revision)
  }

  @Test func `S2-4 an item that an undone action bound is bound again by the next refresh`() throws {
    let before = board.state
    #expect(throws: ViewModelFailure.self) { try board.perform("fail", "Half done") }
    #expect(board.state == before)
    try board.perform("write", "Half done")
    #expect(board["modules/items/text/text"] == "Half done")
    #expect(board["refreshes"] == 5)
  }

  @Test func `S2-6 S2-7 takes the events of the page as actions`() throws {
    try board.perform("didAppear")
    try board.perform("rotated", 3)
    #expect(board["visible"] == true)
    #expect(board["orientation"] == 3)
    #expect(throws: SurfaceError.self) { try board.perform("rotated", 2) }
    #expect(board["orientation"] == 3)
  }

  @Test func `S2-8 a module that is taken out leaves the others as they are`() throws {
    _ = board.takeFrame()
    try board.perform("cut", 1)
    #expect(
      board.takeFrame()["patch"] == [
        ["op": "remove", "path": "/modules/items/blank"], ["op": "remove", "path": "/modules/order/2"],
      ])
  }
}
