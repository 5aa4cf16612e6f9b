// SPDX-License-Identifier: MIT
import ObservableCore
import Seeded
import Testing

@Suite struct `A transaction` {
  struct Failure: Error, Equatable { var name: String }

  @Test func `S0-D3 runs each handler at most once and tells each observer at most once`() throws {
    let username = Observable("")
    let password = Observable("")
    var runs = 0
    let enabled = ObservableCombiner<Bool>(.every, false)
    enabled.combine(username).combine(password).handle {
      runs += 1
      return !$0.isEmpty && !$1.isEmpty
    }
    let told = Log<Bool>()
    enabled.addObserver(told.observer)
    try transaction {
      username.value = "a"
      username.value = "ab"
      password.value = "b"
    }
    #expect(runs == 1)
    #expect(told.values == [true])
  }

  @Test func `a write that is taken back notifies nobody`() throws {
    let told = Log<Int>()
    let count = Observable(1)
    count.addObserver(told.observer)
    try transaction {
      count.value = 2
      count.value = 1
    }
    #expect(told.values == [])
  }

  @Test func `nothing runs before the body is over, and the body reads what it wrote`() throws {
    let told = Log<Int>()
    let count = Observable(0)
    let double = ObservableCombiner<Int>(.every, 0)
    double.combine(count).handle { $0 * 2 }
    double.addObserver(told.observer)
    let result = try transaction {
      count.value = 4
      #expect(count.value == 4)
      #expect(double.value == 0)
      #expect(told.values == [])
      return "done"
    }
    #expect(result == "done")
    #expect(double.value == 8)
    #expect(told.values == [8])
  }

  @Test func `observers see a settled graph: a diamond never shows one side old`() {
    let source = Observable(1)
    let tens = ObservableCombiner<Int>(.every, 10)
    let hundreds = ObservableCombiner<Int>(.every, 100)
    tens.combine(source).handle { $0 * 10 }
    hundreds.combine(source).handle { $0 * 100 }
    var pairs: [[Int]] = []
    for observable in [source, tens, hundreds] {
      observable.addObserver(Observer { _ in pairs.append([source.value, tens.value, hundreds.value]) })
    }
    source.value = 2
    #expect(pairs == [[2, 20, 200], [2, 20, 200], [2, 20, 200]])
  }

