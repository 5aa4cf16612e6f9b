// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions

@Suite struct `An action watch` {
  @Test func `reports an action once, after its patience, and none that is over`() {
    let clock = ManualClock()
    let watch = ActionWatch()
    watch.during(["save"], of: "note", since: clock.now) {
      clock.advance(by: .milliseconds(100))
      #expect(watch.overdue(now: clock.now) == [])
      clock.advance(by: .milliseconds(50))
      #expect(watch.overdue(now: clock.now) == [.slowAction("save", model: "note", milliseconds: 150)])
      #expect(watch.overdue(now: clock.now) == [])
    }
    clock.advance(by: .seconds(1))
    #expect(watch.overdue(now: clock.now) == [])
  }
}
