// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A bookcase that is filled by a command, one step before its `await` and one after.
private final class Bookcase: ViewModel {
  @Observed var count = 0
  @Observed var label = "new"
  @Observed var told = 0
  let books = KeyedList<Volume>()
  private let gate: Gate<String>

  init(_ gate: Gate<String>) {
    self.gate = gate
    $count.addObserver(
      Observer(self) { me, count in
        if count < 0 { throw Negative() }
        me.told += 1
      })
  }

  nonisolated(nonsending) func fill() async throws -> Int {
    label = "filling"
    let key = try await gate.pass()
    label = "filled"
    books.append(Volume(), key: key)
    return books.count
  }

  nonisolated(nonsending) func set(_ first: Int, _ run: CommandRun) async throws {
    label = "setting"
    _ = try await gate.pass()
    label = "set"
    count = first + 1
    count = first
    _ = try await gate.pass()
    label = "late"
  }

  nonisolated(nonsending) func put(_ value: Int) async throws { count = value }

  struct Negative: PresentableError {
    var type: String { "negative" }
    var detail: String { "a count is never negative" }
  }

  static let surface = Surface<Bookcase>(
    "bookcase", .value("count", \.$count), .value("label", \.$label), .value("told", \.$told),
    .list("books", \.books) { _, _ in Volume() },
    .command("fill", Bookcase.fill), .command("set", Bookcase.set), .command("put", Bookcase.put))
}

private final class Volume: ViewModel { static let surface = Surface<Volume>("book") }

@Suite(.timeLimit(.minutes(30))) struct `A step of a command` {
  private let gate = Gate<String>()
  private let model: ModelDriver

  init() throws { model = try ModelDriver { [gate] in Bookcase(gate) } }

  @Test func `is undone when a list gets a key twice, and its run fails`() async throws {
    for _ in 1...2 {
      try model.perform("fill")
      gate.open(with: "a")
      await model.settled()
    }
    #expect(model["label"] == "filling")
    #expect(model["books/order"] == ["a"])
    #expect(model["fill/error"] != .null)
    // The log calls the command and the list by their names on the surface.
    #expect(model.log.joined().contains("command fill of bookcase threw DuplicateKey: books (ViewModelsTests/"))
    #expect(model.log.joined().contains("expected a key that no other row has"))
  }

  @Test func `is one change: an observer is told of the last of its writes`() async throws {
    try model.perform("set", 5)
    gate.open(with: "")
    gate.open(with: "")
    await model.settled()
    #expect(model["count"] == 5)
    #expect(model["told"] == 1)
    #expect(model["label"] == "late")
  }

  @Test func `is undone when an observer throws, and its run fails with that error`() async throws {
    try model.perform("set", -1)
    gate.open(with: "")
    await model.settled()
    #expect(model["label"] == "setting")
    #expect(model["set/error"] == ["type": "negative", "detail": "a count is never negative"])
    #expect(model["set/executing"] == false)
    gate.open(with: "")
    try model.perform("set", 2)
    gate.open(with: "")
    await model.settled()
    #expect(model["count"] == 2)
    #expect(model["set/error"] == .null)
  }

  @Test func `belongs to the action, if it is the first: an error then refuses the action`() throws {
    #expect(throws: (any Error).self) { try model.perform("put", -1) }
    #expect(model["count"] == 0)
    #expect(model["put/executing"] == false)
    try model.perform("put", 3)
    #expect(model["count"] == 3)
  }
}
