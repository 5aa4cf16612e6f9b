// SPDX-License-Identifier: MIT
internal import Glibc

/// The processor time of the calling thread. Unlike wall time it does not grow while other threads run.
@usableFromInline enum ProcessorTime {
  /// The time that `body` takes on this thread.
  @inlinable
  static func measure(_ body: () throws -> Void) rethrows -> Duration {
    let start = now
    try body()
    return now - start
  }

  @usableFromInline static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
