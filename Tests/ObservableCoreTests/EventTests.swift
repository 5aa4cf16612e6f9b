// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `An event` {
  @Test func `S0-4 two taps are two notifications, in one transaction as well`() throws {
    let told = Log<Int>()
    let tap = Event<Int>()
    tap.addObserver(told.observer)
    try tap.send(1)
    try tap.send(1)
    try transaction {
      try tap.send(2)
      try tap.send(2)
      #expect(told.values == [1, 1])
    }
    #expect(told.values == [1, 1, 2, 2])
  }

  @Test func `S0-9 who joins between two pulses is told of the second alone`() throws {
    let told = Log<Int>()
    let tap = Event<Int>()
    tap.addObserver(Observer { if $0 == 1 { tap.addObserver(told.observer) } })
    try transaction {
      try tap.send(1)
      try tap.send(2)
    }
    #expect(told.values == [])
    try transaction {
      try tap.send(3)
      tap.addObserver(told.observer)
      try tap.send(4)
    }
    #expect(told.values == [3, 4, 4])
  }

  @Test func `a pulse sent by an observer follows the ones before it`() throws {
    let told = Log<Int>()
    let tap = Event<Int>()
    tap.addObserver(Observer { if $0 < 3 { try tap.send($0 + 1) } })
    tap.addObserver(told.observer)
    try tap.send(1)
    #expect(told.values == [1, 2, 3])
  }

  @Test func `pulses of a body that throws are never told`() throws {
    struct Failure: Error {}
    let told = Log<Int>()
    let tap = Event<Int>()
    tap.addObserver(told.observer)
    #expect(throws: Failure.self) {
      try transaction {
        try tap.send(1)
        throw Failure()
      }
    }
    try tap.send(2)
    #expect(told.values == [2])
  }

  @Test func `its latest pulse can be combined with values, an equal one again`() throws {
    let tap = Event<Int>()
    let factor = Observable(2)
    var seen: [Int] = []
    let product = ObservableCombiner<Void>(.every)
    product.combine(tap.latest).combine(factor).handle { if let tapped = $0 { seen.append(tapped * $1) } }
    try tap.send(5)
    try tap.send(5)
    factor.value = 3
    #expect(seen == [10, 10, 15])
    withExtendedLifetime(product) {}
  }
}
