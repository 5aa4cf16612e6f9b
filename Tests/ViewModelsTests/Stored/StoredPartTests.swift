// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing
import ViewModels

@testable import ObservableCore

@Suite struct `The stored state of parts` {
  final class Note: ViewModel {
    let text: Observable<String>
    let drafts = Observable(0)
    init(_ text: String) { self.text = Observable(text) }
    static let surface = Surface<Note>("note", .twoWay("text", \.text), .stored("drafts", \.drafts))
  }

  /// A view model with one that it always has, one that it may have, one that is hidden, and one of two.
  final class Desk: ViewModel {
    let fixed = Note("fixed")
    let open = Observable<Note?>(nil, cutOff: .never)
    let isLeft = Observable(true)
    let side: Computed<Note?>
    private let left = Note("left")
    private let right = Note("right")
    private let hidden = Note("hidden")
    let show = Observer<String>()
    let close = Observer<Void>()
    let peek = Observer<Void>()
    let peeked = Observable("")

    init() {
      let (isLeft, left, right) = (isLeft, left, right)
      side = Computed(cutOff: CutOff { $0 === $1 }) { isLeft.value ? left : right }
      show.handle(self) { $0.open.value = Note($1) }
      close.handle(self) { desk, _ in desk.open.value = nil }
      peek.handle(self) { desk, _ in
        desk.hidden.text.value += "!"
        desk.peeked.value = desk.hidden.text.value
      }
    }

    static let surface = Surface<Desk>(
      "desk",
      .nested("fixed", \.fixed), .nested("open", \.open) { _ in Note("made again") }, .twoWay("isLeft", \.isLeft),
      .nested("side", \.side), .stored("left", \.left), .stored("right", \.right), .stored("hidden", \.hidden),
      .value("peeked", \.peeked), .action("show", \.show), .action("close", \.close), .action("peek", \.peek))
  }

  private func desk() throws -> any HostedModel { try HostedModelType.hosting { Desk() }.make() }

  @Test func `has those of view models within, seen or hidden`() throws {
    let desk = try desk()
    try desk.assign(["fixed", "text"], "one")
    try desk.perform(["show"], "two")
    try desk.assign(["open", "text"], "three")
    try desk.assign(["side", "text"], "on the left")
    try desk.perform(["peek"], nil)
    let again = try Restoring.restart(desk) { Desk() }
    #expect(try Restoring.state(again) == Restoring.state(desk))
    for each in [desk, again] {
      try each.perform(["peek"], nil)
      try each.assign(["isLeft"], false)
    }
    #expect(try Restoring.state(again) == Restoring.state(desk))
    #expect(try Restoring.state(again)["peeked"] == "hidden!!")
    #expect(Restoring.stored(again) == Restoring.stored(desk))
  }

  @Test func `has the one that a formula chooses, by what is put back of its inputs`() throws {
    let desk = try desk()
    try desk.assign(["isLeft"], false)
    try desk.assign(["side", "text"], "on the right")
    let again = try Restoring.restart(desk) { Desk() }
    #expect(try Restoring.state(again)["side"] == ["text": "on the right"])
    try again.assign(["isLeft"], true)
    #expect(try Restoring.state(again)["side"] == ["text": "left"])
  }

  @Test func `has that there is none`() throws {
    final class Shown: ViewModel {
      let note = Observable<Note?>(Note("from the first"), cutOff: .never)
      let close = Observer<Void>()
      init() { close.handle(self) { shown, _ in shown.note.value = nil } }
      static let surface = Surface<Shown>("shown", .nested("note", \.note), .action("close", \.close))
    }
    let shown = try HostedModelType.hosting { Shown() }.make()
    try shown.assign(["note", "text"], "written")
    let with = try Restoring.restart(shown) { Shown() }
    #expect(try Restoring.state(with)["note"] == ["text": "written"])
    try shown.perform(["close"], nil)
    let without = try Restoring.restart(shown) { Shown() }
    #expect(try Restoring.state(without)["note"] == .null)
  }

  @Test func `says how one that there was has to be declared`() throws {
    final class Undeclared: ViewModel {
      let note = Observable<Note?>(nil, cutOff: .never)
      static let surface = Surface<Undeclared>("undeclared", .nested("note", \.note))
    }
    let error = #expect(throws: StoredStateError.self) { try Restoring.restore(#"{"note":{}}"#) { Undeclared() } }
    #expect(error?.description.contains("'/note'") == true)
    #expect(error?.description.contains(#".nested("note", …) { Undeclared in … }"#) == true)
  }

