// SPDX-License-Identifier: MIT
import Testing

@testable import Storing

@Suite struct `The watch of other nodes` {
  private let start = ContinuousClock.Instant.now

  private func instant(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

  @Test func `takes a node for gone that counts on no more for its patience, and no sooner`() {
    var watch = NodeWatch()
    watch.look([(boot: 1, beats: 7), (boot: 2, beats: 1)], instant(0))
    watch.look([(boot: 1, beats: 7), (boot: 2, beats: 2)], instant(2_000))
    #expect(watch.gone(instant(2_500)).isEmpty)
    #expect(watch.gone(instant(2_501)).map(\.boot) == [1])
    #expect(watch.gone(instant(2_501)).map(\.beats) == [7], "a claim holds for that count alone")
    #expect(watch.gone(instant(4_501)).map(\.boot) == [1, 2])
  }

  @Test func `takes one back that counts on, and forgets one that is in the store no more`() {
    var watch = NodeWatch()
    watch.look([(boot: 1, beats: 7), (boot: 2, beats: 1)], instant(0))
    watch.look([(boot: 1, beats: 8)], instant(9_000))
    #expect(watch.gone(instant(9_000)).isEmpty)
    #expect(watch.gone(instant(60_000)).map(\.boot) == [1])
  }

  @Test func `takes a count that went back, as after a failover, for a sign`() {
    var watch = NodeWatch()
    watch.look([(boot: 1, beats: 7)], instant(0))
    watch.look([(boot: 1, beats: 3)], instant(2_400))
    #expect(watch.gone(instant(3_000)).isEmpty)
  }

  @Test func `waits longer than a node takes itself for alive`() { #expect(NodeWatch.patience > Lease.time) }
}
