// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// A suite for the address sanitizer: without it, an object that goes too early is not always missed.
@Suite struct `Removing an observer` {
  @Test func `ends all its subscriptions before anything goes that might end one of them`() {
    let source = Observable(0)
    let observer = Observer<Int> { _ in }
    source.addObserver(observer)
    var second: Subscription? = source.addObserver(observer)
    var hadEnded: Bool?
    var passing: Observable<Farewell?>? = Observable(
      Farewell {
        hadEnded = second?.isDisposed
        second?.dispose()
        second = nil
      }, cutOff: .never)
    let isChosen = Observable(false)
    let reader = Computed { isChosen.value && passing?.value != nil }
    reader.addObserver(Observer { _ in })
    let written = Observable<Farewell?>(nil, cutOff: .never)

    // The formula alone keeps `passing`, until it runs again as the body is undone. At that time nothing is let
    // go of. Then the value goes that the body wrote.
    expectUndone {
      isChosen.value = true
      #expect(reader.value)
      passing = nil
      written.value = Farewell { source.removeObserver(observer) }
    }
    #expect(hadEnded == true)
    #expect(second == nil)
  }
}
