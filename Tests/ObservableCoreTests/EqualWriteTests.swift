// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// Writes of a value that is equal to the present one, and need not be the same.
@Suite struct `An equal write` {
  struct Failure: Error, Equatable { var name: String }

  /// Two texts that are equal, and are not the same bytes.
  private static let (composed, decomposed) = ("\u{e9}", "e\u{301}")

  @Test func `in a body leaves the value as it was, to the byte`() throws {
    let text = Observable(Self.composed)
    let number = Observable(0.0)
    let bytes = Computed { Array(text.value.utf8) }
    #expect(bytes.value == [0xc3, 0xa9])
    try transaction {
      text.value = Self.decomposed
      number.value = -0.0
      // The body does not see it either.
      #expect(Array(text.value.utf8) == [0xc3, 0xa9])
      #expect(bytes.value == [0xc3, 0xa9])
    }
    #expect(Array(text.value.utf8) == [0xc3, 0xa9])
    #expect(number.value.sign == .plus)
    #expect(bytes.value == [0xc3, 0xa9])
    try transaction { text.value = "another" }
    #expect(text.value == "another")
  }

  @Test func `is taken back before somebody joins, and a later write counts`() throws {
    let text = Observable(Self.composed)
    let told = Log<String>()
    try transaction {
      text.value = Self.decomposed
      text.addObserver(told.observer)
      #expect(Array(text.value.utf8) == [0xc3, 0xa9])
      text.value = "another"
    }
    #expect(told.values == ["another"])
    #expect(text.value == "another")
  }

  @Test func `is undone to the value before it, whatever was written after it`() throws {
    let text = Observable(Self.composed)
    let trigger = Observable(0)
    trigger.addObserver(
      Observer { _ in
        text.value = "another"
        throw Failure(name: "after it")
      })
    #expect(throws: Failure.self) {
      try transaction(.undo) {
        text.value = Self.decomposed
        trigger.value = 1
      }
    }
    #expect(Array(text.value.utf8) == [0xc3, 0xa9])
  }

  @Test func `lets the value that goes with it write to the place where it stood`() throws {
    final class Last: Equatable {
      let number: Int
      let goodbye: () -> Void
      init(_ number: Int, _ goodbye: @escaping () -> Void = {}) { (self.number, self.goodbye) = (number, goodbye) }
      deinit { goodbye() }
      static func == (one: Last, other: Last) -> Bool { one.number == other.number }
    }
    let value = Observable(Last(1))
    let told = Log<Int>()
    value.addObserver(Observer { told.values.append($0.number) })
    try transaction { value.value = Last(1) { [unowned value] in value.value = Last(2) } }
    #expect(value.value.number == 2)
    #expect(told.values == [2])
  }

  /// Takes note of the nodes that it is told of, by their tags. The tag of an equal write is negative.
  private final class Notes: Watcher {
    private(set) var tags: [Int] = []
    func nodeDidChange(_ tag: Int) { tags.append(tag) }
    func nodeIsEqual(_ tag: Int) { tags.append(-tag) }
  }

  @Test func `by way of another value, while the graph settles, is told to watchers as such`() throws {
    let (text, other) = (Observable(Self.composed), Observable(1))
    let shown = Computed { text.value + "!" }
    let next = Observable("", cutOff: .never)
    // Writes of the first observer settle before the second is told.
    next.addObserver(Observer { _ in text.value = "between" })
    next.addObserver(Observer { text.value = $0 })
    let notes = Notes()
    text.watch(notes, tag: 1)
    shown.watch(notes, tag: 2)
    other.watch(notes, tag: 3)
    #expect(shown.value == "\u{e9}!")
    try transaction { next.value = Self.decomposed }
    #expect(notes.tags.sorted() == [-2, -1])
    #expect(Array(text.value.utf8) == [0x65, 0xcc, 0x81])
    try transaction { next.value = "another" }
    #expect(notes.tags.sorted() == [-2, -1, 1, 2])
  }
}
