// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions
@testable import Storing

@Suite struct `The watch of the room in a store` {
  /// The room in a store of 64,000 bytes of which a network takes so many thousands.
  private func room(_ thousands: Int) -> StoreRoom {
    let bytes = thousands * 1_000
    return StoreRoom(limit: 64_000, bytes: bytes, heaviest: [StoreShare(1, isOfUsers: false, bytes: bytes)])
  }

  @Test func `allows one look at a time, one a second`() {
    let now = ContinuousClock.now
    var watch = RoomWatch(limit: 64_000)
    #expect([0, 1_000, 5_000].map { watch.begin(now + .milliseconds($0)) } == [true, false, false])
    watch.unanswered()
    // The second begins with the look, however long that takes.
    #expect([5_000, 5_001].map { watch.begin(now + .milliseconds($0)) } == [true, false])
    _ = watch.looked(ended: 0, now: now + .milliseconds(5_001))
    #expect([5_002, 5_999, 6_000].map { watch.begin(now + .milliseconds($0)) } == [false, false, true])
  }

  @Test func `tells of a full store once a minute`() {
    let now = ContinuousClock.now
    var watch = RoomWatch(limit: 64_000)
    #expect(watch.looked(ended: 0, now: now) == nil)
    watch.found(room(60))
    #expect(watch.looked(ended: 3, now: now) == 3)
    watch.countEnd()
    #expect(watch.looked(ended: 1, now: now + .seconds(59)) == nil)
    #expect(watch.looked(ended: 1, now: now + .seconds(60)) == 3)
    watch.found(room(0))
    #expect(watch.looked(ended: 0, now: now + .seconds(120)) == nil)
    #expect(watch.ended == 6)
    #expect([0, 59, 60].map { watch.couldNotEnd(now: now + .seconds($0)) } == [true, false, true])
  }

  @Test func `passes over a session that was in use for a minute`() {
    let now = ContinuousClock.now
    var watch = RoomWatch(limit: 64_000)
    watch.passOver("a", now: now)
    watch.passOver("b", now: now + .seconds(1))
    #expect([59, 60, 61].map { watch.passedOver(now + .seconds($0)) } == [["a", "b"], ["b"], []])
  }
}
