// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusTools

@Suite struct `The builds that take the served program's place` {
  private let start = ContinuousClock.now
  private func second(_ number: Int) -> ContinuousClock.Instant { start + .seconds(number) }

  @Test func `are asked for at once while none takes over`() {
    var takeover = Takeover()
    let first = takeover.built(at: second(0))
    let more = takeover.isOver(at: second(1))
    let second = takeover.built(at: second(2))
    #expect([first, more, second] == [true, false, true])
  }

  @Test func `wait for one that takes over, and the last of them has its turn then`() {
    var takeover = Takeover()
    let built = (0...2).map { takeover.built(at: second($0)) }
    let turns = (3...4).map { takeover.isOver(at: second($0)) }
    #expect(built == [true, false, false])
    #expect(turns == [true, false])
  }

  @Test func `do not wait longer than five seconds for one that hangs at its start`() {
    var takeover = Takeover()
    _ = takeover.built(at: second(0))
    let alone = takeover.isOverdue(at: second(9))
    _ = takeover.built(at: second(9))
    let waiting = (9...10).map { takeover.isOverdue(at: second($0)) }
    let turn = takeover.isOver(at: second(11))
    let later = takeover.isOverdue(at: second(30))
    #expect([alone] + waiting + [turn, later] == [false, true, false, true, false])
  }

  @Test func `are asked for no third time where the program says nothing of takeovers`() {
    var takeover = Takeover()
    _ = takeover.built(at: second(0))
    _ = takeover.built(at: second(1))
    #expect([5, 10, 15, 20].map { takeover.isOverdue(at: second($0)) } == [true, true, false, false])
  }
}
