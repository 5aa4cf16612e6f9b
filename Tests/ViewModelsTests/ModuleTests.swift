// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A module that notes down the events that it is told of. It has an item whose bundle is changed in place.

final class Note: Module {
  final class Page: ItemBundle {
    var text: String
    let pressed = Observer<Void>()
    init(_ text: String) { self.text = text }
    func content(in orientation: Orientation) -> String { orientation.isLandscape ? text + ", wide" : text }
  }

  let name: String
  let first: BundleItem<Page>
  let second: BundleItem<Int>
  var items: [ModuleItem] { [first, second] }
  let log: Diary
  /// The number of times that each item was bound again.
  var bound = [0, 0]

  init(_ name: String, _ log: Diary) {
    self.name = name
    self.log = log
    first = BundleItem(Page(name))
    second = BundleItem(0)
    first.shown.addObserver(Observer(self) { note, _ in note.bound[0] += 1 })
    second.shown.addObserver(Observer(self) { note, _ in note.bound[1] += 1 })
  }

  func didLoad() { log.lines.append("\(name) didLoad") }
  func willAppear() { log.lines.append("\(name) willAppear") }
  func didAppear() { log.lines.append("\(name) didAppear") }
  func willDisappear() { log.lines.append("\(name) willDisappear") }
  func didDisappear() { log.lines.append("\(name) didDisappear") }
  func rotated(to orientation: Orientation) { log.lines.append("\(name) rotated to \(orientation.rawValue)") }

  static let surface = Surface<Note>(
    "note", .value("first", \.first.shown), .value("second", \.second.shown),
    .action("pressed", \.first.bundle.pressed))
}

final class Diary {
  var lines: [String] = []
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// A page of three notes, without a session.
struct Notes {
  let log = Diary()
  let page: ModulePage
  let notes: [Note]

  init(_ count: Int = 3, hash: @escaping ([UInt8]) -> UInt64 = ContentHash.fnv1a) {
    page = ModulePage(hash: hash)
    notes = (0..<count).map { [log] in Note("n\($0)", log) }
    for note in notes { page.append(note) }
    for note in notes { note.bound = [0, 0] }
  }

  var bound: [[Int]] { notes.map(\.bound) }

  /// The number of items that a refresh looked at, and the number that it bound.
  func refresh(_ change: () -> Void = {}) -> [Int] {
    let before = [page.checks.value, page.refreshes.value]
    change()
    page.refresh()
    return [page.checks.value - before[0], page.refreshes.value - before[1]]
  }
}

@Suite struct `A page of modules` {
  @Test func `S2-1 has modules in order, each with items that are bound when it comes`() {
    let notes = Notes()
    #expect(notes.page.count == 3)
    #expect(notes.page.keys == ["note", "note-2", "note-3"])
    #expect((0..<3).map { notes.page[$0] === notes.notes[$0] } == [true, true, true])
    #expect([notes.page.checks.value, notes.page.refreshes.value] == [6, 6])
  }

  @Test func `S2-2 S2-12 a bundle's closure has one handler, and keeps its owner no more alive than the page does`() {
    final class Owner {
      var pressed = 0
    }
    let notes = Notes()
    var owner: Owner? = Owner()
    let pressed = notes.notes[0].first.bundle.pressed
    pressed.handle { Issue.record("another handler took its place") }
    pressed.handle(owner!) { owner, _ in owner.pressed += 1 }
    #expect(throws: Never.self) { try pressed.invoke() }
    #expect(owner?.pressed == 1)
    weak let gone = owner
    owner = nil
    #expect(gone == nil)
    #expect(throws: Never.self) { try pressed.invoke() }
  }

  @Test func `S2-12 a page and its modules go when their owner lets go of them`() {
    weak var page: ModulePage?
    weak var note: Note?
    do {
      let notes = Notes()
      page = notes.page
      note = notes.notes[0]
    }
    #expect(page == nil)
    #expect(note == nil)
  }

  @Test func `S2-3 binds an item the first time, and then only when its content has changed`() {
    let notes = Notes()
    #expect(notes.refresh() == [6, 0])
    #expect(notes.refresh { notes.notes[1].second.bundle = 5 } == [6, 1])
    #expect(notes.refresh { notes.notes[1].second.bundle = 5 } == [6, 0])
    #expect(notes.bound == [[0, 0], [0, 1], [0, 0]])
  }

