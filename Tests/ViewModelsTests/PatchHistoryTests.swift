// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Locking
import ObservableCore
import Recording
import Seeded
import Testing

@testable import ViewModels

/// A tree with everything that a surface can have, which changes at random.
final class Zoo: ViewModel {
  final class Animal: ViewModel {
    let name = Observable("")
    let secret = Observable("")
    let tags = KeyedList<Shelf.Book>()
    static let surface = Surface<Animal>(
      "animal", .twoWay("name", \.name), .secret("secret", \.secret), .list("tags", \.tags))
  }
  final class Plant: ViewModel {
    let height = Observable(0)
    static let surface = Surface<Plant>("plant", .twoWay("height", \.height))
  }

  struct Failure: Error {}
  let animals = KeyedList<Animal>()
  let mixed = KeyedList<any ViewModel>()
  let windowed = KeyedList<Animal>(window: 4)
  let keeper = Animal()
  let guest = Observable<Animal?>(nil, cutOff: .never)
  /// The first animal; `nil` while there is none, and an error while it has no name.
  let first: Computed<Animal?>
  let change = Observer<String>()
  /// Makes the changes of the last `change` again, which was undone.
  let again = Observer<String>()
  var generator: SeededGenerator
  private var generatorBefore: SeededGenerator
  private let hasSecrets: Bool

  init(seed: UInt64, hasSecrets: Bool = true) {
    self.hasSecrets = hasSecrets
    generator = SeededGenerator(seed: seed)
    generatorBefore = generator
    let animals = animals
    first = Computed(cutOff: CutOff { $0 === $1 }) {
      guard let first = animals.rows.first else { return nil }
      if first.name.value.isEmpty { throw Failure() }
      return first
    }
    again.handle(self) { zoo, value in
      zoo.generator = zoo.generatorBefore
      try zoo.change.invoke(value)
    }
    change.handle(self) { zoo, fails in
      zoo.generatorBefore = zoo.generator
      for _ in 0..<Int.random(in: 1...4, using: &zoo.generator) { zoo.changeSomething() }
      if fails == "fail" { throw Failure() }
    }
  }

  private func changeSomething() {
    let key = "k/\(Int.random(in: 0..<12, using: &generator))"
    let text = ["", "x", "y"].randomElement(using: &generator) ?? ""
    let secret = hasSecrets ? text : ""
    let index = { (count: Int) in Int.random(in: 0...count, using: &self.generator) }
    switch Int.random(in: 0..<24, using: &generator) {
    case 0: animals.put(Animal(), key: key)
    case 1: animals.remove(key)
    case 2: animals.put(Animal(), key: key, at: index(animals.count - (animals[key] == nil ? 0 : 1)))
    case 3: if !animals.isEmpty { animals.move(key, to: index(animals.count - 1)) }
    case 4: animals.update(animals.keys.shuffled(using: &generator)) { _ in Animal() }
    case 5: animals[key]?.name.value = text
    case 6: animals[key]?.secret.value = secret
    case 7: animals[key]?.tags.put(Shelf.Book(text), key: text + "~")
    case 8: mixed.put(Bool.random(using: &generator) ? Animal() : Plant(), key: key)
    case 9: mixed.remove(key)
    case 10: (mixed[key] as? Plant)?.height.value += 1
    case 11: windowed.update((0..<Int.random(in: 0..<20, using: &generator)).map { "w\($0)" }) { _ in Animal() }
    case 12: windowed.window?.value = ListWindow(first: index(15), count: index(5) + 1)
    case 13: windowed[windowed.keys.randomElement(using: &generator) ?? ""]?.name.value = text
    case 14: windowed.rows.randomElement(using: &generator)?.tags.put(Shelf.Book(text), key: text)
    case 15: windowed.rows.randomElement(using: &generator)?.tags.removeAll()
    case 16: windowed.sort { $0.name.value > $1.name.value }
    case 17: windowed.remove("w\(index(5))")
    case 18: windowed[windowed.keys.first ?? ""]?.secret.value = secret
    case 19: animals[key].map { mixed.put($0, key: text) }
    case 20: guest.value = animals[key]
    case 21: keeper.tags.put(Shelf.Book(text), key: key)
    case 22: keeper.tags.rows.randomElement(using: &generator)?.title.value += "!"
    case 23: guest.value = Bool.random(using: &generator) ? Animal() : nil
    default:
      guest.value?.name.value = text
      keeper.secret.value = secret
    }
  }

