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
}
