// SPDX-License-Identifier: MIT
import Testing

@testable import ObservableCore

@Suite struct `Putting values back` {
  let log = Log<String>()

  private func observer<Value>(_ name: String) -> Observer<Value> {
    Observer { [log] in log.values.append("\(name) \($0)") }
  }

  @Test func `tells no observer and no watcher, and the next change tells all`() throws {
    let name = Observable("")
    name.addObserver(observer("name"))
    let watcher = Dirty()
    name.watch(watcher, tag: 0)
    puttingBack { name.putBack("Maruko") }
    #expect(name.value == "Maruko")
    #expect(log.values.isEmpty)
    #expect(watcher.take() == [])
    name.value = "Tamae"
    #expect(log.values == ["name Tamae"])
    #expect(watcher.take() == [0])
  }

  @Test func `makes it the value that a write is compared with`() {
    let name = Observable("")
    name.addObserver(observer("name"))
    puttingBack { name.putBack("Maruko") }
    name.value = "Maruko"
    #expect(log.values.isEmpty)
    name.value = ""
    #expect(log.values == ["name "])
  }

  @Test func `makes it the value to which a transaction is undone`() throws {
    let (name, age) = (Observable(""), Observable(0))
    puttingBack {
      name.putBack("Maruko")
      age.putBack(9)
    }
    expectUndone {
      name.value = "Tamae"
      age.value = 10
    }
    #expect(name.value == "Maruko")
    #expect(age.value == 9)
  }

  @Test func `has computeds see it, those that were read, are observed, and depend on such`() {
    let (first, last) = (Observable("a"), Observable("b"))
    let whole = Computed { "\(first.value) \(last.value)" }
    let length = Computed { whole.value.count }
    let isLong = Computed { length.value > 5 }
    isLong.addObserver(observer("isLong"))
    #expect(whole.value == "a b")
    puttingBack {
      first.putBack("Maruko")
      last.putBack("Sakura")
    }
    #expect(isLong.value)
    #expect(length.value == 13)
    #expect(whole.value == "Maruko Sakura")
    #expect(log.values.isEmpty)
    first.value = "Momoko"
    #expect(log.values.isEmpty)
    first.value = ""
    last.value = "b"
    #expect(log.values == ["isLong false"])
  }

  @Test func `runs no formula twice for several values, and none that nobody looks at`() {
    let inputs = (0..<5).map { Observable($0) }
    var (observed, lazy) = (0, 0)
    let sum = Computed {
      observed += 1
      return inputs.reduce(0) { $0 + $1.value }
    }
    let product = Computed {
      lazy += 1
      return inputs.reduce(1) { $0 * $1.value }
    }
    sum.addObserver(observer("sum"))
    #expect(product.value == 0)
    (observed, lazy) = (0, 0)
    puttingBack { for input in inputs { input.putBack(2) } }
    #expect((observed, lazy) == (1, 0))
    #expect(sum.value == 10)
    #expect(product.value == 32)
    #expect((observed, lazy) == (1, 1))
  }

  @Test func `runs no combiner, which keeps its value and runs at the next notification`() {
    let (name, age) = (Observable(""), Observable(0))
    let initial = Computed { name.value.first.map(String.init) ?? "-" }
    let line = ObservableCombiner<String>(.every, "nothing")
    line.combine(name, age, initial).handle { "\($0), \($1), \($2)" }
    line.addObserver(observer("line"))
    puttingBack {
      name.putBack("Maruko")
      age.putBack(9)
    }
    #expect(line.value == "nothing")
    puttingBack { line.putBack("as it was") }
    #expect(line.value == "as it was")
    #expect(log.values.isEmpty)
    age.value = 10
    #expect(log.values == ["line Maruko, 10, M"])
  }

