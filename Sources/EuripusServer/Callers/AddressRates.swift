// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import Sessions

/// Token buckets for the addresses of clients. Each address of version 4 has one. Each /64 of version 6 has one
/// too, since as a rule it belongs to one client. As a customer may have many /64, its /56 and its /48 have
/// wider buckets. O(1) each.
///
/// A bucket that is full again need not be kept, so all buckets of one refill time are dropped together. The
/// number of buckets is therefore at most the number of tokens taken in that time.
final class AddressRates: Sendable {
  private struct Buckets {
    var recent: [AddressKey: TokenBucket] = [:]
    /// The buckets that were not used since the last exchange of `recent` and `older`.
    var older: [AddressKey: TokenBucket] = [:]

    subscript(key: AddressKey, now: ContinuousClock.Instant) -> TokenBucket {
      recent[key] ?? older[key] ?? TokenBucket(now: now)
    }
  }

  private struct State {
    /// The buckets by level: of addresses, of /56, and of /48.
    var levels: [Buckets]
    var changesAt: ContinuousClock.Instant
  }

  /// The rates of the levels. A wider level has the rate of a few narrower ones.
  private let rates: [Rate]
  private let state: Locked<State>

  init(_ rate: Rate, now: ContinuousClock.Instant) {
    rates = AddressKey.shares.map { Rate(rate.count * $0, per: rate.period, burst: rate.burst * $0) }
    state = Locked(State(levels: rates.map { _ in Buckets() }, changesAt: now + rate.refill))
  }

  /// Takes a token for an address in numbers. All texts that are not such an address share one bucket.
  ///
  /// - Returns: `nil` if a token was taken; otherwise the time until there is one.
  func take(_ address: String, now: ContinuousClock.Instant) -> Duration? {
    let keys = AddressKey(IPAddress(address)).levels
    return state.withLock { state in
      let refill = rates[0].refill
      if now >= state.changesAt {
        // After two refill times all buckets are full.
        let isLong = now >= state.changesAt + refill
        state.levels = state.levels.map { Buckets(older: isLong ? [:] : $0.recent) }
        state.changesAt = now + refill
      }
      // All tokens are taken or none: a client that is refused takes nothing from its own bucket or from its
      // neighbours'.
      var buckets: [TokenBucket] = []
      for (level, key) in keys.enumerated() {
        var bucket = state.levels[level][key, now]
        if let lack = bucket.take(of: rates[level], now: now) { return lack }
        buckets.append(bucket)
      }
      for (level, key) in keys.enumerated() { state.levels[level].recent[key] = buckets[level] }
      return nil
    }
  }

  /// The number of addresses that have a bucket.
  var count: Int { state.withLock { $0.levels[0].recent.count + $0.levels[0].older.count } }
}
