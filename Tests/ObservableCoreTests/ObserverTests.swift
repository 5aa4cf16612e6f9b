// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `An observer` {
  @Test func `S0-11 handle returns the observer itself, so that it chains`() {
    let observer = Observer<Int>()
    #expect(observer.handle { _ in } === observer)
    var told: [Int] = []
    let count = Observable(0)
    Observer<Int>().handle { told.append($0) }.subscribe(count)
    count.value = 1
    #expect(told == [1])
  }

  @Test func `S0-11 invoking without a handler does nothing, and a new handler takes the old one's place`() throws {
    var told: [String] = []
    let observer = Observer<Int>()
    try observer.invoke(1)
    observer.handle { told.append("old \($0)") }
    try observer.invoke(2)
    observer.handle { told.append("new \($0)") }
    try observer.invoke(3)
    #expect(told == ["old 2", "new 3"])
  }

  @Test func `S0-11 one observer may subscribe to several observables`() {
    let told = Log<Int>()
    let a = Observable(0)
    let b = Observable(0)
    told.observer.subscribe(a)
    told.observer.subscribe(b)
    a.value = 1
    b.value = 2
    #expect(told.values == [1, 2])
  }

  @Test func `S0-12 the short form hands the owner in without keeping it`() throws {
    final class ViewModel {
      let name = Observable("")
      let nameDidChange = Observer<String>()
      init() { nameDidChange.handle(self) { $0.name.value = $1 } }
    }
    var viewModel: ViewModel? = ViewModel()
    weak let gone = viewModel
    let action = viewModel?.nameDidChange
    try action?.invoke("x")
    #expect(viewModel?.name.value == "x")
    viewModel = nil
    #expect(gone == nil)
    try action?.invoke("y")
  }

  @Test func `an action is one transaction, and one that throws changes nothing`() throws {
    struct Refusal: Error {}
    let a = Observable(0)
    let b = Observable(0)
    let sums = Log<Int?>()
    let sum = ObservableCombiner<Int?>(.every)
    sum.combine(a, b).handle { $0 + $1 }
    sum.addObserver(sums.observer)
    let action = Observer<Int> { value in
      a.value = value
      b.value = value
      if value < 0 { throw Refusal() }
    }
    try action.invoke(5)
    #expect(sums.values == [10])
    #expect(throws: Refusal.self) { try action.invoke(-1) }
    #expect((a.value, b.value) == (5, 5))
    #expect(sums.values == [10])
  }
}
