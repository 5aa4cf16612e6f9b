// SPDX-License-Identifier: MIT
package import JSONPatching

/// One timer of a session.
public enum SessionTimer: Sendable, Hashable, CustomStringConvertible {
  /// A time for which the view model has asked, under a name (``SessionContext/wake(at:for:)``).
  case wake(String)
  /// The next time of an entry `.every`.
  case every(String)

  public var description: String {
    switch self {
    case .wake(let name): "wake '\(name)'"
    case .every(let name): "every '\(name)'"
    }
  }
}

/// The timers of a session, each with the time at which it is due. It is a value, and stored with the session.
package struct Timers: Sendable, Equatable {
  /// The time of a wake.
  package enum Wake: Sendable, Equatable {
    /// A time of the calendar. It comes when the wall clock shows it.
    case at(WallTime)
    /// The end of a duration. It comes when so much time has passed, however the wall clock is set.
    case after(Duration, ends: ContinuousClock.Instant)

    func instant(at now: Moment) -> ContinuousClock.Instant {
      switch self {
      case .at(let time): now.instant(of: time)
      case .after(_, let end): end
      }
    }

    func time(at now: Moment) -> WallTime {
      switch self {
      case .at(let time): time
      case .after(_, let end): now.time(of: end)
      }
    }
  }

  /// The most wakes that a session may have at once.
  package static let mostWakes = 64
  /// The longest time by which a wake may lie ahead.
  package static let farthest: Duration = .seconds(366 * 86_400)
  /// The most bytes of a wake's name.
  package static let longestName = 200

  /// The wakes, by their names.
  package var wakes: [String: Wake] = [:]
  /// The next times of the entries `.every`, by their names.
  package var periods: [String: ContinuousClock.Instant] = [:]

  package init() {}

  var isEmpty: Bool { wakes.isEmpty && periods.isEmpty }

  private func instants(at now: Moment) -> [(timer: SessionTimer, due: ContinuousClock.Instant)] {
    wakes.map { (.wake($0), $1.instant(at: now)) } + periods.map { (.every($0), $1) }
  }

  /// The instant at which the first timer is due, as the wall clock is set now.
  func next(at now: Moment) -> ContinuousClock.Instant? { instants(at: now).map(\.due).min() }

  /// The timers that are due, in the order of their times, and of their names where the times are equal.
  func due(at now: Moment) -> [SessionTimer] {
    instants(at: now).filter { $0.due <= now.instant }
      .sorted { ($0.due, "\($0.timer)") < ($1.due, "\($1.timer)") }.map(\.timer)
  }

  // MARK: As it is stored

  // { "wakes": { name: time, … }, "every": { name: time, … }, "lengths": { name: length, … } }
  //
  // Times are milliseconds since 1970. "lengths" has the wakes that come at the end of a duration, with its
  // milliseconds. It is absent where there is none.

  /// The timers as they are stored. Instants are told by the wall clock, as it goes on over a restart.
  package func json(at now: Moment) -> JSON {
    var lengths: [String: Int64] = [:]
    for case (let name, .after(let length, _)) in wakes {
      lengths[name] = Int64((length / .milliseconds(1)).rounded())
    }
    var members: [JSON.Member] = [
      .init(name: "wakes", value: Self.json(wakes.mapValues { $0.time(at: now).milliseconds })),
      .init(name: "every", value: Self.json(periods.mapValues { now.time(of: $0).milliseconds })),
    ]
    if !lengths.isEmpty { members.append(.init(name: "lengths", value: Self.json(lengths))) }
    return .object(members)
  }

  // Sorted, so that the stored text is always the same.
  private static func json(_ numbers: [String: Int64]) -> JSON {
    .object(numbers.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .integer($0.value)) })
  }

  /// Reads the form of ``json(at:)``. A member that is no timer is passed over.
  ///
  /// The end of a duration never lies farther ahead than its length: the wall clock may have been set back.
  package init(stored json: JSON?, at now: Moment) {
    let lengths = Self.numbers(json?["lengths"])
    for (name, milliseconds) in Self.numbers(json?["wakes"]) {
      let time = WallTime(milliseconds: milliseconds)
      wakes[name] =
        lengths[name].map { length in
          let length = Duration.milliseconds(length)
          return .after(length, ends: min(now.instant(of: time), now.instant + length))
        } ?? .at(time)
    }
    periods = Self.numbers(json?["every"]).mapValues { now.instant(of: WallTime(milliseconds: $0)) }
  }

  private static func numbers(_ json: JSON?) -> [String: Int64] {
    guard case .object(let members)? = json else { return [:] }
    var numbers: [String: Int64] = [:]
    for member in members {
      if case .integer(let number) = member.value { numbers[member.name] = number }
    }
    return numbers
  }
}

/// The refusal of a timer that cannot be set.
public struct WakeRefused: Error, CustomStringConvertible {
  public let description: String
}
