// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A view model with stored variables: its own, and those of parts of each kind.
private final class Market: ViewModel {
  struct Closed: Error {}

  final class Till: ViewModel {
    var coins = 0
    static let surface = Surface<Till>("till", .stored("coins", \.coins))
  }

  final class Shelf: ViewModel {
    var count = 0
    func fail() throws {
      count += 1
      throw Closed()
    }
    static let surface = Surface<Shelf>("shelf", .action("fail", Shelf.fail), .stored("count", \.count))
  }

  var number = 0 { didSet { numbers.append(number) } }
  /// The assignments of the number.
  private(set) var numbers: [Int] = []
  let till = Till()
  let hidden = Till()
  @Observed(cutOff: .never) var guest: Till? = Till()
  let shelves = KeyedList<Shelf>()
  let mixed = KeyedList<any ViewModel>()

  init() {
    shelves.append(Shelf(), key: "1")
    mixed.append(Shelf(), key: "1")
  }

  private func count() {
    number += 1
    till.coins += 1
    hidden.coins += 1
    guest?.coins += 1
    for shelf in shelves.rows { shelf.count += 1 }
    for case let shelf as Shelf in mixed.rows { shelf.count += 1 }
  }

  var counts: [Int] {
    [
      number, till.coins, hidden.coins, guest?.coins ?? -1, shelves["1"]?.count ?? -1,
      (mixed["1"] as? Shelf)?.count ?? -1,
    ]
  }

  func add() { count() }
  func fail() throws {
    count()
    throw Closed()
  }
  func failAtOnce() throws { throw Closed() }

  static let surface = Surface<Market>(
    "market", .nested("till", \.till), .nested("guest", \.$guest), .list("shelves", \.shelves), .list("mixed", \.mixed),
    .action("add", Market.add), .action("fail", Market.fail), .action("failAtOnce", Market.failAtOnce),
    .stored("number", \.number), .stored("hidden", \.hidden))
}

/// The variables of a view model that are stored, and no part of its graph.
@Suite(.timeLimit(.minutes(30))) struct `A stored variable` {
  private let market: Market
  private let hosted: any HostedModel

  init() throws {
    hosted = try HostedModelType.hosting { Market() }.make(for: "a session")
    market = try #require(hosted.viewModel as? Market)
    try perform("add")
  }

  private func perform(_ action: String...) throws {
    _ = try hosted.apply(action.map { .perform($0.split(separator: "/").map(String.init), nil) }) { _ in }
  }

  @Test func `is put back when an action is undone, in whatever part it is`() throws {
    #expect(throws: ViewModelFailure.self) { try perform("fail") }
    #expect(market.counts == [1, 1, 1, 1, 1, 1])
    try perform("add")
    #expect(market.counts == [2, 2, 2, 2, 2, 2])
  }

  @Test func `is put back when a later action of a batch is undone`() throws {
    #expect(throws: ViewModelFailure.self) {
      try perform("add", "shelves/items/1/fail")
    }
    #expect(market.counts == [1, 1, 1, 1, 1, 1])
  }

  @Test func `is put back in a row that the undone action itself has had made`() throws {
    market.shelves.update(["1", "late"]) { _ in Market.Shelf() }
    #expect(throws: ViewModelFailure.self) { try perform("shelves/items/late/fail") }
    #expect(market.shelves["late"]?.count == 0)
  }

  @Test func `is assigned only if the action has changed it`() throws {
    #expect(throws: ViewModelFailure.self) { try perform("failAtOnce") }
    #expect(market.numbers == [1])
    #expect(throws: ViewModelFailure.self) { try perform("fail") }
    #expect(market.numbers == [1, 2, 1])
  }
}
