// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `A key that another row has` {
  final class Cards: ViewModel {
    let cards = KeyedList<Shelf.Book>(name: "cards")
    let (append, insert, put) = (Observer<String>(), Observer<String>(), Observer<String>())

    init(_ keys: [String]) {
      for key in keys { cards.append(Shelf.Book("first"), key: key) }
      append.handle(self) { me, key in
        me.cards.append(Shelf.Book("second"), key: "new")
        me.cards.append(Shelf.Book("second"), key: key)
      }
      insert.handle(self) { me, key in me.cards.insert(Shelf.Book("second"), key: key, at: 0) }
      put.handle(self) { me, key in me.cards.put(Shelf.Book("second"), key: key, at: 0) }
    }

    static let surface = Surface<Cards>(
      "cards", .list("cards", \.cards), .action("append", \.append), .action("insert", \.insert), .action("put", \.put))
  }

  static let words =
    ": a row was added under the key 'b', and the list has a row with that key; expected a key that no other row has: "
    + "a row that is to take the place of the other is added with 'put(_:key:)'"

  @Test(arguments: ["append", "insert"]) func `fails the action that adds it, which changes nothing`(
    action: String
  ) throws {
    let cards = try ModelDriver { Cards(["a", "b"]) }
    let before = cards.state
    let error = #expect(throws: ViewModelFailure.self) { try cards.perform(action, "b") }
    #expect(error?.cause is DuplicateKey)
    let text = error.map { "\($0.cause)" } ?? ""
    #expect(
      text.hasPrefix("cards (ViewModelsTests/DuplicateKeyTests.swift:") && text.hasSuffix(Self.words), "got: \(text)")
    #expect(cards.state == before)
    try cards.perform(action, "c")
    #expect(cards["cards/items/c/title"] == "second")
  }

  @Test func `fails the making of the view model`() throws {
    let error = #expect(throws: ViewModelFailure.self) { try ModelDriver { Cards(["a", "b", "b"]) } }
    let text = error.map { "\($0.cause)" } ?? ""
    #expect(
      text.hasPrefix("cards (ViewModelsTests/DuplicateKeyTests.swift:") && text.hasSuffix(Self.words), "got: \(text)")
  }

  @Test func `is for a row that takes the place of the other`() throws {
    let cards = try ModelDriver { Cards(["a", "b"]) }
    try cards.perform("put", "b")
    #expect(cards["cards/order"] == ["b", "a"])
    #expect(cards["cards/items/b/title"] == "second")
  }

  @Test func `ends the process with a sentence outside of every transaction`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = KeyedList<Shelf.Book>(name: "cards")
      list.append(Shelf.Book("first"), key: "b")
      list.append(Shelf.Book("second"), key: "b")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(Self.words), "got: \(text)")
  }
}
