// SPDX-License-Identifier: MIT
import Dispatch
import Synchronization
import Testing

@testable import Sessions

@Suite struct `An action watch` {
  private static func watching(_ watch: ActionWatch, _ path: [String], _ clock: ManualClock, _ body: () -> Void) {
    ActionWatch.watching(.passUnretained(watch), path, of: "note", since: clock.now, body)
  }

  @Test func `reports an action once, after its patience, and none that is over`() {
    let clock = ManualClock()
    let watch = ActionWatch()
    Self.watching(watch, ["save"], clock) {
      clock.advance(by: .milliseconds(100))
      #expect(watch.overdue(now: clock.now) == [])
      clock.advance(by: .milliseconds(50))
      #expect(watch.overdue(now: clock.now) == [.slowAction("save", model: "note", milliseconds: 150)])
      #expect(watch.overdue(now: clock.now) == [])
    }
    clock.advance(by: .seconds(1))
    #expect(watch.overdue(now: clock.now) == [])
  }

  @Test func `sees the inner one of two on a thread, and then the outer one again`() {
    let clock = ManualClock()
    let watch = ActionWatch()
    Self.watching(watch, ["outer"], clock) {
      Self.watching(watch, ["inner", "1"], clock) {
        clock.advance(by: .milliseconds(200))
        #expect(watch.overdue(now: clock.now) == [.slowAction("inner/1", model: "note", milliseconds: 200)])
      }
      #expect(watch.overdue(now: clock.now) == [.slowAction("outer", model: "note", milliseconds: 200)])
    }
  }

  @Test func `reports whole actions while they come and go on another thread`() {
    let clock = ManualClock()
    let watch = ActionWatch()
    let late = clock.now + .seconds(1)
    let end = End()
    let other = DispatchGroup()
    // A thread of its own: it does not wait for one of those that tests run on.
    DispatchQueue(label: "acting").async(group: other) {
      var number = 0
      while !end.hasCome.load(ordering: .acquiring) {
        Self.watching(watch, ["an action of some length", "\(number)"], clock) {}
        number += 1
      }
    }
    var seen = 0
    while seen < 100 {
      for report in watch.overdue(now: late) {
        seen += 1
        guard case .slowAction(let path, let model, let milliseconds) = report else {
          Issue.record("\(report)")
          continue
        }
        #expect(path.hasPrefix("an action of some length/"))
        #expect((model, milliseconds) == ("note", 1_000))
      }
    }
    end.hasCome.store(true, ordering: .releasing)
    other.wait()
    #expect(watch.overdue(now: late) == [])
  }

  private final class End: Sendable {
    let hasCome = Atomic(false)
  }
}
