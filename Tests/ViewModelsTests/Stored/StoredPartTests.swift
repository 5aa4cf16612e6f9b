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

  /// A view model with others within: one that it always has, one that it may have, one that is hidden, and one of two.
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

  private func desk() throws -> any HostedModel { try HostedModelType.hosting { Desk() }.make(for: "a session") }

  @Test func `has those of view models within, seen or hidden`() throws {
    let desk = try desk()
    try desk.set(["fixed", "text"], "one")
    try desk.perform(["show"], "two")
    try desk.set(["open", "text"], "three")
    try desk.set(["side", "text"], "on the left")
    try desk.perform(["peek"], nil)
    let again = try Restoring.restart(desk) { Desk() }
    #expect(try Restoring.state(again) == Restoring.state(desk))
    for each in [desk, again] {
      try each.perform(["peek"], nil)
      try each.set(["isLeft"], false)
    }
    #expect(try Restoring.state(again) == Restoring.state(desk))
    #expect(try Restoring.state(again)["peeked"] == "hidden!!")
    #expect(Restoring.stored(again) == Restoring.stored(desk))
  }

  @Test func `has the one that a formula chooses, by what is put back of its inputs`() throws {
    let desk = try desk()
    try desk.set(["isLeft"], false)
    try desk.set(["side", "text"], "on the right")
    let again = try Restoring.restart(desk) { Desk() }
    #expect(try Restoring.state(again)["side"] == ["text": "on the right"])
    try again.set(["isLeft"], true)
    #expect(try Restoring.state(again)["side"] == ["text": "left"])
  }

  @Test func `has that there is none`() throws {
    final class Shown: ViewModel {
      let note = Observable<Note?>(Note("from the first"), cutOff: .never)
      let close = Observer<Void>()
      init() { close.handle(self) { shown, _ in shown.note.value = nil } }
      static let surface = Surface<Shown>("shown", .nested("note", \.note), .action("close", \.close))
    }
    let shown = try HostedModelType.hosting { Shown() }.make(for: "a session")
    try shown.set(["note", "text"], "written")
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

  /// A view model with a binding, outside of the graph, that is in step with its values, and with a note within.
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
    let model = try HostedModelType.hosting { Bound() }.make(for: "a session")
    try model.set(["isLeft"], false)
    try model.set(["right", "text"], "changed")
    let again = try Restoring.restart(model) { Bound() }
    #expect(try Restoring.state(again) == Restoring.state(model))
    for each in [model, again] {
      try each.set(["left", "text"], "nobody looks")
      try each.set(["right", "text"], "more")
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
          // An observer's error reaches the code that runs the transaction.
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
