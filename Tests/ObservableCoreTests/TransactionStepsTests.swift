// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `A transaction in steps` {
  struct Failure: Error, Equatable {}

  /// The login page's graph: `enabled` is a combiner, which keeps its old value in a transaction's body.
  final class Page {
    let username = Observable("")
    let password = Observable("")
    let enabled = ObservableCombiner<Bool>(.every, false)
    let told = Log<Bool>()
    var runs = 0

    init() {
      enabled.combine(username).combine(password).handle { [unowned self] in
        runs += 1
        return $0.count > 5 && $1.count > 5
      }
      enabled.addObserver(told.observer)
    }
  }

  @Test func `a step sees the settled values of the ones before it, and the last one is settled as well`() throws {
    let page = Page()
    var seen: [Bool] = []
    try transactionInSteps { settle in
      try page.username.set("maruko")
      try settle()
      seen.append(page.enabled.value)
      try page.password.set("123456")
      try settle()
      seen.append(page.enabled.value)
      try page.password.set("")
    }
    #expect(seen == [false, true])
    #expect(!page.enabled.value)
    #expect(page.told.values == [true, false])
    #expect(page.runs == 3)
  }

  @Test func `a step that throws undoes all before it, combiners and their inputs`() throws {
    let page = Page()
    try page.username.set("before")
    expectStepsUndone { settle in
      try page.username.set("maruko")
      try settle()
      try page.password.set("123456")
      try settle()
      #expect(page.enabled.value)
    }
    #expect((page.username.value, page.password.value, page.enabled.value) == ("before", "", false))
    try page.password.set("123456")
    #expect(page.enabled.value)
  }

  @Test func `a handler that throws in a step undoes all, and no later step is taken`() throws {
    let count = Observable(0)
    let steps = Observable(0)
    let observer = Observer<Int> { if $0 == 2 { throw Failure() } }
    observer.subscribe(count)
    var isPast = false
    #expect(throws: Failure.self) {
      try transactionInSteps { settle in
        for value in 1...3 {
          try steps.set(value)
          try count.set(value)
          try settle()
        }
        isPast = true
      }
    }
    #expect((count.value, steps.value, isPast) == (0, 0, false))
    try count.set(1)
    #expect(count.value == 1)
  }

  @Test func `a value that a later step takes back is told within, and to nobody outside`() throws {
    let count = Observable(0)
    let told = Log<Int>()
    count.addObserver(told.observer)
    let outside = Dirty()
    let watching = count.watch(outside, tag: 7)
    try transactionInSteps { settle in
      try count.set(1)
      try settle()
      try count.set(0)
    }
    #expect(told.values == [1, 0])
    #expect(outside.take() == [])
    try transactionInSteps { settle in
      try count.set(1)
      try settle()
      try count.set(2)
    }
    #expect(outside.take() == [7])
    expectStepsUndone { settle in
      try count.set(3)
      try settle()
    }
    #expect(outside.take() == [])
    withExtendedLifetime(watching) {}
  }

  @Test func `a computed follows the steps, and is undone with them`() throws {
    let count = Observable(1)
    let double = Computed { count.value * 2 }
    let told = Log<Int>()
    double.addObserver(told.observer)
    expectStepsUndone { settle in
      try count.set(2)
      #expect(double.value == 4)
      try settle()
      try count.set(3)
      #expect(double.value == 6)
    }
    #expect(double.value == 2)
    #expect(told.values == [4])
    try count.set(5)
    #expect(told.values == [4, 10])
  }

  @Test func `each pulse is told in its own step`() throws {
    let tapped = Event<Int>()
    var told: [Int] = []
    tapped.addObserver(Observer { told.append($0) })
    try transactionInSteps { settle in
      try tapped.send(1)
      try tapped.send(2)
      try settle()
      #expect(told == [1, 2])
      try tapped.send(3)
    }
    #expect(told == [1, 2, 3])
  }

  @Test func `two hundred steps that tell the same are no cycle; a cycle in one is`() throws {
    let count = Observable(0)
    let told = Log<Int>()
    count.addObserver(told.observer)
    try transactionInSteps { settle in
      for value in 1...200 {
        try count.set(value)
        try settle()
      }
    }
    #expect(told.values.count == 200)
    let up = Observable(0)
    up.addObserver(Observer { try up.set($0 + 1) })
    #expect(throws: ObservableError.self) {
      try transactionInSteps { settle in
        try count.set(0)
        try settle()
        try up.set(1)
        try settle()
      }
    }
    #expect((count.value, up.value) == (200, 0))
  }

  @Test func `a subscription made in a step that is undone is ended`() throws {
    let count = Observable(0)
    let told = Log<Int>()
    expectStepsUndone { settle in
      count.addObserver(told.observer)
      try settle()
    }
    try count.set(1)
    #expect(told.values == [])
  }

  @Test func `a node that goes between two steps is forgotten`() throws {
    let source = Observable(1)
    var dependent: ObservableCombiner<Int>? = ObservableCombiner(.every, 0)
    dependent?.combine(source).handle { $0 * 2 }
    expectStepsUndone { settle in
      try source.set(2)
      try settle()
      dependent = nil
      try source.set(3)
      try settle()
    }
    #expect(source.value == 1)
  }
}
