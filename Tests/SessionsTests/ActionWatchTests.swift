// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions

@Suite struct `An action watch` {
  @Test func `reports an action that is still at work once, after its patience, and none that is over`() {
    let clock = ManualClock()
    let watch = ActionWatch()
    watch.watching("save", of: "note", since: clock.now) {
      clock.advance(by: .seconds(10))
      #expect(watch.overdue(now: clock.now) == [])
      clock.advance(by: .milliseconds(50))
      #expect(
        watch.overdue(now: clock.now) == [
          .slowAction("save", model: "note", took: .milliseconds(10_050), isOver: false)
        ])
      #expect(watch.overdue(now: clock.now) == [])
    }
    watch.watching("save", of: "note", since: clock.now) {}
    clock.advance(by: .seconds(100))
    #expect(watch.overdue(now: clock.now) == [])
  }
}
