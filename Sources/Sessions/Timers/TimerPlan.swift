// SPDX-License-Identifier: MIT

/// A stored session that has a timer due.
package struct DueSession: Sendable, Equatable {
  package let id: String
  /// The time at which the timer is due, in milliseconds since 1970.
  package let time: Int64

  package init(id: String, time: Int64) { (self.id, self.time) = (id, time) }
}

/// The plan of when the store is asked for sessions whose timers are due, and which of these sessions are
/// loaded. A value, without a clock.
///
/// The store is asked once a second, page by page. A session that could not be loaded, or that another server
/// has, is left alone for a while. It does not keep other sessions from their turn.
/// keeps no other one from its turn.
struct TimerPlan {
  static let interval: Duration = .seconds(1)
  /// The most sessions that one question asks for, and the most that are being loaded at once.
  static let limit = 100
  /// The time for which a session is left alone that could not be loaded. The cause is likely to last for more
  /// than a moment.
  static let rest: Duration = .seconds(60)
  /// The time for which a session is left alone that another server has. If that server lives, it runs the
  /// timer within a second or two.
  static let restElsewhere: Duration = .seconds(5)
  /// The most sessions that are remembered as left alone.
  private static let most = 10_000

  private var next: ContinuousClock.Instant
  private var isAsking = false
  /// The last session of the page before; `nil` at the beginning.
  private var last: DueSession?
  private var loading: Set<String> = []
  private var leftAlone: [String: ContinuousClock.Instant] = [:]

  init(now: ContinuousClock.Instant) { next = now }

  /// The question for the store: the sessions that are due by a time in milliseconds since 1970, beginning
  /// after another session; `nil` if nothing is to be asked now.
  mutating func step(_ now: Moment) -> (by: Int64, after: DueSession?)? {
    guard !isAsking, now.instant >= next, loading.count < Self.limit else { return nil }
    isAsking = true
    leftAlone = leftAlone.filter { $0.value > now.instant }
    return (now.milliseconds, last)
  }

  /// Takes the store's answer; `nil` if the store has failed.
  ///
  /// - Returns: the ids of the sessions that are to be loaded.
  mutating func found(_ due: [DueSession]?, now: ContinuousClock.Instant) -> [String] {
    isAsking = false
    let isLast = due.map { $0.count < Self.limit } ?? true
    last = isLast ? nil : due?.last
    // After a full page, more sessions are due, so the next page is asked for at once.
    next = isLast ? now + Self.interval : now
    let ids = (due ?? []).map(\.id).filter { leftAlone[$0] == nil && !loading.contains($0) }
    loading.formUnion(ids)
    return ids
  }

  /// Notes that a session was loaded, or could not be.
  ///
  /// - Parameter rest: the time for which it is left alone; `nil` if it was loaded.
  mutating func loaded(_ id: String, rest: Duration?, now: ContinuousClock.Instant) {
    loading.remove(id)
    if let rest, leftAlone.count < Self.most { leftAlone[id] = now + rest }
  }
}
