// SPDX-License-Identifier: MIT
import Locking
import Sessions
import Storing

/// The rates at which requests for an app's route may come. A known client has its own rate, wherever it is.
/// All others share the rate of their address. So one client in an office behind one address does not keep out
/// the known clients there. O(1).
///
/// A bucket that is full again need not be kept, so all buckets of one refill time are dropped together.
final class RouteRates: Sendable {
  private struct Clients {
    var recent: [Credential: TokenBucket] = [:]
    /// The buckets that were not used since the last exchange of `recent` and `older`.
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
  /// - Parameter client: the client; `nil` for an unknown one.
  /// - Returns: `nil` if the request may come; otherwise the time until the next one may.
  func take(_ client: Credential?, at address: String, now: ContinuousClock.Instant) -> Duration? {
    guard let client else { return addresses.take(address, now: now) }
    return clients.withLock { clients in
      if now >= clients.changesAt {
        // After two refill times all buckets are full.
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

  /// The number of clients with a bucket.
  var count: Int { clients.withLock { $0.recent.count + $0.older.count } }
}
