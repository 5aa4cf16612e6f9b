// SPDX-License-Identifier: MIT
import Storing

/// The looks at the room in a store: the findings of the last one, and the reports to an operator. A value, without a
/// clock.
struct RoomWatch: Sendable {
  /// The time between two looks into the store. A look may take a trip, on the thread that commits.
  static let interval: Duration = .seconds(1)
  /// The time for which a session is passed over that was in use when it was to end.
  static let rest: Duration = .seconds(60)
  /// The time for which an operator is not told again.
  private static let quiet: Duration = .seconds(60)

  private(set) var room: StoreRoom
  /// The number of sessions that ended for others.
  private(set) var ended = 0
  private var told = 0
  private var isLooking = false
  private var next: ContinuousClock.Instant?
  private var quietUntil: ContinuousClock.Instant?
  private var failureQuietUntil: ContinuousClock.Instant?
  /// The sessions that are passed over, each with the instant until which it is. Each look adds a few.
  private var inUse: [String: ContinuousClock.Instant] = [:]

  init(limit: Int) { room = StoreRoom(limit: limit) }

  /// - Returns: whether a look begins; `false` while the one before has no answer, and until its second is over.
  mutating func begin(_ now: ContinuousClock.Instant) -> Bool {
    if isLooking || next.map({ now < $0 }) ?? false { return false }
    (isLooking, next) = (true, now + Self.interval)
    return true
  }

  /// Takes the findings of a look. From now on openings and changes are let in by them, whether or not sessions can end.
  mutating func found(_ room: StoreRoom) { self.room = room }

  /// Ends a look that the store did not answer.
  mutating func unanswered() { isLooking = false }

  /// Ends a look whose findings were taken.
  ///
  /// - Parameter count: the number of sessions that have ended.
  /// - Returns: the number of sessions that have ended, where an operator is to be told that the store is nearly full.
  mutating func looked(ended count: Int, now: ContinuousClock.Instant) -> Int? {
    isLooking = false
    ended += count
    if let quietUntil, now < quietUntil { return nil }
    guard room.isNear else { return nil }
    quietUntil = now + Self.quiet
    defer { told = ended }
    return ended - told
  }

  /// Notes that the store could not end sessions.
  ///
  /// - Returns: whether an operator is to be told.
  mutating func couldNotEnd(now: ContinuousClock.Instant) -> Bool {
    if let failureQuietUntil, now < failureQuietUntil { return false }
    failureQuietUntil = now + Self.quiet
    return true
  }

  /// Notes that a session in memory has ended for others.
  mutating func countEnd() { ended += 1 }

  /// Notes that a session that was to end is in use. For a while others come first.
  mutating func passOver(_ id: String, now: ContinuousClock.Instant) { inUse[id] = now + Self.rest }

  /// The sessions that are passed over now.
  mutating func passedOver(_ now: ContinuousClock.Instant) -> Set<String> {
    inUse = inUse.filter { $0.value > now }
    return Set(inUse.keys)
  }
}
