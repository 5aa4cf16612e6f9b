import Euripus

/// Things to buy: the state of the page, its rules and its actions.
final class ShoppingList: ViewModel {
  /// Keeps the lines of the list somewhere, and says where.
  typealias KeepCopy = nonisolated(nonsending) @Sendable ([String]) async throws -> String

  lazy var thing = Field(self, "")
  lazy var count = Field<Int?>(self, 1)
  let items = KeyedList<Item>()
  lazy var left = Computed(self) { $0.items.rows.count { !$0.isBought } }
  lazy var canKeep = Computed(self) { !$0.items.rows.isEmpty }
  private var lastKey = 0
  private let keepCopy: KeepCopy

  init(keepCopy: @escaping KeepCopy) { self.keepCopy = keepCopy }

  func add() {
    guard checkFields(), let count = count.value else { return }
    let name = thing.value
    guard !items.rows.contains(where: { $0.name == name }) else {
      return thing.refuse("\(name) is on the list already")
    }
    lastKey += 1
    items.append(Item(name, count), key: "\(lastKey)")
    thing.reset()
    self.count.reset()
  }

  func remove(_ key: String) { items.remove(key) }

  func keep() async throws -> String { try await keepCopy(items.rows.map(\.line)) }

  static let surface = Surface<ShoppingList>(
    "shopping",
    .field("thing", \.thing, .required, .length(...60)),
    .field("count", \.count, .required, .range(1...99)),
    .list("items", \.items) { _, _ in Item("", 1) },
    .stored("lastKey", \.lastKey),
    .value("left", \.left),
    .action("add", ShoppingList.add),
    .action("remove", ShoppingList.remove),
    .command("keep", ShoppingList.keep, when: \.canKeep))
}

/// One thing on the list.
final class Item: ViewModel {
  @Observed var name: String
  @Observed var count: Int
  @Observed var isBought = false

  init(_ name: String, _ count: Int) { (self.name, self.count) = (name, count) }

  var line: String { "\(isBought ? "[x]" : "[ ]") \(count) × \(name)" }

  static let surface = Surface<Item>(
    "item", .value("name", \.$name), .value("count", \.$count), .twoWay("isBought", \.$isBought))
}
