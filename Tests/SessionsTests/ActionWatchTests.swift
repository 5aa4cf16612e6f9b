// SPDX-License-Identifier: MIT
import Locking
import Testing
import ViewModels

@testable import Sessions

/// A view model that takes 150 ms to be made.
private final class Heavy: ViewModel {
  init(_ clock: ManualClock) { clock.advance(by: .milliseconds(150)) }

  static let surface = Surface<Heavy>("heavy")
}

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

  @Test func `the making of a view model is reported as an action is`() throws {
    let clock = ManualClock()
    let reports = Locked<[SessionReport]>([])
    let host = SessionHost(
      [.hosting { [clock] in Heavy(clock) }], now: { [clock] in clock.now },
      report: { report in reports.withLock { $0.append(report) } })
    _ = try host.open("heavy", as: nil)
    #expect(
      reports.withLock { $0 } == [.slowAction("init", model: "heavy", took: .milliseconds(150), isOver: true)])
  }
}