  @Test func `S2-3 S2-4 at most two hashes are remembered, the one before and the present one`() {
    let notes = Notes(1)
    let item = notes.notes[0].second
    #expect(item.hashes == [ContentHash.fnv1a(Array("0".utf8))])
    for number in 1...20 {
      _ = notes.refresh { item.bundle = number }
      #expect(item.hashes == [number - 1, number].map { ContentHash.fnv1a(Array("\($0)".utf8)) })
      _ = notes.refresh()
      #expect(item.hashes.count == 2)
    }
  }

  @Test func `S2-4 a content that comes back is bound each time`() {
    let notes = Notes(1)
    for number in [1, 0, 1, 0] { #expect(notes.refresh { notes.notes[0].second.bundle = number } == [2, 1]) }
    #expect(notes.bound == [[0, 4]])
  }

  @Test func `S2-4 a bundle that was changed in place is bound anew, another one with the same content is not`() {
    let notes = Notes()
    #expect(notes.refresh { notes.notes[2].first.bundle.text = "changed" } == [6, 1])
    #expect(notes.notes[2].first.shown.value == "changed")
    #expect(notes.refresh { notes.notes[2].first.bundle = Note.Page("changed") } == [6, 0])
    #expect(notes.bound == [[0, 0], [0, 0], [1, 0]])
  }

  @Test func `S2-4 another content with the same hash is bound, the same content is not`() {
    let notes = Notes(hash: { _ in 7 })
    #expect(notes.refresh { notes.notes[0].second.bundle = 1 } == [6, 1])
    #expect(notes.notes[0].second.shown.value == 1)
    #expect(notes.notes[0].second.hashes == [7, 7])
    #expect(notes.refresh() == [6, 0])
  }

  @Test(arguments: [
    ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8 as UInt64),
  ])
  func `S2-4 the hash is the one of the draft's test vectors, in every process`(text: String, hash: UInt64) {
    #expect(ContentHash.fnv1a(Array(text.utf8)) == hash)
  }

  @Test func `S2-5 a change of one item's bundle binds that item and no other`() {
    let notes = Notes(4)
    for index in 0..<4 {
      notes.notes[index].first.bundle.text = "new \(index)"
      notes.page.refresh(at: (index + 1) % 4)
      notes.page.refresh(at: index)
    }
    #expect(notes.bound == [[1, 0], [1, 0], [1, 0], [1, 0]])
    notes.notes[3].second.bundle = 9
    notes.page.refresh(at: 2)
    #expect(notes.bound[3] == [1, 0])
    notes.page.refresh(at: 3)
    #expect(notes.bound == [[1, 0], [1, 0], [1, 0], [1, 1]])
  }

  @Test func `S2-8 modules come and go at an index, which stay dense, and no other is bound for it`() {
    let notes = Notes()
    let page = notes.page
    let start = page.refreshes.value
    page.insert(Note("new", notes.log), key: "new", at: 1)
    #expect(page.refreshes.value == start + 2)
    #expect(page.keys == ["note", "new", "note-2", "note-3"])
    page.remove(at: 0)
    #expect(page.keys == ["new", "note-2", "note-3"])
    page.insert(notes.notes[0], at: 3)
    #expect(page.keys == ["new", "note-2", "note-3", "note-4"])
    #expect(page[3] === notes.notes[0])
    page.insert(Note("newer", notes.log), key: "new", at: 3)
    #expect(page.keys == ["note-2", "note-3", "note-4", "new"])
    #expect(page.count == 4)
    #expect(page.refreshes.value == start + 4)
    #expect(notes.bound == [[0, 0], [0, 0], [0, 0]])
  }

  @Test func `S2-8 the view is told by key which module was jumped to`() {
    let notes = Notes()
    #expect(notes.page.jumpedTo.value == nil)
    notes.page.jump(to: 2)
    #expect(notes.page.jumpedTo.value == "note-3")
    notes.page.remove(at: 0)
    notes.page.jump(to: 0)
    #expect(notes.page.jumpedTo.value == "note-2")
  }

  @Test func `S2-9 the top module stays above all others and the bottom one below, and neither has an index`() {
    let notes = Notes(1)
    let page = notes.page
    page.bottom = TextModule("That is all")
    page.top = TextModule("Swiped to the top")
    page.append(BlankModule(height: 80))
    page.insert(BlankModule(height: 10), at: 0)
    #expect(page.keys == ["blank-2", "note", "blank"])
    #expect(page.count == 3)
    #expect((page.top as? TextModule)?.text.shown.value == "Swiped to the top")
    page.top = TextModule("Another")
    #expect((page.top as? TextModule)?.text.shown.value == "Another")
    page.top = nil
    page.bottom = nil
    #expect(page.top == nil)
    #expect(page.count == 3)
  }
}
