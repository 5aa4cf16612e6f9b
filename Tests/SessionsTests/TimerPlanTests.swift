// SPDX-License-Identifier: MIT
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite struct `The plan of timers` {
  private let start = ContinuousClock.now

  private func moment(_ seconds: Int, ahead: Int = 0) -> Moment {
    Moment(instant: start + .seconds(seconds), milliseconds: Int64(seconds + ahead) * 1_000)
  }

  private func sessions(_ numbers: Range<Int>) -> [DueSession] {
    numbers.map { DueSession(id: "s\($0)", time: Int64($0)) }
  }

  @Test func `asks once a second, and not while it waits for an answer`() {
    var plan = TimerPlan(now: moment(0))
    #expect(plan.step(moment(0))?.by == 0)
    #expect(plan.step(moment(5)) == nil)
    #expect(plan.found([], now: start + .seconds(5)) == [])
    #expect(plan.step(moment(5)) == nil)
    #expect(plan.step(moment(6))?.by == 6_000)
    #expect(plan.found(nil, now: start + .seconds(6)) == [])
    #expect(plan.step(moment(7))?.by == 7_000)
  }

  @Test func `goes through many page by page, and loads no more at once than a page`() {
    var plan = TimerPlan(now: moment(0))
    _ = plan.step(moment(0))
    let first = sessions(0..<TimerPlan.limit)
    #expect(plan.found(first, now: start) == first.map(\.id))
    #expect(plan.step(moment(0)) == nil)
    plan.loaded("s0", rest: nil, now: start)
    #expect(plan.step(moment(0))?.after == first.last)
    #expect(plan.found(sessions(100..<101), now: start) == ["s100"])
    for id in first.dropFirst() { plan.loaded(id.id, rest: nil, now: start) }
    let next = plan.step(moment(1))
    #expect(next != nil && next?.after == nil)
  }

  @Test func `leaves one alone for a while that could not be loaded, and takes those after it`() {
    var plan = TimerPlan(now: moment(0))
    _ = plan.step(moment(0))
    #expect(plan.found(sessions(0..<2), now: start) == ["s0", "s1"])
    _ = plan.step(moment(1))
    // Neither session is loaded yet.
    #expect(plan.found(sessions(0..<3), now: start + .seconds(1)) == ["s2"])
    plan.loaded("s0", rest: TimerPlan.rest, now: start + .seconds(1))
    plan.loaded("s1", rest: nil, now: start + .seconds(1))
    _ = plan.step(moment(2))
    #expect(plan.found(sessions(0..<2), now: start + .seconds(2)) == ["s1"])
    _ = plan.step(moment(61))
    #expect(plan.found(sessions(0..<1), now: start + .seconds(61)) == ["s0"])
  }
  @Test func `asks once for the sessions of all times when the wall clock was set back, between those that are due`() {
    var plan = TimerPlan(now: moment(0))
    let steps = [moment(1, ahead: 1), moment(1, ahead: 10), moment(1)].map { plan.noteClocks($0) }
    #expect(steps == [false, true, true])
    #expect(plan.step(moment(1))?.by == .max)
    let page = sessions(0..<TimerPlan.limit)
    for id in plan.found(page, now: start + .seconds(1)) { plan.loaded(id, rest: nil, now: start) }
    #expect(plan.step(moment(1)) == nil)
    var asked: [(by: Int64, after: DueSession?)] = []
    // The store fails at the second page, which is asked for again.
    for answer in [[], nil, [], [], []] as [[DueSession]?] {
      let now = moment(2 + asked.count)
      if let question = plan.step(now) { asked.append(question) }
      _ = plan.found(answer, now: now.instant)
    }
    #expect(asked.map(\.by) == [2_000, .max, 4_000, .max, 6_000])
    #expect(asked.map(\.after) == [nil, page.last, nil, page.last, nil])
  }
}