  @Test func `restores how far a first and an all have come`() {
    let (one, other) = (Observable(0), Observable(0))
    let first = ObservableCombiner<Int>(.first, -1)
    let all = ObservableCombiner<Int>(.all, -1)
    first.combine(one).handle { $0 }
    all.combine(one, other).handle { $0 + $1 }
    #expect(first.strategyProgress == .first(hasRun: false))
    #expect(all.strategyProgress == .all(hasNotified: [false, false]))
    #expect(one.strategyProgress == nil)
    puttingBack {
      first.putBack(.first(hasRun: true))
      all.putBack(.all(hasNotified: [true, false]))
    }
    one.value = 5
    #expect(first.value == -1)
    #expect(all.value == -1)
    other.value = 6
    #expect(all.value == 11)
    #expect(all.strategyProgress == .all(hasNotified: [true, true]))
  }

  @Test func `leaves a strategy alone that is another one, or has other inputs`() {
    let (one, other) = (Observable(0), Observable(0))
    let all = ObservableCombiner<Int>(.all, -1)
    all.combine(one, other).handle { $0 + $1 }
    puttingBack {
      all.putBack(.first(hasRun: true))
      all.putBack(.all(hasNotified: [true]))
      one.putBack(.all(hasNotified: [true]))
    }
    #expect(all.strategyProgress == .all(hasNotified: [false, false]))
  }

  @Test func `keeps the error of a formula in the place of its value`() throws {
    struct TooYoung: Error, Equatable {}
    let age = Observable(20)
    let drink = Computed { () throws -> String in if age.value < 18 { throw TooYoung() } else { "sake" } }
    drink.addObserver(observer("drink"))
    puttingBack { age.putBack(9) }
    #expect(throws: TooYoung.self) { try drink.get() }
    #expect(log.values.isEmpty)
    age.value = 18
    #expect(log.values == ["drink sake"])
  }

  @Test func `lets an object that goes write when all is put back`() {
    let name = Observable("")
    name.addObserver(observer("name"))
    let held = Observable<Farewell?>(Farewell { name.value += "!" }, cutOff: .never)
    puttingBack {
      held.putBack(nil)
      name.putBack("Maruko")
    }
    #expect(log.values == ["name Maruko!"])
  }

  @Test func `keeps a long chain of computeds`() {
    let source = Observable(0)
    var last: ObservableValue<Int> = source
    for _ in 0..<20_000 {
      let before = last
      last = Computed { before.value + 1 }
      // Each is read when it is made: a first reading of the last one would go down the whole chain on the stack.
      #expect((try? last.get()) != nil)
    }
    last.addObserver(observer("last"))
    puttingBack { source.putBack(7) }
    #expect(last.value == 20_007)
    #expect(log.values.isEmpty)
  }

  @Test func `does not take a node that follows something else for a source`() {
    final class Owner {}
    let owner = Owner()
    let command = Command<Void, Int>(owner) { _, _, _ in 1 }
    let computed = Computed { 1 }
    #expect(Observable(0).isSource)
    #expect(ObservableCombiner<Int>(.every, 0).isSource)
    #expect(!computed.isSource)
    #expect(!command.executing.isSource)
    #expect(!command.result.isSource)
    #expect(!command.error.isSource)
    #expect(!command.progress.isSource)
    #expect(!command.enabled.isSource)
    let handled = ObservableCombiner<Int>(.every, 0)
    handled.combine(Observable(0)).handle { $0 }
    #expect(handled.isSource)
  }
}

@Suite struct `Telling values anew` {
  @Test func `tells everybody of values that are as they were, once`() throws {
    let log = Log<String>()
    let (name, password) = (Observable("Maruko"), Observable(""))
    let isValid = ObservableCombiner<Bool>(.every, true)
    isValid.combine(name, password).handle {
      log.values.append("handler")
      return !$0.isEmpty && !$1.isEmpty
    }
    password.addObserver(Observer { log.values.append("password '\($0)'") })
    isValid.addObserver(Observer { log.values.append("valid \($0)") })
    try tellAnew([name, password])
    #expect(log.values.sorted() == ["handler", "password ''", "valid false"])
  }

  @Test func `leaves all as it was if a handler throws`() {
    struct Refused: Error {}
    let (password, count) = (Observable(""), Observable(0))
    password.addObserver(
      Observer { _ in
        count.value += 1
        throw Refused()
      })
    #expect(throws: Refused.self) { try tellAnew([password]) }
    #expect(count.value == 0)
    #expect(password.value == "")
  }
}
