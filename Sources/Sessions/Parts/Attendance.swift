// SPDX-License-Identifier: MIT
import ViewModels

/// The clients that follow a session. It has no clock, and only the session's turn uses it.
///
/// A client counts as there for a moment after its last reader was answered, since a page needs that to ask again.
final class Attendance {
  /// That moment. With the second by which a host's looks are planned, a client that has gone counts for less than three.
  static let grace: Duration = .milliseconds(1_800)
  /// The time that the clients of an earlier process have to come back.
  static let graceOfRestart: Duration = .seconds(5)

  private struct Presence {
    var member: SessionMember
    /// Its place in the order in which the clients came.
    let number: Int
    /// The number of its readers that wait.
    var waiting = 0
    /// The time until which it counts as there while none waits.
    var until: ContinuousClock.Instant
  }

  private var presences: [String: Presence] = [:]
  private var lastNumber = 0
  /// The time of the next look for clients that have stayed away; `nil` if none is planned.
  private var nextLook: ContinuousClock.Instant?
  /// Whether the view model is about to be told of the members.
  var isTelling = false

  /// The clients that are there, the one first that came first.
  var members: [SessionMember] {
    presences.values.sorted { $0.number < $1.number }.map(\.member)
  }

  /// Takes in the members that an earlier process has stored.
  init(expecting members: [SessionMember] = [], now: ContinuousClock.Instant) {
    for member in members { add(member, until: now + Self.graceOfRestart) }
  }

  /// Notes that a reader of a client has come.
  ///
  /// - Returns: whether the members are others now, because the client was not there or has another user.
  func come(_ client: String, _ user: User?, at time: WallTime, _ now: ContinuousClock.Instant) -> Bool {
    let before = presences[client]?.member
    let member = SessionMember(client: client, user: user, since: before?.since ?? time)
    if before == nil { add(member, until: now) }
    presences[client]?.member = member
    presences[client]?.waiting += 1
    return before != member
  }

  private func add(_ member: SessionMember, until: ContinuousClock.Instant) {
    lastNumber += 1
    presences[member.client] = Presence(member: member, number: lastNumber, until: until)
  }

  /// Notes that a reader of a client has gone or was answered.
  ///
  /// - Parameter pause: the time after which it was told to come back.
  /// - Returns: the time of a look for those who have stayed away, if none is planned that is no later.
  func leave(
    _ client: String, pause: Duration = .zero, _ now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    guard var presence = presences[client] else { return nil }
    presence.waiting = max(0, presence.waiting - 1)
    presence.until = max(presence.until, now + pause + Self.grace)
    presences[client] = presence
    return presence.waiting == 0 ? plan(presence.until) : nil
  }

  private func plan(_ end: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    if let nextLook, nextLook <= end { return nil }
    nextLook = end
    return end
  }

  /// Plans the next look, as ``leave(_:pause:_:)`` does. O(clients).
  func planLook() -> ContinuousClock.Instant? {
    presences.values.lazy.filter { $0.waiting == 0 }.map(\.until).min().flatMap(plan)
  }

  /// Takes out the clients that have stayed away, if a look is due.
  ///
  /// - Returns: whether there were any.
  func look(_ now: ContinuousClock.Instant) -> Bool {
    guard let due = nextLook, due <= now else { return false }
    nextLook = nil
    let count = presences.count
    presences = presences.filter { $0.value.waiting > 0 || $0.value.until > now }
    return presences.count < count
  }
}
