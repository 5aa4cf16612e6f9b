// SPDX-License-Identifier: MIT

/// One moment on two clocks: the clock that measures time, and the wall clock. The wall clock goes on over a
/// restart, and may be set.
package struct Moment: Sendable {
  package let instant: ContinuousClock.Instant
  /// Milliseconds since 1970.
  package let milliseconds: Int64

  package init(instant: ContinuousClock.Instant, milliseconds: Int64) {
    self.instant = instant
    self.milliseconds = milliseconds
  }

  /// The present moment, by the machine's clocks.
  package static var now: Moment { Moment(instant: .now, milliseconds: WallTime.now.milliseconds) }

  var time: WallTime { WallTime(milliseconds: milliseconds) }

  /// The wall time of an instant, as the wall clock is set at this moment.
  package func time(of instant: ContinuousClock.Instant) -> WallTime { time + (instant - self.instant) }

  /// The instant of a wall time, as the wall clock is set at this moment.
  func instant(of time: WallTime) -> ContinuousClock.Instant { instant + (time - self.time) }
}
