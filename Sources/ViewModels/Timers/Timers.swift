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
  /// The most wakes that a session may have at once.
  package static let mostWakes = 64
  /// The longest time by which a wake may lie ahead.
  package static let farthest: Duration = .seconds(366 * 86_400)
  /// The most bytes of a wake's name.
  package static let longestName = 200

  package var due: [SessionTimer: WallTime] = [:]

  package init() {}

  package var wakes: [String: WallTime] {
    var wakes: [String: WallTime] = [:]
    for case (.wake(let name), let time) in due { wakes[name] = time }
    return wakes
  }

  /// The earliest time at which a timer is due.
  package var next: WallTime? { due.values.min() }

  /// The timers that are due, in the order of their times, and of their names where the times are equal.
  package func due(at now: WallTime) -> [SessionTimer] {
    due.filter { $0.value <= now }.sorted { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }.map(\.key)
  }

  // MARK: As it is stored

  /// The timers as two objects, which map names to milliseconds since 1970.
  package var json: JSON {
    var (wakes, periods): ([JSON.Member], [JSON.Member]) = ([], [])
    // Sorted, so that the stored text is always the same.
    for (timer, time) in due.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      switch timer {
      case .wake(let name): wakes.append(.init(name: name, value: .integer(time.milliseconds)))
      case .every(let name): periods.append(.init(name: name, value: .integer(time.milliseconds)))
      }
    }
    return .object([.init(name: "wakes", value: .object(wakes)), .init(name: "every", value: .object(periods))])
  }

  /// Reads the form of ``json``. A member that is no timer is passed over.
  package init(stored json: JSON?) {
    for (kind, timer) in [("wakes", SessionTimer.wake), ("every", SessionTimer.every)] {
      guard case .object(let members)? = json?[kind] else { continue }
      for member in members {
        if case .integer(let milliseconds) = member.value {
          due[timer(member.name)] = WallTime(milliseconds: milliseconds)
        }
      }
    }
  }
}

/// The refusal of a timer that cannot be set.
public struct WakeRefused: Error, CustomStringConvertible {
  public let description: String
}
