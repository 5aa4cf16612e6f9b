// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions

@Suite struct `The life of a session in memory` {
  private let start = ContinuousClock.now
  private let life: SessionLife

  init() { life = SessionLife(now: start, nextCheck: start + .seconds(60)) }

  @Test func `begins once, and not after its end`() {
    #expect(life.begin() == true)
    #expect(life.begin() == false)
    let ended = SessionLife(now: start, nextCheck: start)
    ended.end(.expired)
    #expect(ended.begin() == false)
    #expect(ended.isClosed && !ended.hasLeft)
    ended.end(.left(nil))
    #expect(ended.hasLeft)
  }

  @Test func `is looked at when it may have been idle for long enough`() {
    life.touch(start + .seconds(20))
    life.planWhenIdle(start + .seconds(30), for: .seconds(60))
    #expect(life.nextCheck == start + .seconds(80))
    // A use of long ago does not put the next look into the past.
    life.planWhenIdle(start + .seconds(500), for: .seconds(60))
    #expect(life.nextCheck == start + .seconds(500))
  }

  @Test func `is looked at earlier if that is asked for, and never later`() {
    #expect(life.plan(noLaterThan: start + .seconds(5)) == true)
    #expect(life.plan(noLaterThan: start + .seconds(6)) == false)
    #expect(life.plan(noLaterThan: nil) == false)
    #expect(life.nextCheck == start + .seconds(5))
  }

  @Test func `goes on for timers alone until a request comes`() {
    life.cameForTimers(lastUsed: start - .seconds(1_000))
    #expect(life.isAwakeForTimers)
    life.noteWake(start + .seconds(1))
    #expect(life.isAwakeForTimers && life.lastUsed == start + .seconds(1))
    life.touch(start + .seconds(2))
    #expect(!life.isAwakeForTimers)
    life.noteWake(start + .seconds(3))
    #expect(!life.isAwakeForTimers)
  }

  @Test func `is unused when no request has come for a time, unless it has ended`() {
    #expect(life.isUnused(start + .seconds(60), for: .seconds(60)))
    #expect(!life.isUnused(start + .seconds(59), for: .seconds(60)))
    life.end(.expired)
    #expect(!life.isUnused(start + .seconds(60), for: .seconds(60)))
  }
}
