// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A note, with a value that the view does not see.
final class StoredNote: ViewModel {
  @Observed var text: String
  @Observed var drafts = 0
  init(_ text: String) { self.text = text }
  static let surface = Surface<StoredNote>("note", .twoWay("text", \.$text), .stored("drafts", \.$drafts))
}

@Suite struct `The stored state of parts` {
  typealias Note = StoredNote

  /// A view model with others within: one that it always has, one that it may have, one that is hidden, and one of two.
  final class Desk: ViewModel {
    let fixed = Note("fixed")
    @Observed(cutOff: .never) var open: Note?
    @Observed var isLeft = true
    lazy var side = Computed<Note?>(self, cutOff: CutOff { $0 === $1 }) { $0.isLeft ? $0.left : $0.right }
    private let left = Note("left")
    private let right = Note("right")
    private let hidden = Note("hidden")
    @Observed var peeked = ""

    func show(_ text: String) { open = Note(text) }
    func peek() {
      hidden.text += "!"
      peeked = hidden.text
    }

    static let surface = Surface<Desk>(
      "desk",
      .nested("fixed", \.fixed), .nested("open", \.$open) { _ in Note("made again") }, .twoWay("isLeft", \.$isLeft),
      .nested("side", \.side), .stored("left", \.left), .stored("right", \.right), .stored("hidden", \.hidden),
      .value("peeked", \.$peeked), .action("show", Desk.show), .action("peek", Desk.peek))
  }

  @Test func `has those of view models within, seen or hidden`() throws {
    let again = try Restoring.expectSame(
      [
        .set("fixed/text", "one"), .perform("show", "two"), .set("open/text", "three"),
        .set("side/text", "on the left"), .perform("peek"),
      ], then: [.perform("peek"), .set("isLeft", false)]
    ) { Desk() }
    #expect(try again.shown["peeked"] == "hidden!!")
  }

  @Test func `has the one that a formula chooses, by the inputs that were put back`() throws {
    let again = try Restoring.expectSame([.set("isLeft", false), .set("side/text", "on the right")]) { Desk() }
    #expect(try again.shown["side"] == ["text": "on the right"])
    try again.set("isLeft", true)
    #expect(try again.shown["side"] == ["text": "left"])
  }

  @Test func `has that there is none`() throws {
    final class Shown: ViewModel {
      @Observed(cutOff: .never) var note: Note? = Note("from the first")
      func close() { note = nil }
      static let surface = Surface<Shown>("shown", .nested("note", \.$note), .action("close", Shown.close))
    }
    let with = try Restoring.expectSame([.set("note/text", "written")]) { Shown() }
    #expect(try with.shown["note"] == ["text": "written"])
    let without = try Restoring.expectSame([.perform("close")]) { Shown() }
    #expect(try without.shown["note"] == .null)
  }

  @Test func `says how one that there was has to be declared`() throws {
    final class Undeclared: ViewModel {
      @Observed(cutOff: .never) var note: Note?
      static let surface = Surface<Undeclared>("undeclared", .nested("note", \.$note))
    }
    let error = #expect(throws: StoredStateError.self) { try Restoring.restore(#"{"note":{}}"#) { Undeclared() } }
    #expect(error?.description.contains("'/note'") == true)
    #expect(error?.description.contains(#".nested("note", …) { Undeclared in … }"#) == true)
  }

  @Test func `may write while it is made again: the stored value has the last word`() throws {
    final class Noisy: ViewModel {
      @Observed(cutOff: .never) var note: Note?
      @Observed var made = 0
      @Observed var seen = ""
      let doubled = ObservableCombiner<Int>(.every, 0)
      init() {
        doubled.combine($made).handle { $0 * 2 }
        $made.addObserver(Observer(self) { noisy, _ in noisy.seen += "x" })
      }
      func make() -> Note {
        made += 1
        return Note("made when \(made) were, and the value was put back before: \(seen)")
      }
      static let surface = Surface<Noisy>(
        "noisy", .nested("note", \.$note) { $0.make() }, .value("made", \.$made), .value("seen", \.$seen),
        .value("doubled", \.doubled))
    }
    let again = try Restoring.restore(#"{"note":{"drafts":3},"made":7,"seen":"s","doubled":14}"#) { Noisy() }
    #expect(
      again.storedText == """
        {"note":{"text":"made when 8 were, and the value was put back before: s","drafts":3},"made":7,"seen":"s",\
        "doubled":14}
        """)
  }

  /// A view model with a binding, outside of the graph, that is in step with its values, and with a note within.
  final class Bound: ViewModel {
    @Observed var isLeft = true
    @Observed var shown = ""
    @Observed var told = 0
    let note = Note("")
    let left = Note("left")
    let right = Note("right")
    private lazy var binding = Binding<Bound, Note>(self).bind(\.$text) { me, text in
      me.shown = text
      me.told += 1
    }

    init() {
      $isLeft.addObserver(
        Observer(self) { me, isLeft in me.binding.model = isLeft ? me.left : me.right }, replay: true)
    }

    func didRestore() {
      binding.model = isLeft ? left : right
      note.text += " seen by the other's didRestore"
    }

    static let surface = Surface<Bound>(
      "bound", .twoWay("isLeft", \.$isLeft), .value("shown", \.$shown), .value("told", \.$told),
      .nested("note", \.note),
      .nested("left", \.left), .nested("right", \.right))
  }

  @Test func `lets a view model bring a binding in step, and has the last word all the same`() throws {
    let again = try Restoring.expectSame(
      [.set("isLeft", false), .set("right/text", "changed")],
      then: [.set("left/text", "nobody looks"), .set("right/text", "more")]
    ) { Bound() }
    #expect(try again.shown["shown"] == "more")
    #expect(try again.shown["told"] == 4)
  }

  @Test func `is a failure of the view model's where making throws`() throws {
    struct Refused: Error {}
    final class Refusing: ViewModel {
      @Observed(cutOff: .never) var note: Note?
      @Observed var made = 0
      init() { $made.addObserver(Observer { _ in throw Refused() }) }
      static let surface = Surface<Refusing>(
        "refusing",
        .nested("note", \.$note) { model in
          // An observer's error reaches the code that runs the transaction.
          model.made += 1
          return Note("")
        })
    }
    #expect(throws: ViewModelFailure.self) { try Restoring.restore(#"{"note":{}}"#) { Refusing() } }
  }

  @Test func `has both where the making of the one removes the other`() throws {
    final class Rivals: ViewModel {
      @Observed(cutOff: .never) var one: Note?
      @Observed(cutOff: .never) var other: Note?
      func makeOne() -> Note {
        other = nil
        return Note("one")
      }
      func makeOther() -> Note {
        one = nil
        return Note("other")
      }
      static let surface = Surface<Rivals>(
        "rivals", .nested("one", \.$one) { $0.makeOne() }, .nested("other", \.$other) { $0.makeOther() })
    }
    let text = #"{"one":{"text":"1","drafts":0},"other":{"text":"2","drafts":0}}"#
    #expect(try Restoring.restore(text) { Rivals() }.storedText == text)
  }
}
