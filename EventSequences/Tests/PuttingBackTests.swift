// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

/// The rules for sequences in Documentation/STORED-STATE.md.
@Suite struct `A sequence of an observable that is put back` {
  @Test func `has no element of that, and the next change as its next`() {
    let (first, last) = (Observable("a", name: "first"), Observable("b", name: "last"))
    let (each, both, computed) = (Recorder<String>(), Recorder<String>(), Recorder<String>())
    let whole = Computed { "\(first.value) \(last.value)" }
    let subscriptions = [
      first.asSequence().subscribe(each),
      EventSequence.combineLatest(first.asSequence(), last.asSequence()) { "\($0) \($1)" }.subscribe(both),
      whole.asSequence().subscribe(computed),
    ]
    puttingBack {
      first.putBack("Maruko")
      last.putBack("Sakura")
    }
    #expect(each.events == ["a"])
    #expect(both.events == ["a b"])
    #expect(computed.events == ["a b"])
    first.value = "Momoko"
    #expect(each.events == ["a", "Momoko"])
    // The operator holds the elements that it was told; the computed reads anew.
    #expect(both.events == ["a b", "Momoko b"])
    #expect(computed.events == ["a b", "Momoko Sakura"])
    for subscription in subscriptions { subscription.dispose() }
  }
}
