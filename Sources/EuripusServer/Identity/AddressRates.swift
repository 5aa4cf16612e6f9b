// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import Sessions

/// A token bucket for each address of a client: an IPv4 address, or the /64 of an IPv6 address, which is one client's as a
/// rule. O(1) each.
///
/// A bucket that is full again need not be kept: those of one refill time are let go of together, so what is kept is bounded
/// by what was taken meanwhile.
final class AddressRates: Sendable {
  private struct State {
    var recent: [AddressKey: TokenBucket] = [:]
    /// Those that were not used since the last change of the two.
    var older: [AddressKey: TokenBucket] = [:]
    var changesAt: ContinuousClock.Instant
  }

  private let rate: Rate
  private let state: Locked<State>

  init(_ rate: Rate, now: ContinuousClock.Instant) {
    self.rate = rate
    state = Locked(State(changesAt: now + rate.refill))
  }

  /// Takes a token of an address in numbers; what is no such address shares one bucket.
  ///
  /// - Returns: `nil` if it was taken; or else the time until there is one.
  func take(_ address: String, now: ContinuousClock.Instant) -> Duration? {
    let key = AddressKey(IPAddress(address))
    return state.withLock { state in
      if now >= state.changesAt {
        // After two refill times none of them has any other than full buckets.
        state.older = now >= state.changesAt + rate.refill ? [:] : state.recent
        state.recent = [:]
        state.changesAt = now + rate.refill
      }
      var bucket = state.recent[key] ?? state.older[key] ?? TokenBucket(now: now)
      let lack = bucket.take(of: rate, now: now)
      state.recent[key] = bucket
      return lack
    }
  }

  /// How many addresses are kept.
  var count: Int { state.withLock { $0.recent.count + $0.older.count } }
}
