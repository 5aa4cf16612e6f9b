// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// The claims that the conformance list does not make, as they are about the core's own types.
@Suite struct `An observable` {
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

  @Test func `S0-8 neither view nor view model keeps the other`() {
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
  }
}
