// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing
import ViewModels

@testable import ObservableCore

@Suite struct `The stored state of a list` {
  typealias Note = `The stored state of parts`.Note

  final class Todo: ViewModel {
    let notes = KeyedList<Note>()
    let window = KeyedList<Note>(window: 2)
    let count: Computed<Int>
    let add = Observer<String>()
    let remove = Observer<String>()
    let reverse = Observer<Void>()

    init() {
      count = Computed { [notes] in notes.count }
      notes.append(Note("first"), key: "a")
      notes.append(Note("second"), key: "b")
      window.update((1...9).map(String.init)) { Note("number \($0)") }
      add.handle(self) { $0.notes.append(Note("added"), key: $1) }
      remove.handle(self) { $0.notes.remove($1) }
      reverse.handle(self) { todo, _ in
        for (index, key) in todo.notes.keys.reversed().enumerated() { todo.notes.move(key, to: index) }
      }
    }

    static let surface = Surface<Todo>(
      "todo",
      .list("notes", \.notes) { _, key in Note("made again: \(key)") },
      .list("window", \.window, hasWindow: true).orderNotStored(), .value("count", \.count), .action("add", \.add),
      .action("remove", \.remove), .action("reverse", \.reverse))
  }

  private func todo() throws -> any HostedModel { try HostedModelType.hosting { Todo() }.make(for: "a session") }

  @Test func `has its rows in their order, those that came and not those that went`() throws {
    let todo = try todo()
    for key in ["c", "d/é~", ""] { try todo.perform(["add"], .string(key)) }
    try todo.set(["notes", "items", "c", "text"], "third")
    try todo.set(["notes", "items", "b", "text"], "changed")
    try todo.perform(["remove"], "a")
    try todo.perform(["reverse"], nil)
    let again = try Restoring.restart(todo) { Todo() }
    #expect(try Restoring.state(again)["notes"]?["order"] == ["", "d/é~", "c", "b"])
    #expect(try Restoring.state(again)["count"] == 4)
    #expect(try Restoring.state(again) == Restoring.state(todo))
    for each in [todo, again] {
      try each.perform(["add"], "a")
      try each.perform(["remove"], "c")
    }
    #expect(try Restoring.state(again) == Restoring.state(todo))
  }

  @Test func `has no row that was never made, and makes those that were`() throws {
    let todo = try todo()
    #expect(Restoring.stored(todo).contains(#""window":{"window":{"first":0,"count":2},"items":{"1":{"#))
    #expect(!Restoring.stored(todo).contains("number 3"))
    try todo.set(["window", "window"], ["first": 4, "count": 1])
    try todo.set(["window", "items", "9", "text"], "the last")
    let again = try Restoring.restart(todo) { Todo() }
    #expect(try Restoring.state(again) == Restoring.state(todo))
    try again.set(["window", "window"], ["first": 8, "count": 1])
    #expect(try Restoring.state(again)["window"]?["items"] == ["9": ["text": "the last"]])
  }

