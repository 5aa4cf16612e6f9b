// SPDX-License-Identifier: MIT
import Seeded
import Testing

@testable import Sessions
@testable import Storing

/// The plain twin of the memory: a list of all requests that ever came.
private struct PlainMemory {
  struct Entry {
    let request: KeyedRequest
    var answer: KeptAnswer?
    var isAtWork: Bool
  }

  var entries: [Entry] = []

  func decision(on request: KeyedRequest) -> KeyMemory.Decision {
    if case .numbered(let name, let number) = request.key {
      let last =
        entries.compactMap { entry -> UInt64? in
          if case .numbered(name, let number) = entry.request.key { number } else { nil }
        }.max() ?? 0
      if number < last { return .decided }
      if number > last + 1 { return .refused(.outOfOrder(expected: last + 1)) }
    }
    guard let entry = entries.last(where: { $0.request.key == request.key }) else { return .new }
    if entry.request != request { return .refused(.reused) }
    return entry.answer.map { .answered($0) } ?? .atWork
  }
}

@Suite struct `The memory of keys, whatever comes` {
  static let seed = SeededGenerator.seed

  private func key(_ generator: inout SeededGenerator) -> String {
    Bool.random(using: &generator)
      ? "text \(Int.random(in: 0..<40, using: &generator))".replacing(" ", with: "-")
      : "name\(Int.random(in: 0..<4, using: &generator))/\(Int.random(in: 1...12, using: &generator))"
  }

  @Test func `agrees with a list of all requests that ever came`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    for _ in 0..<200 {
      var driven = Driven(KeyMemory.Limits(keys: 1_000, names: 64, bytes: 1 << 24))
      var plain = PlainMemory()
      for _ in 0..<200 {
        let body = ["", "", "", "x"].randomElement(using: &generator) ?? ""
        let request = try Driven.request(key(&generator), body)
        if Int.random(in: 0..<8, using: &generator) == 0,
          let index = plain.entries.indices.filter({ plain.entries[$0].isAtWork }).randomElement(using: &generator)
        {
          let answer = Driven.answer("late \(index)")
          driven.memory.answer(plain.entries[index].request, answer, now: driven.now)
          plain.entries[index].answer = answer
          plain.entries[index].isAtWork = false
        }
        let decision = driven.memory.decision(on: request, now: driven.now)
        #expect(decision == plain.decision(on: request), "seed \(Self.seed), \(request.key)")
        guard decision == .new else { continue }
        let answer = Int.random(in: 0..<4, using: &generator) == 0 ? nil : Driven.answer("\(request.key)")
        driven.memory.remember(request, answer, isAtWork: answer == nil, now: driven.now)
        plain.entries.append(.init(request: request, answer: answer, isAtWork: answer == nil))
      }
    }
  }

  @Test func `keeps within its limits, and takes no request for new that it remembers`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    for _ in 0..<100 {
      let limits = KeyMemory.Limits(keys: 8, names: 3, bytes: 4_000, age: .seconds(50))
      var driven = Driven(limits)
      var decided: [(key: IdempotencyKey, at: ContinuousClock.Instant)] = []
      for _ in 0..<300 {
        driven.now += .seconds(Int.random(in: 0...5, using: &generator))
        let text = key(&generator)
        let request = try Driven.request(text)
        let decision = try driven.send(
          text, answering: String(repeating: "x", count: Int.random(in: 0...2_500, using: &generator)))
        #expect(driven.memory.textCount <= 8 && driven.memory.nameCount <= 3 && driven.memory.bytes <= 4_000)
        guard decision == .new else { continue }
        if case .text = request.key {
          let lately = decided.suffix(8).filter { driven.now - $0.at < limits.age }
          #expect(!lately.contains { $0.key == request.key }, "seed \(Self.seed), \(text)")
          decided.append((request.key, driven.now))
        }
      }
    }
  }
}