  @Test func `a body that throws changes nothing and tells nobody`() {
    let told = Log<Int>()
    let count = Observable(1)
    count.addObserver(told.observer)
    #expect(throws: Failure(name: "body")) {
      try transaction {
        count.value = 2
        throw Failure(name: "body")
      }
    }
    #expect(count.value == 1)
    #expect(told.values == [])
    count.value = 3
    #expect(told.values == [3])
  }

  @Test func `a handler that throws does not stop the others, and its error reaches the caller`() {
    let told = Log<Int>()
    let count = Observable(0)
    count.addObserver(Observer { _ in throw Failure(name: "first") })
    count.addObserver(told.observer)
    #expect(throws: Failure(name: "first")) { try count.set(1) }
    #expect(count.value == 1)
    #expect(told.values == [1])
    #expect(throws: Failure(name: "first")) { try count.set(2) }
    #expect(told.values == [1, 2])
  }

  @Test func `the errors of several handlers all reach the caller, in order`() {
    let count = Observable(0)
    count.addObserver(Observer { _ in throw Failure(name: "first") })
    count.addObserver(Observer { _ in throw Failure(name: "second") })
    let failure = #expect(throws: ObservableError.self) { try count.set(1) }
    guard case .several(let errors) = failure else {
      Issue.record("expected several, got \(String(describing: failure))")
      return
    }
    #expect(errors.map { ($0 as? Failure)?.name } == ["first", "second"])
  }

  @Test func `a combiner that throws keeps its value and runs again at the next notification`() throws {
    let count = Observable(0)
    let checked = ObservableCombiner<Int>(.every, 0)
    checked.combine(count).handle { value in
      if value == 1 { throw Failure(name: "one") }
      return value
    }
    #expect(throws: Failure(name: "one")) { try count.set(1) }
    #expect(checked.value == 0)
    try count.set(2)
    #expect(checked.value == 2)
  }

  @Test func `with undo, a handler that throws takes every value back, and the strategies too`() throws {
    let a = Observable(0)
    let b = Observable(0)
    let sum = ObservableCombiner<Int>(.every, 0)
    sum.combine(a).combine(b).handle { $0 + $1 }
    let first = ObservableCombiner<Int?>(.first)
    first.combine(a).handle { $0 }
    let all = ObservableCombiner<Int?>(.all)
    all.combine(a).combine(b).handle { $0 + $1 }
    var isFailing = true
    let later = Log<Int>()
    sum.addObserver(Observer { _ in if isFailing { throw Failure(name: "undo") } })
    sum.addObserver(later.observer)

    #expect(throws: Failure(name: "undo")) {
      try transaction(.undo) {
        a.value = 1
        b.value = 1
      }
    }
    #expect((a.value, b.value, sum.value, first.value, all.value) == (0, 0, 0, nil, nil))
    #expect(later.values == [])

    isFailing = false
    try transaction(.undo) { a.value = 5 }
    #expect((a.value, sum.value, first.value, all.value) == (5, 5, 5, nil))
    #expect(later.values == [5])
    try transaction(.undo) { b.value = 6 }
    #expect((sum.value, first.value, all.value) == (11, 5, 11))
  }

  @Test func `a transaction within another joins it`() throws {
    let told = Log<Int>()
    let count = Observable(0)
    count.addObserver(told.observer)
    try transaction {
      try transaction { count.value = 1 }
      #expect(told.values == [])
      count.value = 2
    }
    #expect(told.values == [2])
  }

  @Test func `a watcher is told once of a transaction that changed the value, and not of one that did not`() throws {
    final class Dirty: Watcher {
      var tags: [Int] = []
      func nodeDidChange(_ tag: Int) { tags.append(tag) }
    }
    let dirty = Dirty()
    let a = Observable(0)
    let b = Observable(0)
    a.watch(dirty, tag: 1)
    b.watch(dirty, tag: 2)
    // b comes back to its old value while the graph settles.
    a.addObserver(Observer { _ in b.value = 1 })
    b.addObserver(Observer { _ in b.value = 0 })
    try transaction {
      a.value = 1
      a.value = 2
    }
    #expect(b.value == 0)
    #expect(dirty.tags == [1])
  }

  @Test func `random graphs settle to what a plain recomputation gives`() throws {
    let seed: UInt64 = 20_210_404
    var generator = SeededGenerator(seed: seed)
    for round in 0..<200 {
      let sources = (0..<Int.random(in: 1...4, using: &generator)).map { Observable($0) }
      var nodes: [Observable<Int>] = sources
      var formulas: [[Int]] = sources.map { _ in [] }
      var runs = [Int](repeating: 0, count: 0)
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let picked = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          Int.random(in: 0..<nodes.count, using: &generator)
        }
        // No formula gives -1, so each combiner changes in the first round.
        let combiner = ObservableCombiner<Int>(.every, -1)
        let slot = runs.count
        runs.append(0)
        let inputs = picked.map { nodes[$0] }
        for input in inputs {
          combiner.combine(input).handle { _ in
            runs[slot] += 1
            return inputs.reduce(1) { ($0 &* 31 &+ $1.value) % 17 }
          }
        }
        formulas.append(picked)
        nodes.append(combiner)
      }
      func expected() -> [Int] {
        var values = sources.map(\.value)
        for picked in formulas.dropFirst(sources.count) {
          values.append(picked.reduce(1) { ($0 &* 31 &+ values[$1]) % 17 })
        }
        return values
      }
      // Brings every combiner to its formula's value.
      try transaction { for source in sources { source.value += 100 } }
      for _ in 0..<20 {
        for slot in runs.indices { runs[slot] = 0 }
        try transaction {
          for source in sources where Bool.random(using: &generator) {
            source.value = Int.random(in: 0..<4, using: &generator)
          }
        }
        let actual = nodes.map(\.value)
        #expect(actual == expected(), "seed \(seed) round \(round)")
        #expect(runs.allSatisfy { $0 <= 1 }, "seed \(seed) round \(round)")
      }
    }
  }
}
