// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `An observable` {
  @Test func `S0-1 holds its default and tells nobody of being made`() {
    let told = Log<String>()
    let name = Observable("maruko")
    name.addObserver(told.observer)
    #expect(name.value == "maruko")
    #expect(told.values == [])
  }

  @Test func `S0-2 stores a new value, then runs every observer in subscription order before the setter returns`() {
    let name = Observable("")
    var order: [String] = []
    for label in ["a", "b", "c"] {
      name.addObserver(Observer { order.append("\(label) \($0) \(name.value)") })
    }
    name.value = "x"
    #expect(order == ["a x x", "b x x", "c x x"])
  }

  @Test func `S0-3 an equal write does nothing at all`() {
    let told = Log<Int>()
    let count = Observable(1)
    count.addObserver(told.observer)
    count.value = 1
    #expect(told.values == [])
    count.value = 2
    count.value = 2
    #expect(told.values == [2])
  }

  @Test func `S0-4 every write over nil notifies where the documents' rule is asked for`() {
    let told = Log<Int?>()
    let tap = Observable<Int?>(nil, cutOff: .equalityOverNil())
    tap.addObserver(told.observer)
    tap.value = nil
    tap.value = nil
    tap.value = 1
    tap.value = 1
    tap.value = nil
    #expect(told.values == [nil, nil, 1, nil])
  }

  @Test func `S0-4 two pulses are two notifications`() {
    var taps = 0
    let tap = Observable<Void>((), cutOff: .never)
    tap.addObserver(Observer { taps += 1 })
    tap.value = ()
    tap.value = ()
    #expect(taps == 2)
  }

  @Test func `S0-5 subscribing replays the present value only when asked to`() {
    let silent = Log<Int>()
    let replayed = Log<Int>()
    let count = Observable(7)
    silent.observer.subscribe(count)
    replayed.observer.subscribe(count, replay: true)
    #expect(silent.values == [])
    #expect(replayed.values == [7])
    count.value = 8
    #expect(silent.values == [8])
    #expect(replayed.values == [7, 8])
  }

  @Test func `S0-6 an observer added twice runs twice, and one removal removes both`() {
    let told = Log<Int>()
    let count = Observable(0)
    count.addObserver(told.observer)
    count.addObserver(told.observer)
    count.value = 1
    #expect(told.values == [1, 1])
    count.removeObserver(told.observer)
    count.value = 2
    #expect(told.values == [1, 1])
    count.removeObserver(told.observer)
    count.removeObserver(Observer { _ in })
  }

  @Test func `S0-7 a value changes as a whole or not at all`() {
    struct Person: Equatable { var name: String, age: Int }
    let told = Log<Person>()
    let person = Observable(Person(name: "A", age: 1))
    person.addObserver(told.observer)
    person.value.age = 1
    #expect(told.values == [])
    person.value.age = 2
    #expect(told.values == [Person(name: "A", age: 2)])
  }

  @Test func `S0-8 an observable keeps its observers, and neither view nor view model keeps the other`() {
    final class ViewModel { let name = Observable("") }
    final class View {
      var shown = ""
      private(set) lazy var name = Observer<String>(self) { $0.shown = $1 }
    }
    var viewModel: ViewModel? = ViewModel()
    var view: View? = View()
    weak let goneViewModel = viewModel
    weak let goneView = view
    if let view, let viewModel { view.name.subscribe(viewModel.name) }
    viewModel?.name.value = "x"
    #expect(view?.shown == "x")

    view = nil
    #expect(goneView == nil)
    viewModel?.name.value = "y"
    viewModel = nil
    #expect(goneViewModel == nil)

    let told = Log<Int>()
    let count = Observable(0)
    do { Observer<Int> { told.values.append($0) }.subscribe(count) }
    count.value = 1
    #expect(told.values == [1])
  }

  @Test func `S0-9 who is added while a value is delivered does not see it, who is removed is not called`() {
    let added = Log<Int>()
    let removed = Log<Int>()
    let count = Observable(0)
    var isFirst = true
    count.addObserver(
      Observer { _ in
        guard isFirst else { return }
        isFirst = false
        count.addObserver(added.observer)
        count.removeObserver(removed.observer)
      })
    count.addObserver(removed.observer)
    count.value = 1
    #expect(added.values == [])
    #expect(removed.values == [])
    count.value = 2
    #expect(added.values == [2])
    #expect(removed.values == [])
  }

  @Test func `S0-9 who is added in a transaction after the write does not see that value`() throws {
    let added = Log<Int>()
    let count = Observable(0)
    try transaction {
      count.value = 1
      count.addObserver(added.observer)
    }
    #expect(added.values == [])
    count.value = 2
    #expect(added.values == [2])
  }

  @Test func `S0-10 a write within an observer leaves no observer with an older value`() {
    let first = Log<Int>()
    let last = Log<Int>()
    let count = Observable(0)
    count.addObserver(first.observer)
    count.addObserver(Observer { if $0 == 1 { count.value = 2 } })
    count.addObserver(last.observer)
    count.value = 1
    #expect(count.value == 2)
    #expect(first.values == [1, 2])
    #expect(last.values == [2])
  }

  @Test func `a disposed subscription ends, once, and a bag ends all it holds`() {
    let told = Log<Int>()
    let count = Observable(0)
    var bag: DisposeBag? = DisposeBag()
    let single = told.observer.subscribe(count)
    if let bag {
      told.observer.subscribe(count).disposed(by: bag)
      told.observer.subscribe(count).disposed(by: bag)
    }
    single.dispose()
    single.dispose()
    count.value = 1
    #expect(told.values == [1, 1])
    bag = nil
    count.value = 2
    #expect(told.values == [1, 1])
  }
}
