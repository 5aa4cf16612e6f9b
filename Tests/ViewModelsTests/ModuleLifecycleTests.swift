// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `What happens to a page of modules` {
  @Test func `S2-6 what happens to the page is told to each module in order, once each`() throws {
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

  @Test func `S2-6 a module that comes late hears what has happened, and one that goes early that it disappears`()
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
