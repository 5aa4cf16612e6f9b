import Euripus
import EuripusTesting
import Testing

@testable import Starter

/// The first kind of test: a view model, without a server.
@Suite struct `A shopping list` {
  private func list() throws -> ModelDriver { try ModelDriver { ShoppingList { _ in "list.txt" } } }

  @Test func `adds what was typed, and counts what is left`() throws {
    let list = try list()
    try list.set("thing/value", "Milk")
    try list.set("count/value", 2)
    try list.perform("add")
    #expect(list["items/items/1"] == ["name": "Milk", "count": 2, "isBought": false])
    #expect(list["thing/value"] == "")
    try list.set("items/items/1/isBought", true)
    #expect(list["left"] == 0)
    try list.perform("remove", "1")
    #expect(list["items/order"] == [])
  }

  @Test func `adds nothing where a rule is broken, and says which`() throws {
    let list = try list()
    try list.set("count/value", 100)
    try list.perform("add")
    #expect(list["items/order"] == [])
    #expect(list["thing/error"] == "This is needed")
    #expect(list["count/error"] == "From 1 to 99")
  }

  @Test func `has each thing once`() throws {
    let list = try list()
    for _ in 1...2 {
      try list.set("thing/value", "Milk")
      try list.perform("add")
    }
    #expect(list["items/order"] == ["1"])
    #expect(list["thing/error"] == "Milk is on the list already")
  }

  @Test func `is kept, and says where, or why not`() async throws {
    let keep = Scripted<String>("keep", .fails(NotKept()), .returns("list-1.txt"))
    let list = try ModelDriver { ShoppingList { _ in try await keep() } }
    #expect(throws: SurfaceError.self) { try list.perform("keep") }
    try list.set("thing/value", "Milk")
    try list.perform("add")
    try list.perform("keep")
    await list.settled()
    #expect(list["keep/error/type"] == "not-kept")
    try list.perform("keep")
    await list.settled()
    #expect(list["keep/result"] == "list-1.txt")
    keep.expectAllTaken()
  }

  @Test func `is the same after a restart`() async throws {
    try await expectRestorable { ShoppingList { _ in "list.txt" } }
  }
}