  static let surface = Surface<Zoo>(
    "zoo", .list("animals", \.animals), .list("mixed", \.mixed), .list("windowed", \.windowed, hasWindow: true),
    .nested("keeper", \.keeper), .nested("again", \.keeper), .nested("guest", \.guest), .nested("first", \.first),
    .action("change", \.change), .action("repeat", \.again))

}

/// The number of runs that are under way.
final class RunCount: CommandRunWatcher {
  private(set) var running = 0
  func runDidBegin(_ run: CommandRun) { running += 1 }
  func runDidEnd(_ run: CommandRun, _ error: (any Error)?) { running -= 1 }
}

@Suite struct `The patch from any revision` {
  /// The seed of a walk; EURIPUS_SEED moves all of them.
  private static func seed(_ number: UInt64) -> UInt64 {
    number &+ (ProcessInfo.processInfo.environment["EURIPUS_SEED"].flatMap(UInt64.init) ?? 0)
  }

  /// Records a message for the referee, which takes a walk for a session.
  private static func record(_ walk: Int, _ message: JSON) {
    guard let recorder = Recorder.current else { return }
    var writer = JSONWriter()
    writer.json(message)
    recorder.message(writer.bytes, of: walk)
  }

  private actor Place {}

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `has nothing of a change that would have made the state longer than it may be`(seed: UInt64) throws {
    let seed = Self.seed(seed)
    // Secrets count for the limit, and are no part of the length.
    let model = try hosted { Zoo(seed: seed, hasSecrets: false) }
    // It gets the same changes, and has no limit.
    let free = try hosted { Zoo(seed: seed, hasSecrets: false) }
    var generator = SeededGenerator(seed: seed)
    var (revision, freeRevision): (UInt64, UInt64) = (1, 1)
    var refusals = 0
    var text = model.stateText
    for step in 0..<200 {
      let length = model.stateLength
      try free.perform("change", "")
      if free.stamp(freeRevision + 1) { freeRevision += 1 }
      // The limit is the length after the change, or one less.
      model.stateLimit = free.stateLength - (Bool.random(using: &generator) ? 1 : 0)
      let mayGrow = free.stateLength <= model.stateLimit || free.stateLength <= length
      do {
        try model.perform("change", "")
        try #require(mayGrow, "seed \(seed) step \(step): \(free.stateLength) of \(model.stateLimit) passed")
      } catch SurfaceError.stateTooLong(let would, let limit) {
        try #require(!mayGrow && would == free.stateLength && limit == model.stateLimit, "seed \(seed) step \(step)")
        try #require(model.stateText == text, "seed \(seed) step \(step): a refused change left traces")
        try #require(!model.stamp(revision + 1), "seed \(seed) step \(step): a refused change is a revision")
        refusals += 1
        // The free one has changed, so the other makes the same change now, without a limit.
        model.stateLimit = .max
        try model.perform("repeat", "")
      }
      if model.stamp(revision + 1) { revision += 1 }
      text = model.stateText
      let (present, others) = (try JSONReader.read(text), try free.state)
      try #require(present == others, "seed \(seed) step \(step)")
      try #require(model.stateLength == text.count, "seed \(seed) step \(step)")
    }
    #expect(refusals > 20)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `takes the state of that revision to the present one, whatever happened in between`(seed: UInt64) throws {
    let seed = Self.seed(seed)
    let model = try hosted { Zoo(seed: seed) }
    let zoo = try #require(model as? Hosted<Zoo>)
    var revision: UInt64 = 1
    var present = try model.state
    var states = [revision: present]
    let walk = TestObservation.number()
    Self.record(walk, ["version": "zoo.1", "state": present])
    var generator = SeededGenerator(seed: seed)
    let (place, watcher, told) = (Place(), RunCount(), Locked(0))
    model.live(in: place, runWatcher: watcher) { told.withLock { $0 += 1 } }
    for step in 0..<150 {
      let fails = Int.random(in: 0..<6, using: &generator) == 0
      let before = present
      // Outside of an action, as a command writes after a suspension.
      let isOutside = Bool.random(using: &generator)
      func change(_ argument: String) throws {
        if !isOutside { return try model.perform("change", .string(argument)) }
        try zoo.graph.enter { try transaction(.undo) { try zoo.model.change.invoke(argument) } }
      }
      do { try change(fails ? "fail" : "") } catch { #expect(fails) }
      // Several transactions may make one revision.
      if !fails, Bool.random(using: &generator) { try change("") }
      let isOther = model.stamp(revision + 1)
      let timesTold = told.withLock { told in
        defer { told = 0 }
        return told
      }
      // After an action nobody is told: its caller looks itself for a new state.
      let isRight = !isOutside ? timesTold == 0 : isOther ? timesTold == 1 : timesTold < 2
      try #require(isRight, "seed \(seed) step \(step): told \(timesTold) times")
      let text = model.stateText
      present = try JSONReader.read(text)
      try #require(model.stateLength == text.count, "seed \(seed) step \(step)")
      if fails { try #require(!isOther && present == before, "seed \(seed) step \(step): a failed action left traces") }
      try #require(isOther || present == before, "seed \(seed) step \(step): a change without a revision")
      if isOther { revision += 1 }
      states[revision] = present
      Self.record(walk, ["version": .string("zoo.\(revision)"), "state": present])
      for since in Set([revision, max(1, revision - 1), UInt64.random(in: 1...revision, using: &generator)]) {
        guard let past = states[since] else { continue }
        let patch = try model.patch(since: since)
        Self.record(
          walk, ["from": .string("zoo.\(since)"), "to": .string("zoo.\(revision)"), "patch": patch])
        let reached = try past.applying([PatchOperation](json: patch))
        try #require(reached == present, "seed \(seed) step \(step) since \(since): \(patch)")
      }
    }
    #expect(revision > 75)
  }
}

@Suite struct `The steps from one order to another` {
  @Test func `lead there, and are the least: all but a longest increasing subsequence move`() throws {
    var generator = SeededGenerator(seed: 20_261_121)
    for round in 0..<2_000 {
      let old = (0..<Int.random(in: 0..<8, using: &generator)).map { "\($0)" }.shuffled(using: &generator)
      let new = (0..<Int.random(in: 0..<8, using: &generator)).map { "\($0)" }.shuffled(using: &generator)
      let steps = try #require(OrderDifference(from: old, to: new, limit: 100)).steps
      var present = old
      for step in steps {
        switch step {
        case .remove(let index): present.remove(at: index)
        case .add(let key, let index): present.insert(key, at: index)
        case .move(let from, let to): present.insert(present.remove(at: from), at: to)
        }
      }
      #expect(present == new, "round \(round): \(old) to \(new) by \(steps)")
      let kept = new.filter(old.contains)
      let moves = steps.count - (old.count - kept.count) - (new.count - kept.count)
      #expect(moves == kept.count - Self.longestOrdered(kept.compactMap(old.firstIndex)), "round \(round)")
    }
  }

  /// The length of a longest increasing subsequence, by trying every one.
  private static func longestOrdered(_ values: [Int]) -> Int {
    (0..<(1 << values.count)).map { mask in
      let chosen = values.indices.filter { mask & (1 << $0) != 0 }.map { values[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy(<) ? chosen.count : 0
    }.max() ?? 0
  }

  @Test func `are not given where they are too many`() {
    let old = (0..<100).map(String.init)
    #expect(OrderDifference(from: old, to: old.reversed(), limit: 98) == nil)
    #expect(OrderDifference(from: old, to: old.reversed(), limit: 99)?.steps.count == 99)
  }
}
