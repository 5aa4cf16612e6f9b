// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

/// A list of things to do, with all kinds of changes.
final class Tasks: ViewModel {
  final class Row: ViewModel {
    @Observed var text: String
    @Observed var done = false
    init(_ text: String) { self.text = text }
    static let surface = Surface<Row>("task", .value("text", \.$text), .twoWay("done", \.$done))
  }

  @Observed var draft = ""
  @Observed var tags: [String] = []
  let items = KeyedList<Row>()
  @Observed(cutOff: .never) var chosen: Row?
  lazy var left = Computed(self) { $0.items.rows.count { !$0.done } }
  private var lastKey = 0

  func add() {
    lastKey += 1
    items.append(Row(draft), key: "\(lastKey)")
    draft = ""
  }
  func remove(_ key: String) { items.remove(key) }
  func choose(_ key: String) { chosen = items[key] }
  func first(_ key: String) { items.move(key, to: 0) }

  static let surface = Surface<Tasks>(
    "tasks", .twoWay("draft", \.$draft), .twoWay("tags", \.$tags), .list("items", \.items), .value("left", \.left),
    .nested("chosen", \.$chosen), .action("add", Tasks.add), .action("remove", Tasks.remove),
    .action("choose", Tasks.choose), .action("first", Tasks.first))
}

/// The texts of the issues that a body records.
func failures(of body: () throws -> Void) rethrows -> [String] {
  let texts = Locked<[String]>([])
  try withKnownIssue(isIntermittent: true) {
    try body()
  } matching: { issue in
    texts.withLock { $0 += issue.comments.map(\.rawValue) }
    return true
  }
  return texts.withLock { $0 }
}

@Suite struct `Expecting a change` {
  private let tasks: ModelDriver

  init() throws {
    tasks = try ModelDriver { Tasks() }
    for text in ["milk", "bread"] {
      try tasks.set("draft", .string(text))
      try tasks.perform("add")
    }
  }

  @Test func `passes where each change is named, and gives the result`() throws {
    try tasks.set("draft", "salt")
    let result = try tasks.expectChange {
      try tasks.perform("add")
    } to: { state in
      state.draft = ""
      state.left = 3
      state.items.append(row: "3", ["text": "salt", "done": false])
    }
    #expect(result == .null)
    try tasks.expectChange {
      try tasks.set("items/items/2/done", true)
    } to: { state in
      state.items[row: "2"].done = true
      state["left"] = .init(2)
    }
    try tasks.expectChange {
      try tasks.perform("choose", "2")
    } to: {
      $0.chosen = ["text": "bread", "done": true]
    }
    try tasks.expectChange {
      try tasks.perform("choose", "none")
    } to: {
      $0.chosen = nil
    }
  }

  @Test func `passes where rows are named that go and move`() throws {
    try tasks.expectChange {
      try tasks.perform("first", "2")
    } to: {
      $0.items.move(row: "2", to: 0)
    }
    try tasks.expectChange {
      try tasks.perform("remove", "1")
    } to: { state in
      state.items.remove(row: "1")
      state.left = 1
    }
    try tasks.expectChange {
      try tasks.set("draft", "")
    } to: { _ in
    }
  }

  @Test func `waits for asynchronous changes`() async throws {
    try await tasks.expectChange {
      try tasks.perform("first", "2")
      await tasks.settled()
    } to: {
      $0.items.order = ["2", "1"]
    }
  }

  @Test func `fails on a change that was not named, and shows it`() throws {
    let found = try failures {
      try tasks.expectChange {
        try tasks.set("items/items/1/done", true)
      } to: {
        $0.left = 1
      }
    }
    #expect(
      found == [
        """
        the state did not change as the test names it:
          items/items/1/done changed, and was not named
            before  false
            after   true
        """
      ])
  }

  @Test func `fails on a named change that did not happen, and on another than the named one`() throws {
    let found = try failures {
      try tasks.expectChange {
        try tasks.set("draft", "tea")
      } to: { state in
        state.draft = "coffee"
        state.left = 7
        state.items[row: "1"].text = "milk"
        state.darft = "tea"
      }
    }
    #expect(
      found == [
        """
        the state did not change as the test names it:
          draft changed, and not to what was named
            before  ""
            after   "tea"
            named   "coffee"
          left was named, and did not change
            before  2
            after   2
            named   7
          darft was named, and there is no such value
            before  none
            after   none
            named   "tea"
          items/items/1/text was named, and is as it was
            before  "milk"
            after   "milk"
        """
      ])
  }

  @Test func `fails on rows that come, go and move unnamed`() throws {
    let found = try failures {
      try tasks.expectChange {
        try tasks.perform("first", "2")
        try tasks.perform("remove", "1")
        try tasks.perform("add")
      } to: {
        $0.left = 5
      }
    }
    #expect(
      found == [
        """
        the state did not change as the test names it:
          items/order changed, and was not named
            before  ["1","2"]
            after   ["2","3"]
          items/items/3 appeared, and was not named
            before  none
            after   {"text":"","done":false}
          items/items/1 went, and was not named
            before  {"text":"milk","done":false}
            after   none
          left was named, and did not change
            before  2
            after   2
            named   5
        """
      ])
  }

  @Test func `shows of long values the part where they differ`() throws {
    let tags = (0..<200).map { "tag\($0)" }
    try tasks.set("tags", .array(tags.map { .string($0) }))
    let found = try failures {
      try tasks.expectChange {
        try tasks.set("tags", .array(tags.map { .string($0 == "tag150" ? "other" : $0) }))
      } to: { _ in
      }
    }
    let lines = found.joined().split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines.dropFirst(2).allSatisfy { $0.count < 140 && $0.hasSuffix("…") }, "got: \(lines)")
    #expect(lines.last?.contains(#""tag149","other","tag151""#) == true, "got: \(lines)")
    #expect(lines.dropFirst(2).first?.contains(#""tag149","tag150","tag151""#) == true, "got: \(lines)")
  }
}

/// A view model's superclass.
private class Counting { var forgotten = [0] }

/// A view model whose actions throw.
private final class Counted: Counting, ViewModel {
  struct Refused: Error {}

  @Observed var shown = 0
  var kept = 0
  lazy var late = kept + 1

  func failRightly() throws {
    shown += 1
    kept += 1
    _ = late
    throw Refused()
  }

  func failWrongly() throws {
    forgotten.append(1)
    throw Refused()
  }

  func succeed() {}

  static let surface = Surface<Counted>(
    "counted", .value("shown", \.$shown), .stored("kept", \.kept), .action("failRightly", Counted.failRightly),
    .action("failWrongly", Counted.failWrongly), .action("succeed", Counted.succeed))
}

@Suite struct `Expecting that nothing is left of an action` {
  private let counted: ModelDriver

  init() throws { counted = try ModelDriver { Counted() } }

  @Test func `passes where all that it changed is observed or stored`() {
    #expect(failures { counted.expectUndone { try counted.perform("failRightly") } }.isEmpty)
  }

  @Test func `names a variable that keeps what the action assigned`() {
    let texts = failures { counted.expectUndone { try counted.perform("failWrongly") } }
    #expect(texts.count == 1 && texts[0].contains("'forgotten' is [0, 1], and was [0]"), "\(texts)")
  }

  @Test func `fails for an action that does not throw`() {
    let texts = failures { counted.expectUndone { try counted.perform("succeed") } }
    #expect(texts.count == 1 && texts[0].contains("the call did not throw"), "\(texts)")
  }
}
