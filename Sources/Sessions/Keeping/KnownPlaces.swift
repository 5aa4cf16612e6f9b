// SPDX-License-Identifier: MIT
import Storing

/// The places of sessions that other nodes have, as the store told them of late. A value, without a clock.
///
/// A session may have moved since. Then the node at the known place says that it does not have it, and the store is
/// asked again.
struct KnownPlaces: Sendable {
  /// The time for which a place is known.
  static let life: Duration = .seconds(60)
  static let most = 10_000

  private var places: [String: (place: Whereabouts, until: ContinuousClock.Instant)] = [:]

  func place(of id: String, _ now: ContinuousClock.Instant) -> Whereabouts? {
    places[id].flatMap { now < $0.until ? $0.place : nil }
  }

  mutating func note(_ id: String, at place: Whereabouts, _ now: ContinuousClock.Instant) {
    if places.count >= Self.most { places = places.filter { now < $0.value.until } }
    // A place that is forgotten costs one look into the store.
    if places.count >= Self.most { places = [:] }
    places[id] = (place, now + Self.life)
  }

  mutating func forget(_ id: String) { places[id] = nil }
}
