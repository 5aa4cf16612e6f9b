// SPDX-License-Identifier: MIT
import Locking
import Testing
import ViewModels

@testable import Sessions

/// A view model that takes long to be made.
private final class Heavy: ViewModel {
  init(_ make: () throws -> Void) rethrows { try make() }

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

  @Test func `the making of a view model is watched and reported as an action is, also one that fails`() throws {
    let clock = ManualClock()
    let reports = Locked<[SessionReport]>([])
    let (present, fails) = (Locked<SessionHost?>(nil), Locked(false))
    let heavy = HostedModelType.hosting {
      try Heavy {
        clock.advance(by: .milliseconds(10_050))
        let overdue = present.withLock { $0 }?.overdueActions() ?? []
        reports.withLock { $0 += overdue }
        if fails.withLock({ $0 }) { throw Note.Failure() }
      }
    }
    let host = SessionHost([heavy], now: { clock.now }, report: { report in reports.withLock { $0.append(report) } })
    present.withLock { $0 = host }
    defer { present.withLock { $0 = nil } }
    _ = try host.open("heavy", as: nil)
    fails.withLock { $0 = true }
    #expect(throws: ViewModelFailure.self) { _ = try host.open("heavy", as: nil) }
    let both = [false, true].map { isOver in
      SessionReport.slowAction(
        "the making of a view model", model: "heavy", took: .milliseconds(10_050), isOver: isOver)
    }
    #expect(reports.withLock { $0 } == both + both)
  }
}
