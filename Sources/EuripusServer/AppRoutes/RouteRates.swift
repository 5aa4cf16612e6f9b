// SPDX-License-Identifier: MIT
import Locking
import Sessions

/// The rates at which requests for a route of an app's may come: those of each client that is known by itself, wherever
/// it is, and all others by their addresses, so that a whole office behind one address is not kept out by one of its
/// own. O(1).
///
/// A bucket that is full again need not be kept: those of one refill time are let go of together.
final class RouteRates: Sendable {
  private struct Clients {
    var recent: [Credential: TokenBucket] = [:]
    /// The buckets that were not used since the last change of the two.
    var older: [Credential: TokenBucket] = [:]
    var changesAt: ContinuousClock.Instant
  }

  private let rate: Rate
  private let addresses: AddressRates
  private let clients: Locked<Clients>

  init(_ rate: Rate, now: ContinuousClock.Instant) {
    self.rate = rate
    addresses = AddressRates(rate, now: now)
    clients = Locked(Clients(changesAt: now + rate.refill))
  }

  /// Counts a request.
  ///
  /// - Parameter client: `nil` for one that nobody knows.
  /// - Returns: `nil` if it may come; or else the time until the next one may.
  func take(_ client: Credential?, at address: String, now: ContinuousClock.Instant) -> Duration? {
    guard let client else { return addresses.take(address, now: now) }
    return clients.withLock { clients in
      if now >= clients.changesAt {
        // After two refill times none of them has any other than full buckets.
        let isLong = now >= clients.changesAt + rate.refill
        (clients.older, clients.recent) = (isLong ? [:] : clients.recent, [:])
        clients.changesAt = now + rate.refill
      }
      var bucket = clients.recent[client] ?? clients.older[client] ?? TokenBucket(now: now)
      let lack = bucket.take(of: rate, now: now)
      clients.recent[client] = bucket
      return lack
    }
  }

  /// How many clients are kept.
  var count: Int { clients.withLock { $0.recent.count + $0.older.count } }
}
