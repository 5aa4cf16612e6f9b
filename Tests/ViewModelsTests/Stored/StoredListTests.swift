// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `The stored state of a list` {
  typealias Note = StoredNote

  final class Todo: ViewModel {
    let notes = KeyedList<Note>()
    let window = KeyedList<Note>(window: 2)
    lazy var count = Computed(self) { $0.notes.count }

    init() {
      notes.append(Note("first"), key: "a")
      notes.append(Note("second"), key: "b")
      window.update((1...9).map(String.init)) { Note("number \($0)") }
    }

    func add(_ key: String) { notes.append(Note("added"), key: key) }
    func remove(_ key: String) { notes.remove(key) }
    func reverse() { notes.reorder(notes.keys.reversed()) }

    static let surface = Surface<Todo>(
      "todo",
      .list("notes", \.notes) { _, key in Note("made again: \(key)") },
      .list("window", \.window, hasWindow: true).orderNotStored(), .value("count", \.count), .action("add", Todo.add),
      .action("remove", Todo.remove), .action("reverse", Todo.reverse))
  }

  @Test func `has its rows in their order, those that came and not those that went`() throws {
    let again = try Restoring.expectSame(
      [
        .perform("add", "c"), .perform("add", "d/é~"), .perform("add", ""), .set("notes/items/c/text", "third"),
        .set("notes/items/b/text", "changed"), .perform("remove", "a"), .perform("reverse"),
      ], then: [.perform("add", "a"), .perform("remove", "c")]
    ) { Todo() }
    #expect(try again.shown["notes"]?["order"] == ["", "d/é~", "b", "a"])
    #expect(try again.shown["count"] == 4)
  }

  @Test func `has no row that was never made, and makes those that were`() throws {
    let text = try hosted { Todo() }.storedText
    #expect(text.contains(#""window":{"window":{"first":0,"count":2},"items":{"1":{"#))
    #expect(!text.contains("number 3"))
    let again = try Restoring.expectSame(
      [.set("window/window", ["first": 4, "count": 1]), .set("window/items/9/text", "the last")],
      then: [.set("window/window", ["first": 8, "count": 1])]
    ) { Todo() }
    #expect(try again.shown["window"]?["items"] == ["9": ["text": "the last"]])
  }

  @Test func `makes rows when they are first shown, if they have nothing to remember`() throws {
    final class Silent: ViewModel {
      let length: Computed<Int>
      init(_ key: String) { length = Computed { key.count } }
      static let surface = Surface<Silent>("silent", .value("length", \.length))
    }
    final class Many: ViewModel {
      let rows = KeyedList<Silent>(window: 1)
      func fill() { rows.update(["a", "bb", "ccc"]) { Silent($0) } }
      static let surface = Surface<Many>(
        "many", .list("rows", \.rows, hasWindow: true) { _, key in Silent(key) }, .action("fill", Many.fill))
    }
    let many = try hosted { Many() }
    try many.perform("fill")
    _ = try many.shown
    #expect(many.storedText == #"{"rows":{"window":{"first":0,"count":1},"order":["a","bb","ccc"],"items":{}}}"#)
    let again = try Restoring.restart(many) { Many() }
    try again.set("rows/window", ["first": 1, "count": 2])
    #expect(try again.shown["rows"]?["items"] == ["bb": ["length": 2], "ccc": ["length": 3]])
  }

  /// A list whose rows nobody could make again.
  final class Undeclared: ViewModel {
    let notes = KeyedList<Note>()
    func add() { notes.append(Note(""), key: "a") }
    static let surface = Surface<Undeclared>("undeclared", .list("notes", \.notes), .action("add", Undeclared.add))
  }

  @Test func `says how rows have to be declared that it cannot make`() throws {
    let words = """
      the stored state at '/notes/order': the row 'a' was not there when the view model was made, and its surface does \
      not say how it is made again; expected a closure after the entry of the list 'notes', or '.orderNotStored()'
      """
    #expect(throws: StoredStateError.unreadable(words)) {
      try Restoring.restore(#"{"notes":{"order":["a"],"items":{"a":{}}}}"#) { Undeclared() }
    }
  }

  #if DEBUG
    @Test func `stops a program that stores a row which nobody could make again`() async {
      await #expect(processExitsWith: .failure) {
        actor Place {}
        let (place, watcher) = (Place(), RunCount())
        let model = try hosted { Undeclared() }
        model.live(in: place, runWatcher: watcher) {}
        try model.perform("add")
        withExtendedLifetime((place, watcher)) { _ = model.storedText }
      }
    }
  #endif

  /// A list whose rows have lists that are filled when the row is made.
  final class Shelves: ViewModel {
    final class Shelf: ViewModel {
      let notes = KeyedList<Note>()
      init() { notes.append(Note("there from the first"), key: "a") }
      static let surface = Surface<Shelf>("shelf", .list("notes", \.notes))
    }
    let shelves = KeyedList<Shelf>()
    func add(_ key: String) { shelves.append(Shelf(), key: key) }
    static let surface = Surface<Shelves>(
      "shelves", .list("shelves", \.shelves) { _, _ in Shelf() }, .action("add", Shelves.add))
  }

  @Test func `needs no closure for rows that are there as soon as their row is made`() async throws {
    let model = try await LivingModel(.hosting { Shelves() })
    let path = "shelves/items/s/notes/items/a/text"
    for step: Change in [.perform("add", "s"), .set(path, "changed")] { #expect(await model.take(step) == nil) }
    let again = try await LivingModel(.hosting { Shelves() }, stored: model.stored)
    #expect(await again.state == model.state)
    #expect(await again.take(.set(path, "once more")) == nil)
  }

  @Test(arguments: [
    (#"{"notes":[]}"#, "/notes"), (#"{"notes":{"order":"a"}}"#, "/notes/order"),
    (#"{"notes":{"items":[]}}"#, "/notes"), (#"{"notes":{"items":{"a":{"text":1}}}}"#, "/notes/items/a/text"),
    (#"{"notes":{"order":["a/b"],"items":{"a/b":{"text":1}}}}"#, "/notes/items/a~1b/text"),
    (#"{"window":{"window":{"first":-1,"count":1}}}"#, "/window/window"),
  ]) func `is refused where it does not fit, by its place`(text: String, place: String) {
    Restoring.expectRefusal(of: text, at: place) { Todo() }
  }

  @Test func `takes the first of a key that comes twice`() throws {
    let again = try Restoring.restore(#"{"notes":{"order":["c","a","c"],"items":{}}}"#) { Todo() }
    #expect(try again.shown["notes"]?["order"] == ["c", "a"])
    try again.perform("remove", "c")
    #expect(try again.shown["notes"]?["order"] == ["a"])
  }

  final class Task: ViewModel {
    @Observed var isDone = false
    static let surface = Surface<Task>("task", .twoWay("isDone", \.$isDone))
  }

  /// A list with rows of two kinds.
  final class Mixed: ViewModel {
    let things = KeyedList<any ViewModel>()
    init() { things.append(Note("first"), key: "a") }
    func note(_ key: String) { things.put(Note(""), key: key) }
    func task(_ key: String) { things.put(Task(), key: key) }
    static let surface = Surface<Mixed>(
      "mixed",
      .list("things", \.things, of: Note.self, Task.self) { _, _, kind in
        switch kind {
        case "note": Note("made again")
        case "task": Task()
        default: nil
        }
      }, .action("note", Mixed.note), .action("task", Mixed.task))
  }

  @Test func `has the kind of each row`() throws {
    // The last row is of another kind, under a key that is there as soon as the view model is made.
    let again = try Restoring.expectSame(
      [
        .perform("task", "b"), .perform("note", "c"), .perform("task", "a"), .set("things/items/b/isDone", true),
      ]
    ) { Mixed() }
    #expect(again.storedText.contains(#""b":{"~kind":"task","isDone":true}"#))
    let words =
      "the stored state at '/things/order': the row 'x' is of the kind 'folder', of which the surface makes none"
    #expect(throws: StoredStateError.unreadable(words)) {
      try Restoring.restore(#"{"things":{"order":["x"],"items":{"x":{"~kind":"folder"}}}}"#) { Mixed() }
    }
  }
}
