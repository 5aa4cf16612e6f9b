// SPDX-License-Identifier: MIT
import Glibc
import Locking

/// A token bucket for each address of a client: an IPv4 address, or the /64 of an IPv6 address, which is one client's as a
/// rule. O(1) each.
///
/// A bucket that is full again need not be kept: those of one refill time are let go of together, so what is kept is bounded
/// by what was taken meanwhile.
public final class AddressRates: Sendable {
  private struct State {
    var recent: [UInt64: TokenBucket] = [:]
    /// Those that were not used since the last change of the two.
    var older: [UInt64: TokenBucket] = [:]
    var changesAt: ContinuousClock.Instant
  }

  private let rate: Rate
  private let state: Locked<State>

  public init(_ rate: Rate, now: ContinuousClock.Instant) {
    self.rate = rate
    state = Locked(State(changesAt: now + rate.refill))
  }

  /// Takes a token of an address in numbers; what is no such address shares one bucket.
  ///
  /// - Returns: `nil` if it was taken; or else the time until there is one.
  public func take(_ address: String, now: ContinuousClock.Instant) -> Duration? {
    let key = Self.key(address)
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

  private static func key(_ address: String) -> UInt64 {
    var four = in_addr()
    if inet_pton(AF_INET, address, &four) == 1 { return v4(UInt32(bigEndian: four.s_addr)) }
    var six = in6_addr()
    // A zone ("%eth0") is no part of it.
    guard inet_pton(AF_INET6, String(address.prefix { $0 != "%" }), &six) == 1 else { return 0 }
    return withUnsafeBytes(of: six) { key($0) }
  }

  /// Of the 16 bytes of an IPv6 address, wherever they are.
  static func key(_ six: UnsafeRawBufferPointer) -> UInt64 {
    // An `in6_addr` is aligned to 4 bytes.
    let high = UInt64(bigEndian: six.loadUnaligned(as: UInt64.self))
    let low = UInt64(bigEndian: six.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    // ::ffff:a.b.c.d is an IPv4 address (RFC 4291 §2.5.5.2).
    return high == 0 && low >> 32 == 0xFFFF ? v4(UInt32(truncatingIfNeeded: low)) : high
  }

  /// Below ::ffff:0:0:0:0:0, where no /64 of IPv6 is in use.
  private static func v4(_ address: UInt32) -> UInt64 { 0x0000_FFFF_0000_0000 | UInt64(address) }
}
