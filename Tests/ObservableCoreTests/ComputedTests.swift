// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `A computed` {
  struct Failure: Error, Equatable {}

  @Test func `runs when it is first read, and again only when an input has changed`() {
    var runs = 0
    let a = Observable(1)
    let double = Computed {
      runs += 1
      return a.value * 2
    }
    #expect(runs == 0)
    #expect((double.value, double.value, runs) == (2, 2, 1))
    a.value = 1
    #expect((double.value, runs) == (2, 1))
    a.value = 3
    #expect(runs == 1)
    #expect((double.value, runs) == (6, 2))
  }

  @Test func `S0-D2 finds its inputs anew at each run`() {
    var runs = 0
    let isShort = Observable(true)
    let short = Observable("s")
    let long = Observable("long")
    let name = Computed {
      runs += 1
      return isShort.value ? short.value : long.value
    }
    let told = Log<String>()
    name.addObserver(told.observer)
    long.value = "longer"
    #expect(runs == 1)
    isShort.value = false
    short.value = "x"
    long.value = "longest"
    #expect(told.values == ["longer", "longest"])
    #expect(runs == 3)
  }

  @Test func `S0-D2 a diamond runs each formula once, and nobody sees one side old`() {
    var runs = 0
    let source = Observable(1)
    let left = Computed { source.value * 10 }
    let right = Computed { source.value * 100 }
    let both = Computed {
      runs += 1
      return [source.value, left.value, right.value]
    }
    let told = Log<[Int]>()
    both.addObserver(told.observer)
    source.value = 2
    #expect(told.values == [[2, 20, 200]])
    #expect(runs == 2)
  }

  @Test func `an equal result stops the change`() {
    var runs = 0
    let n = Observable(1)
    let isOdd = Computed { n.value % 2 == 1 }
    let text = Computed {
      runs += 1
      return isOdd.value ? "odd" : "even"
    }
    let told = Log<String>()
    text.addObserver(told.observer)
    n.value = 3
    n.value = 5
    #expect((runs, told.values) == (1, []))
    n.value = 6
    #expect((runs, told.values) == (2, ["even"]))
  }

  @Test func `is fresh in a body, and one that comes back to what it was tells nobody`() throws {
    let a = Observable(1)
    let double = Computed { a.value * 2 }
    let told = Log<Int>()
    double.addObserver(told.observer)
    try transaction {
      a.value = 2
      #expect(double.value == 4)
      a.value = 1
    }
    #expect(told.values == [])
    #expect(double.value == 2)
    try transaction {
      a.value = 2
      #expect(double.value == 4)
      a.value = 3
    }
    #expect(told.values == [6])
  }

  @Test func `is again what it was after a body that throws`() throws {
    let a = Observable(1)
    let double = Computed { a.value * 2 }
    let quadruple = Computed { double.value * 2 }
    let told = Log<Int>()
    quadruple.addObserver(told.observer)
    #expect(throws: Failure()) {
      try transaction {
        a.value = 5
        #expect(quadruple.value == 20)
        throw Failure()
      }
    }
    #expect((double.value, quadruple.value, told.values) == (2, 4, []))
    a.value = 2
    #expect(told.values == [8])
  }

  @Test func `is again what it was after an undone transaction that had settled`() throws {
    let a = Observable(1)
    let double = Computed { a.value * 2 }
    let quadruple = Computed { double.value * 2 }
    let sum = ObservableCombiner<Int>(.every, 0)
    sum.combine(quadruple).handle { $0 + 1 }
    let told = Log<Int>()
    quadruple.addObserver(told.observer)
    var isFailing = true
    sum.addObserver(Observer { _ in if isFailing { throw Failure() } })
    #expect(throws: Failure()) { try transaction(.undo) { a.value = 5 } }
    #expect((double.value, quadruple.value, sum.value, told.values) == (2, 4, 0, [20]))
    isFailing = false
    a.value = 1
    #expect(told.values == [20])
    a.value = 2
    #expect((told.values, sum.value) == ([20, 8], 9))
  }

  @Test func `keeps an error like a value, and says it once to the caller`() throws {
    var runs = 0
    let a = Observable(1)
    let checked = Computed {
      runs += 1
      if a.value < 0 { throw Failure() }
      return a.value
    }
    let next = Computed { try checked.get() + 1 }
    let told = Log<Int>()
    next.addObserver(told.observer)
    #expect(throws: Failure()) { try a.set(-1) }
    #expect(throws: Failure()) { try next.get() }
    #expect(throws: Failure()) { try checked.get() }
    #expect(runs == 2)
    try a.set(1)
    #expect((told.values, runs) == ([2], 3))
  }

  @Test func `one that reads itself finds a cycle, by name`() {
    let gate = Observable(false)
    var later: Computed<Int>?
    let a = Computed(name: "a") { gate.value ? try later?.get() ?? 0 : 0 }
    let b = Computed(name: "b") { try a.get() + 1 }
    later = b
    #expect(b.value == 1)
    gate.value = true
    let failure = #expect(throws: ObservableError.self) { try b.get() }
    guard case .cycle(let names) = failure else {
      Issue.record("expected a cycle, got \(String(describing: failure))")
      return
    }
    #expect(names.map { String($0.prefix(2)) } == ["b ", "a "])
    gate.value = false
    #expect(b.value == 1)
    later = nil
  }

  @Test func `must not write`() {
    let a = Observable(1)
    let bad = Computed {
      try a.set(2)
      return 0
    }
    #expect(throws: ObservableError.self) { try bad.get() }
    #expect(a.value == 1)
  }

  @Test func `must not write in a transaction of its own either`() {
    let a = Observable(1)
    let bad = Computed {
      try transaction { a.value == 1 ? try a.set(2) : () }
      return 0
    }
    #expect(throws: ObservableError.self) { try bad.get() }
    #expect(a.value == 1)
  }

  @Test func `a read that is untracked is no input`() {
    let a = Observable(1)
    let b = Observable(10)
    let sum = Computed { a.value + untracked { b.value } }
    #expect(sum.value == 11)
    b.value = 20
    #expect(sum.value == 11)
    a.value = 2
    #expect(sum.value == 22)
  }

  @Test func `an input of a combiner notifies like any other`() {
    let a = Observable(1)
    let double = Computed { a.value * 2 }
    let text = ObservableCombiner<String>(.every, "")
    text.combine(double).combine(a).handle { "\($0) \($1)" }
    let told = Log<String>()
    text.addObserver(told.observer)
    a.value = 2
    #expect(told.values == ["4 2"])
  }
}
