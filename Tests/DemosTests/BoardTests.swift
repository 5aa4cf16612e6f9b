// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(30))) struct `The board` {
  private static let name: JSON = ["board": "everyone"]
  private let anna: ModelDriver
  private let bert: ModelDriver

  init() throws {
    anna = try ModelDriver(scope: .room, params: Self.name) { BoardViewModel($0) }
    bert = try anna.member(nil)
  }

  private var order: JSON? { anna["cards/order"] }

  @Test func `shows everybody each card that one of them adds, changes, moves and removes`() throws {
    try anna.perform("add", ["column": "done", "text": "Buy lemonade"])
    #expect(bert["cards/items/4"] == ["text": "Buy lemonade", "column": "done", "here": ""])
    try bert.set("cards/items/4/text", "Buy water")
    try bert.perform("move", ["card": "4", "column": "todo", "before": "1"])
    #expect(order == ["4", "1", "2", "3"])
    #expect(anna["cards/items/4/text"] == "Buy water" && anna["cards/items/4/column"] == "todo")
    try anna.perform("move", ["card": "4", "column": "doing", "before": .null])
    #expect(order == ["1", "2", "3", "4"])
    try anna.perform("remove", "4")
    #expect(bert["cards/order"] == ["1", "2", "3"])
  }

  @Test func `leaves things as they are for a move of a card that is gone, or before itself`() throws {
    try anna.perform("move", ["card": "9", "column": "todo", "before": "1"])
    try anna.perform("move", ["card": "1", "column": "done", "before": "1"])
    try anna.perform("move", ["card": "1", "column": "todo", "before": "9"])
    #expect(order == ["2", "3", "1"])
  }

  @Test func `takes sixty cards and no more, and none without a text`() throws {
    try anna.perform("add", ["column": "todo", "text": ""])
    for number in 4...70 { try anna.perform("add", ["column": "todo", "text": .string("card \(number)")]) }
    #expect(anna["canAdd"] == false)
    guard case .array(let cards)? = order else { return #expect(Bool(false), "there is no list") }
    #expect(cards.count == BoardViewModel.mostCards)
  }

  @Test func `shows who is there, by the names that they give themselves, and at which card`() throws {
    anna.follow()
    bert.follow()
    try anna.perform("call", "Anna")
    try bert.perform("point", "2")
    guard case .array(let people)? = anna["people/order"], people.count == 2 else {
      return #expect(Bool(false), "two people are there")
    }
    #expect(bert["cards/items/2/here"] == "Guest")
    try bert.perform("call", "Bert")
    #expect(bert["cards/items/2/here"] == "Bert")
    bert.stopFollowing()
    anna.advance(by: .seconds(3))
    #expect(anna["cards/items/2/here"] == "")
    bert.follow()
    try bert.perform("point", "1")
    #expect(anna["cards/items/1/here"] == "Bert")
    try bert.perform("point", .string(String(repeating: "x", count: 9_000)))
    #expect(anna["cards/items/1/here"] == "")
    guard case .array(let keys)? = anna["people/order"], case .string(let last)? = keys.last else { return }
    #expect(anna["people/items/\(last)/card"] == .null)
  }

  @Test func `is searched by each person alone`() async throws {
    let finder = try anna.beside(params: Self.name) { CardFinder($0) }
    #expect(finder["count"] == .null)
    try finder.set("words", "A B")
    await finder.wait { $0["found"] == ["1"] }
    try bert.perform("add", ["column": "done", "text": "a bottle of water"])
    await finder.wait { $0["found"] == ["1", "4"] }
    #expect(finder["count"] == 2)
    #expect(anna.takeChanges() == ["cards/order", "cards/items/4"])
  }

  @Test func `comes back as it was`() throws {
    try anna.perform("add", ["column": "doing", "text": "Buy lemonade"])
    try anna.perform("remove", "1")
    let before = anna.state
    try anna.interrupt()
    #expect(anna.state == before)
    try anna.perform("add", ["column": "doing", "text": "Once more"])
    #expect(order == ["2", "3", "4", "5"])
  }
}
