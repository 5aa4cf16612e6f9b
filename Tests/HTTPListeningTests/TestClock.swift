// SPDX-License-Identifier: MIT
import HTTPListening
import Locking

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
  private let nanoseconds = Locked<UInt64>(1_000_000_000)

  var clock: MonotonicClock { MonotonicClock { [nanoseconds] in nanoseconds.withLock { $0 } } }

  /// Moves the time on, and has the listener look at it.
  func pass(_ duration: Duration, for listener: HTTPListener) {
    nanoseconds.withLock { $0 += MonotonicClock.nanoseconds(duration) }
    listener.timePassed()
  }
}