  @Test func `may write what it likes while it is made again: what was stored has the last word`() throws {
    final class Noisy: ViewModel {
      let note = Observable<Note?>(nil, cutOff: .never)
      let made = Observable(0)
      let seen = Observable("")
      let doubled = ObservableCombiner<Int>(.every, 0)
      init() {
        doubled.combine(made).handle { $0 * 2 }
        made.addObserver(Observer(self) { noisy, _ in noisy.seen.value += "x" })
      }
      func make() -> Note {
        made.value += 1
        return Note("made when \(made.value) were, and the value was put back before: \(seen.value)")
      }
      static let surface = Surface<Noisy>(
        "noisy", .nested("note", \.note) { $0.make() }, .value("made", \.made), .value("seen", \.seen),
        .value("doubled", \.doubled))
    }
    let text = #"{"note":{"drafts":3},"made":7,"seen":"s","doubled":14}"#
    let again = try Restoring.restore(text) { Noisy() }
    #expect(
      Restoring.stored(again) == """
        {"note":{"text":"made when 8 were, and the value was put back before: s","drafts":3},"made":7,"seen":"s",\
        "doubled":14}
        """)
  }

  /// A view model with something in step with its values that is not part of the graph, and with a note within.
  final class Bound: ViewModel {
    let isLeft = Observable(true)
    let shown = Observable("")
    let told = Observable(0)
    let note = Note("")
    let left = Note("left")
    let right = Note("right")
    private lazy var binding = Binding<Bound, Note>(self).bind(\.text) { me, text in
      me.shown.value = text
      me.told.value += 1
    }

    init() {
      isLeft.addObserver(
        Observer(self) { me, isLeft in me.binding.model = isLeft ? me.left : me.right }, replay: true)
    }

    func didRestore() {
      binding.model = isLeft.value ? left : right
      note.text.value += " seen by the other's didRestore"
    }

    static let surface = Surface<Bound>(
      "bound", .twoWay("isLeft", \.isLeft), .value("shown", \.shown), .value("told", \.told), .nested("note", \.note),
      .nested("left", \.left), .nested("right", \.right))
  }

  @Test func `lets a view model bring in step what is outside of the graph, and has the last word all the same`() throws
  {
    let model = try HostedModelType.hosting { Bound() }.make()
    try model.assign(["isLeft"], false)
    try model.assign(["right", "text"], "changed")
    let again = try Restoring.restart(model) { Bound() }
    #expect(try Restoring.state(again) == Restoring.state(model))
    for each in [model, again] {
      try each.assign(["left", "text"], "nobody looks")
      try each.assign(["right", "text"], "more")
    }
    #expect(try Restoring.state(again) == Restoring.state(model))
    #expect(try Restoring.state(again)["shown"] == "more")
    #expect(try Restoring.state(again)["told"] == 4)
  }

  @Test func `is a failure of the view model's where making throws`() throws {
    struct Refused: Error {}
    final class Refusing: ViewModel {
      let note = Observable<Note?>(nil, cutOff: .never)
      let made = Observable(0)
      init() { made.addObserver(Observer { _ in throw Refused() }) }
      static let surface = Surface<Refusing>(
        "refusing",
        .nested("note", \.note) { model in
          // What an observer throws reaches whoever runs the transaction.
          model.made.value += 1
          return Note("")
        })
    }
    #expect(throws: ViewModelFailure.self) { try Restoring.restore(#"{"note":{}}"#) { Refusing() } }
  }

  @Test func `has both where what makes the one removes the other`() throws {
    final class Rivals: ViewModel {
      let one = Observable<Note?>(nil, cutOff: .never)
      let other = Observable<Note?>(nil, cutOff: .never)
      func makeOne() -> Note {
        other.value = nil
        return Note("one")
      }
      func makeOther() -> Note {
        one.value = nil
        return Note("other")
      }
      static let surface = Surface<Rivals>(
        "rivals", .nested("one", \.one) { $0.makeOne() }, .nested("other", \.other) { $0.makeOther() })
    }
    let text = #"{"one":{"text":"1","drafts":0},"other":{"text":"2","drafts":0}}"#
    #expect(try Restoring.stored(Restoring.restore(text) { Rivals() }) == text)
  }
}

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

  private func todo() throws -> any HostedModel { try HostedModelType.hosting { Todo() }.make() }

  @Test func `has its rows in their order, those that came and not those that went`() throws {
    let todo = try todo()
    for key in ["c", "d/é~", ""] { try todo.perform(["add"], .string(key)) }
    try todo.assign(["notes", "items", "c", "text"], "third")
    try todo.assign(["notes", "items", "b", "text"], "changed")
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
    try todo.assign(["window", "window"], ["first": 4, "count": 1])
    try todo.assign(["window", "items", "9", "text"], "the last")
    let again = try Restoring.restart(todo) { Todo() }
    #expect(try Restoring.state(again) == Restoring.state(todo))
    try again.assign(["window", "window"], ["first": 8, "count": 1])
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
    let many = try HostedModelType.hosting { Many() }.make()
    try many.perform(["fill"], nil)
    _ = try Restoring.state(many)
    #expect(
      Restoring.stored(many)
        == #"{"rows":{"window":{"first":0,"count":1},"order":["a","bb","ccc"],"items":{}}}"#)
    let again = try Restoring.restart(many) { Many() }
    try again.assign(["rows", "window"], ["first": 1, "count": 2])
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
        let model = try HostedModelType.hosting { Undeclared() }.make()
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
    #expect(await model.take(.assign(path, "changed")) == nil)
    let again = try await LivingModel(.hosting { Shelves() }, stored: model.stored)
    #expect(await again.state == model.state)
    #expect(await again.take(.assign(path, "once more")) == nil)
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
      note.handle(self) { $0.things.append(Note(""), key: $1) }
      task.handle(self) { $0.things.append(Task(), key: $1) }
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
    let mixed = try HostedModelType.hosting { Mixed() }.make()
    try mixed.perform(["task"], "b")
    try mixed.perform(["note"], "c")
    // Another kind under a key that there is when the view model is made.
    try mixed.perform(["task"], "a")
    try mixed.assign(["things", "items", "b", "isDone"], true)
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