  @Test func `makes rows when they are first shown, if they have nothing to remember`() throws {
    final class Silent: ViewModel {
      let length: Computed<Int>
      init(_ key: String) { length = Computed { key.count } }
      static let surface = Surface<Silent>("silent", .value("length", \.length))
    }
    final class Many: ViewModel {
      let rows = KeyedList<Silent>(window: 1)
      let fill = Observer<Void>()
      init() { fill.handle(self) { many, _ in many.rows.update(["a", "bb", "ccc"]) { Silent($0) } } }
      static let surface = Surface<Many>(
        "many", .list("rows", \.rows, hasWindow: true) { _, key in Silent(key) }, .action("fill", \.fill))
    }
    let many = try HostedModelType.hosting { Many() }.make(for: "a session")
    try many.perform(["fill"], nil)
    _ = try Restoring.state(many)
    #expect(
      Restoring.stored(many)
        == #"{"rows":{"window":{"first":0,"count":1},"order":["a","bb","ccc"],"items":{}}}"#)
    let again = try Restoring.restart(many) { Many() }
    try again.set(["rows", "window"], ["first": 1, "count": 2])
    #expect(
      try Restoring.state(again)["rows"]?["items"] == ["bb": ["length": 2], "ccc": ["length": 3]])
  }

  @Test func `says how rows have to be declared that it cannot make`() throws {
    final class Undeclared: ViewModel {
      let notes = KeyedList<Note>()
      static let surface = Surface<Undeclared>("undeclared", .list("notes", \.notes))
    }
    let text = #"{"notes":{"order":["a"],"items":{"a":{}}}}"#
    #expect(
      throws: StoredStateError.unreadable(
        """
        the stored state at '/notes/order': the row 'a' was not there when the view model was made, and its surface does \
        not say how it is made again; expected a closure after the entry of the list 'notes', or '.orderNotStored()'
        """)
    ) {
      try Restoring.restore(text) { Undeclared() }
    }
  }

  #if DEBUG
    @Test func `stops a program that stores a row which nobody could make again`() async {
      await #expect(processExitsWith: .failure) {
        final class Undeclared: ViewModel {
          let notes = KeyedList<Note>()
          let add = Observer<Void>()
          init() { add.handle(self) { model, _ in model.notes.append(Note(""), key: "a") } }
          static let surface = Surface<Undeclared>("undeclared", .list("notes", \.notes), .action("add", \.add))
        }
        actor Place: CommandRunWatcher {
          nonisolated func runDidBegin(_ run: CommandRun) {}
          nonisolated func runDidEnd(_ run: CommandRun, _ error: (any Error)?) {}
        }
        let place = Place()
        let model = try HostedModelType.hosting { Undeclared() }.make(for: "a session")
        model.live(in: place, runWatcher: place) {}
        try model.perform(["add"], nil)
        _ = Restoring.stored(model)
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
    let add = Observer<String>()
    init() { add.handle(self) { $0.shelves.append(Shelf(), key: $1) } }
    static let surface = Surface<Shelves>(
      "shelves", .list("shelves", \.shelves) { _, _ in Shelf() }, .action("add", \.add))
  }

  @Test func `needs no closure for what is there as soon as a row is made`() async throws {
    let model = try await LivingModel(.hosting { Shelves() })
    #expect(await model.take(.perform(["add"], "s")) == nil)
    let path = ["shelves", "items", "s", "notes", "items", "a", "text"]
    #expect(await model.take(.set(path, "changed")) == nil)
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
    let error = #expect(throws: StoredStateError.self) { try Restoring.restore(text) { Todo() } }
    #expect(error?.description.contains("'\(place)'") == true, "got: \(error?.description ?? "nothing")")
  }

  @Test func `takes the first of a key that comes twice`() throws {
    let again = try Restoring.restore(#"{"notes":{"order":["c","a","c"],"items":{}}}"#) { Todo() }
    #expect(try Restoring.state(again)["notes"]?["order"] == ["c", "a"])
    try again.perform(["remove"], "c")
    #expect(try Restoring.state(again)["notes"]?["order"] == ["a"])
  }

  // MARK: Rows of kinds

  final class Task: ViewModel {
    let isDone = Observable(false)
    static let surface = Surface<Task>("task", .twoWay("isDone", \.isDone))
  }

  final class Mixed: ViewModel {
    let things = KeyedList<any ViewModel>()
    let note = Observer<String>()
    let task = Observer<String>()
    init() {
      things.append(Note("first"), key: "a")
      note.handle(self) { $0.things.put(Note(""), key: $1) }
      task.handle(self) { $0.things.put(Task(), key: $1) }
    }
    static let surface = Surface<Mixed>(
      "mixed",
      .list("things", \.things, of: Note.self, Task.self) { _, _, kind in
        switch kind {
        case "note": Note("made again")
        case "task": Task()
        default: nil
        }
      }, .action("note", \.note), .action("task", \.task))
  }

  @Test func `has of which kind each row is`() throws {
    let mixed = try HostedModelType.hosting { Mixed() }.make(for: "a session")
    try mixed.perform(["task"], "b")
    try mixed.perform(["note"], "c")
    // A row of another kind, under a key that is there as soon as the view model is made.
    try mixed.perform(["task"], "a")
    try mixed.set(["things", "items", "b", "isDone"], true)
    #expect(Restoring.stored(mixed).contains(#""b":{"~kind":"task","isDone":true}"#))
    let again = try Restoring.restart(mixed) { Mixed() }
    #expect(try Restoring.state(again) == Restoring.state(mixed))
    #expect(
      throws: StoredStateError.unreadable(
        "the stored state at '/things/order': the row 'x' is of the kind 'folder', of which the surface makes none")
    ) {
      try Restoring.restore(#"{"things":{"order":["x"],"items":{"x":{"~kind":"folder"}}}}"#) { Mixed() }
    }
  }
}
