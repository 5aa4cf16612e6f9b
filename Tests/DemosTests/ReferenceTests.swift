// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(30))) struct `The model of the reference` {
  let page: ModelDriver

  init() throws { page = try ModelDriver { ReferenceViewModel(pause: { _ in }) } }

  @Test func `counts the letters as they are written, and says when they are too many`() throws {
    #expect((page["length"], page["problem"]) == (0, ""))
    try page.set("word", "eightish")
    #expect((page["length"], page["problem"]) == (8, ""))
    try page.set("word", "ninefolds")
    #expect((page["length"], page["problem"]) == (9, "At most 8 letters, please."))
  }

  @Test func `makes notes and tasks of words, by turns, and empties the word`() throws {
    #expect(page["things/order"] == ["t1", "t2"])
    try page.perform("add")
    #expect(page["things/order"] == ["t1", "t2"], "nothing is added of nothing")
    for word in ["one", "two"] as [JSON] {
      try page.set("word", word)
      try page.perform("add")
    }
    #expect(page["word"] == "")
    #expect(page["things/items/t3"] == ["kind": "note", "text": "one"])
    #expect(page["things/items/t4"] == ["kind": "task", "text": "two", "isDone": false])
  }

  @Test func `turns the things around and removes them by key`() throws {
    try page.perform("reverse")
    #expect(page["things/order"] == ["t2", "t1"])
    try page.perform("remove", "t2")
    #expect(page["things/order"] == ["t1"])
  }

  @Test func `has so many things and no more, until one is removed`() throws {
    for count in 2..<ReferenceViewModel.mostThings {
      #expect(page["canAdd"] == true, "\(count) things")
      try page.set("word", "word")
      try page.perform("add")
    }
    try page.set("word", "last")
    #expect(page["canAdd"] == false)
    #expect(throws: SurfaceError.self) { try page.perform("add") }
    #expect(page["word"] == "last")
    try page.perform("remove", "t1")
    #expect(page["canAdd"] == true)
    try page.perform("add")
    #expect((page["canAdd"], page["word"]) == (false, ""))
  }

  @Test(arguments: ["word", "things/items/t2/text"])
  func `refuses a text that is too long, counted as a schema counts it`(path: String) throws {
    // One letter with many combining marks: a schema counts code points.
    let longest = "e" + String(repeating: "\u{301}", count: ShortText.longest - 1)
    try page.set(path, .string(longest))
    #expect(throws: SurfaceError.self) { try page.set(path, .string(longest + "\u{301}")) }
    #expect(page[path] == .string(longest))
  }

  @Test func `says the text of an action, or its members together`() throws {
    try page.perform("say", "hello")
    #expect(page["said"] == "hello")
    try page.perform("greet", ["how": "Hello", "whom": "you"])
    #expect(page["said"] == "Hello, you!")
    for wrong in [["how": "Hello"], ["how": "Hello", "whom": "you", "why": "so"], "Hello"] as [JSON] {
      #expect(throws: (any Error).self) { try page.perform("greet", wrong) }
    }
  }

  @Test func `shows forty of a thousand numbers at first`() throws {
    #expect(page["numbers/count"] == 1_000)
    #expect(page["numbers/items/40/name"] == "number 40")
    #expect(page["numbers/items/41"] == nil)
  }

  @Test func `counts to ten`() async throws {
    try page.perform("count")
    await page.settled()
    #expect(page["count/result"] == 10)
  }

  @Test func `hears of the device`() throws {
    try page.perform("appeared")
    try page.perform("rotated", 3)
    #expect((page["visits"], page["orientation"]) == (1, 3))
  }
}
