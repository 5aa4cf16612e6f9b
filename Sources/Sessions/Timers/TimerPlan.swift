// SPDX-License-Identifier: MIT

/// A stored session of which a timer is due.
package struct DueSession: Sendable, Equatable {
  package let id: String
  /// Milliseconds since 1970.
  package let time: Int64

  package init(id: String, time: Int64) { (self.id, self.time) = (id, time) }
}

/// When the store is asked for sessions whose timers are due, and which of these are loaded: a value, without a clock.
///
/// The store is asked once a second, page by page. One that could not be loaded, or that another server has, is left alone for a while, and
/// keeps no other one from its turn.
struct TimerPlan {
  static let interval: Duration = .seconds(1)
  /// The sessions that are asked for at a time, and the most that are being loaded.
  static let limit = 100
  /// How long one is left alone that could not be loaded: what keeps it from that stays for longer than a moment.
  static let rest: Duration = .seconds(60)
  /// How long one is left alone that another server has, which does it itself within a second or two if it lives.
  static let restElsewhere: Duration = .seconds(5)
  /// The most that are remembered as left alone.
  private static let most = 10_000

  private var next: ContinuousClock.Instant
  private var isAsking = false
  /// The end of the page before; `nil` at the beginning.
  private var last: DueSession?
  private var loading: Set<String> = []
  private var leftAlone: [String: ContinuousClock.Instant] = [:]

  init(now: ContinuousClock.Instant) { next = now }

  /// The question for the store: sessions that are due by a time in milliseconds since 1970, those after another one first; `nil` for nothing now.
  mutating func step(_ now: Moment) -> (by: Int64, after: DueSession?)? {
    guard !isAsking, now.instant >= next, loading.count < Self.limit else { return nil }
    isAsking = true
    leftAlone = leftAlone.filter { $0.value > now.instant }
    return (now.milliseconds, last)
  }

  /// Takes the answer of the store; `nil` if it has failed.
  ///
  /// - Returns: those that are to be loaded.
  mutating func found(_ due: [DueSession]?, now: ContinuousClock.Instant) -> [String] {
    isAsking = false
    let isLast = due.map { $0.count < Self.limit } ?? true
    last = isLast ? nil : due?.last
    // The rest of them are due as well.
    next = isLast ? now + Self.interval : now
    let ids = (due ?? []).map(\.id).filter { leftAlone[$0] == nil && !loading.contains($0) }
    loading.formUnion(ids)
    return ids
  }

  /// One was loaded, or not.
  ///
  /// - Parameter rest: how long it is left alone; `nil` for one that was loaded.
  mutating func loaded(_ id: String, rest: Duration?, now: ContinuousClock.Instant) {
    loading.remove(id)
    if let rest, leftAlone.count < Self.most { leftAlone[id] = now + rest }
  }
}
