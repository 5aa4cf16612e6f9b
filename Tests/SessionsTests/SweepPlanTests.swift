// SPDX-License-Identifier: MIT
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// In these tests, sessions are kept for a day, and the wall clock begins at one million seconds.
@Suite struct `The plan of forgetting sessions` {
  private static let kept: Duration = .seconds(86_400)
  private let start = ContinuousClock.now

  /// The moment some seconds after the start. The wall clock may show other seconds.
  private func moment(_ seconds: Int64, wall: Int64? = nil) -> Moment {
    Moment(instant: start + .seconds(seconds), milliseconds: (1_000_000 + (wall ?? seconds)) * 1_000)
  }

  private func plan(kept: Duration = Self.kept) -> SweepPlan {
    SweepPlan(now: moment(0), patience: .seconds(600), kept: kept)
  }

  /// A step that keeps sessions of little use as long as others.
  private func sweep(_ now: Int64, _ unusedSince: Int64) -> SweepPlan.Step {
    .sweep(ExpiryRule(now: now, unusedSince: unusedSince, littleUsedSince: unusedSince))
  }

  /// A plan that has looked through a store in which nothing is old.
  private func surveyed() -> SweepPlan {
    var plan = plan()
    #expect(plan.step(moment(600)).step == .survey(after: nil))
    #expect(plan.surveyed(to: nil) == nil)
    return plan
  }

  @Test func `looks the store through after some time, piece by piece, and then forgets each second`() {
    var plan = plan()
    #expect(plan.step(moment(599)).step == .wait)
    #expect(plan.step(moment(600)).step == .survey(after: nil))
    // The store has not read the first piece yet.
    #expect(plan.step(moment(601)).step == .wait)
    #expect(plan.surveyed(to: "k") == nil)
    #expect(plan.step(moment(602)).step == .survey(after: "k"))
    plan.surveyFailed()
    #expect(plan.step(moment(603)).step == .survey(after: "k"))
    #expect(plan.surveyed(to: nil) == nil)
    #expect(plan.step(moment(603)).step == .wait)
    #expect(plan.step(moment(604)).step == sweep(1_000_604, 914_204))
    #expect(plan.step(moment(604)).step == .wait)
    #expect(plan.step(moment(605)).step == sweep(1_000_605, 914_205))
  }

  @Test func `waits as long as sessions are kept when the wall clock is set forward`() {
    var plan = surveyed()
    let leap = plan.step(moment(700, wall: 700 + 3_600))
    #expect(leap.step == .wait)
    #expect(leap.leap == .seconds(3_600))
    for seconds in stride(from: Int64(760), to: 700 + 86_400, by: 60) {
      let (step, leap) = plan.step(moment(seconds, wall: seconds + 3_600))
      #expect(step == .wait && leap == nil)
    }
    let end = plan.step(moment(700 + 86_400, wall: 700 + 86_400 + 3_600))
    #expect(end.step == sweep(1_090_700, 1_004_300))
  }

  @Test func `goes on if the clocks differ a little, and if the wall clock is set back`() {
    var plan = surveyed()
    #expect(plan.step(moment(700, wall: 760)).step == sweep(1_000_760, 914_360))
    #expect(plan.step(moment(701, wall: 0)).step == sweep(1_000_000, 913_600))
    // A long pause between two steps is no leap of the wall clock.
    #expect(plan.step(moment(100_000, wall: 99_299)).step == sweep(1_099_299, 1_012_899))
  }

  @Test func `waits as long if no session was used for longer than that before the process began`() {
    var plan = plan()
    #expect(plan.step(moment(600)).step == .survey(after: nil))
    plan.found(lastUsed: 3)
    plan.found(lastUsed: 913_599)
    plan.found(lastUsed: 913_000)
    // This process has stored this session.
    plan.found(lastUsed: 1_000_000)
    #expect(plan.surveyed(to: nil) == .seconds(86_401))
    #expect(plan.step(moment(601)).step == .wait)
    #expect(plan.step(moment(600 + 86_399)).step == .wait)
    #expect(plan.step(moment(600 + 86_400)).step == sweep(1_087_000, 1_000_600))
  }

  @Test func `forgets at once if one was used since, whether it is in the store or came back already`() {
    var plan = plan()
    plan.found(lastUsed: 913_600)
    #expect(plan.step(moment(600)).step == .survey(after: nil))
    plan.found(lastUsed: 3)
    #expect(plan.surveyed(to: nil) == nil)
    #expect(plan.step(moment(601)).step == sweep(1_000_601, 914_201))
  }

  @Test(arguments: [(86_400, 86_400), (86_401, 0), (300_000, 0), (604_800, 0)] as [(Int64, Int64)])
  func `keeps those of little use as long as others for a day, if none was used for longer before it began`(
    pause: Int64, littleUse: Int64
  ) {
    var plan = plan(kept: .seconds(604_800))
    #expect(plan.step(moment(600)).step == .survey(after: nil))
    plan.found(lastUsed: 1_000_000 - pause)
    #expect(plan.surveyed(to: nil) == nil)
    let step = plan.step(moment(601)).step
    let since: Int64 = littleUse > 0 ? 1_000_601 - littleUse : 395_801
    #expect(step == .sweep(ExpiryRule(now: 1_000_601, unusedSince: 395_801, littleUsedSince: since)))
    if littleUse > 0 { return }
    #expect(plan.step(moment(600 + 86_399)).step == sweep(1_086_999, 482_199))
    let end = plan.step(moment(600 + 86_400)).step
    #expect(end == .sweep(ExpiryRule(now: 1_087_000, unusedSince: 482_200, littleUsedSince: 1_000_600)))
  }

  @Test func `tells once how many were forgotten in a row`() {
    var plan = plan()
    #expect([0, 1_000, 7, 0, 0, 1, 0].map { plan.forgot($0) } == [nil, nil, nil, 1_007, nil, nil, 1])
  }
}
