// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import Sessions

/// Token buckets for the addresses of clients: one for each address of version 4, and one for each /64 of version 6, which
/// is one client's as a rule. A /64 also has the wider buckets of its /56 and its /48, since a customer may have many. O(1)
/// each.
///
/// A bucket that is full again need not be kept: those of one refill time are let go of together, so the number of buckets
/// is bounded by that of the tokens taken meanwhile.
final class AddressRates: Sendable {
  private struct Buckets {
    var recent: [AddressKey: TokenBucket] = [:]
    /// The buckets that were not used since the last change of the two.
    var older: [AddressKey: TokenBucket] = [:]

    subscript(key: AddressKey, now: ContinuousClock.Instant) -> TokenBucket {
      recent[key] ?? older[key] ?? TokenBucket(now: now)
    }
  }

  private struct State {
    /// The buckets by level: of addresses, of /56 and of /48.
    var levels: [Buckets]
    var changesAt: ContinuousClock.Instant
  }

  /// The rates of the levels. A wider part has as much as a few narrower ones.
  private let rates: [Rate]
  private static let shares = [1, 4, 16]
  private let state: Locked<State>

  init(_ rate: Rate, now: ContinuousClock.Instant) {
    rates = Self.shares.map { Rate(rate.count * $0, per: rate.period, burst: rate.burst * $0) }
    state = Locked(State(levels: rates.map { _ in Buckets() }, changesAt: now + rate.refill))
  }

  /// Takes a token of an address in numbers; texts that are no such address share one bucket.
  ///
  /// - Returns: `nil` if it was taken; or else the time until there is one.
  func take(_ address: String, now: ContinuousClock.Instant) -> Duration? {
    let keys = AddressKey(IPAddress(address)).levels
    return state.withLock { state in
      let refill = rates[0].refill
      if now >= state.changesAt {
        // After two refill times none of them has any other than full buckets.
        let isLong = now >= state.changesAt + refill
        state.levels = state.levels.map { Buckets(older: isLong ? [:] : $0.recent) }
        state.changesAt = now + refill
      }
      // All or none: a client that is refused takes nothing, of an own bucket or of the neighbours'.
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

  /// How many addresses are kept.
  var count: Int { state.withLock { $0.levels[0].recent.count + $0.levels[0].older.count } }
}

extension AddressKey {
  /// The address itself, and of version 6 the /56 and the /48 that it is in.
  fileprivate var levels: [AddressKey] {
    guard case .version6(let number) = self else { return [self] }
    return [self, .version6(number & ~0xFF), .version6(number & ~0xFFFF)]
  }
}
