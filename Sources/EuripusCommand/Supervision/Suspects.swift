// SPDX-License-Identifier: MIT
import Glibc

/// The works that servers died of, or may have died of; of more than 256 the oldest is dropped.
///
/// A trap is its own thread's work's. A death from outside may be due to any work of that moment, or to none: a work is
/// poisoned when it was there twice.
struct Suspects {
  private struct Suspect {
    var deaths: Int
    var last: Int64
  }

  private static let most = 256
  /// The deaths after which a work is not done again.
  private static let tooMany = 2

  /// By mark.
  private var suspects: [UInt64: Suspect] = [:]

  /// The works that are not to be done again, by mark, and when the last server died of each.
  var poisoned: [UInt64: Int64] {
    suspects.filter { $0.value.deaths >= Self.tooMany }.mapValues(\.last)
  }

  /// - Parameter now: seconds of CLOCK_MONOTONIC.
  mutating func add(_ remains: Remains, now: Int64 = Suspects.now) {
    if let culprit = remains.culprit {
      add(culprit, deaths: Self.tooMany, now)
    } else if remains.backtrace == nil {
      for work in remains.others { add(work, deaths: 1, now) }
    }
  }

  private mutating func add(_ work: Work, deaths: Int, _ now: Int64) {
    suspects[work.mark] = Suspect(deaths: (suspects[work.mark]?.deaths ?? 0) + deaths, last: now)
    guard suspects.count > Self.most, let oldest = suspects.min(by: { $0.value.last < $1.value.last }) else { return }
    suspects[oldest.key] = nil
  }

  /// Seconds of CLOCK_MONOTONIC.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec)
  }
}
