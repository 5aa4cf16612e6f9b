// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@Suite struct `Changes of a hosted model` {
  final class Tally: ViewModel {
    @Observed var count = 0
    @Observed var isOpen = true

    struct Failure: Error {}

    func add(_ number: Int) { count += number }
    func fail() throws { throw Failure() }

    static let surface = Surface<Tally>(
      "tally", .twoWay("count", \.$count), .twoWay("isOpen", \.$isOpen), .action("add", Tally.add, when: \.isOpen),
      .action("fail", Tally.fail))
  }

  private let model: any HostedModel

  init() throws { model = try hosted { Tally() } }

  /// The refusals of the changes.
  private func refusals(_ changes: [Change]) -> [String] {
    do {
      try model.apply(changes) { _ in }
      return []
    } catch let refused as ChangesRefused {
      return refused.refusals.map { "\($0.index): \($0.error)" }
    } catch { return ["\(error)"] }
  }

  @Test func `each find the results of the ones before them`() throws {
    var told: [Int] = []
    try model.apply([.set("count", 1), .perform("add", 2), .set("isOpen", false)]) { told.append($0) }
    #expect(try model.shown == ["count": 3, "isOpen": false])
    #expect(told == [0, 1, 2])
  }

  @Test func `are all made or none`() throws {
    #expect(
      refusals([.set("isOpen", false), .perform("add", 1)]) == ["1: 'add' is disabled now by the view model"])
    #expect(try model.shown == ["count": 0, "isOpen": true])
    #expect(throws: ViewModelFailure.self) { try model.apply([.perform("add", 1), .perform("fail")]) { _ in } }
    #expect(try model.shown == ["count": 0, "isOpen": true])
  }

  @Test func `are refused with the faults of those after the first`() {
    let refused = refusals([.perform("add", 1), .set("count", "many"), .cancel("add"), .perform("add", 1)])
    #expect(refused == ["1: expected integer, got string", "2: 'add' is no command, and cannot be cancelled"])
  }

  @Test func `that are one are refused as one, and told of before it is made`() throws {
    #expect(refusals([.set("count", "many")]) == ["0: expected integer, got string"])
    #expect(throws: SurfaceError.self) { try model.apply(.set("count", "many")) }
    var told: [Int] = []
    try model.apply([.perform("add", 2)]) { told.append($0) }
    #expect(try model.shown["count"] == 2)
    #expect(told == [0])
  }

  @Test func `that make the state too long are refused as a whole`() throws {
    _ = model.stamp(1)
    model.stateLimit = model.stateLength
    #expect(throws: SurfaceError.self) { try model.apply([.perform("add", 1), .perform("add", 99)]) { _ in } }
    #expect(
      refusals([.perform("add", 99)]) == [
        "the state would have \(model.stateLength + 1) bytes; it may have \(model.stateLength)"
      ])
    #expect(try model.shown == ["count": 0, "isOpen": true])
    // In between, the state may be too long.
    try model.apply([.set("count", 99), .set("count", 5)]) { _ in }
  }

  @Test func `that can only be refused are found without making any`() throws {
    let faults = model.faults(of: [.perform("add", 1), nil, .set("nope", 1), .perform("add")])
    #expect(faults.map(\.index) == [2, 3])
    #expect(try model.shown == ["count": 0, "isOpen": true])
  }
}

@Suite struct `A decorated type` {
  final class Empty: ViewModel {
    static let surface = Surface<Empty>("empty")
  }

  @Test func `is told of each session, and whether that is restored, around the making of the view model`() throws {
    let told = Locked<[String]>([])
    let type = HostedModelType.hosting(durability: .relaxed) { () -> Empty in
      told.withLock { $0.append("made") }
      return Empty()
    }
    .decorated { session, isRestored, make in
      told.withLock { $0.append("\(session.id) \(isRestored)") }
      defer { told.withLock { $0.append("over") } }
      return try make()
    }
    _ = try type.make(for: "one")
    _ = try type.restore([:], schema: 1, for: "two")
    #expect(told.withLock { $0 } == ["one false", "made", "over", "two true", "made", "over"])
    #expect(type.name == "empty")
    #expect(type.durability == .relaxed)
  }

  @Test func `may refuse to make`() {
    struct Refused: Error {}
    let type = HostedModelType.hosting { Empty() }.decorated { _, _, _ in throw Refused() }
    #expect(throws: Refused.self) { try type.make(for: "one") }
  }
}
