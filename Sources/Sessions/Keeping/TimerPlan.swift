// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// The plan of when the store is asked for sessions whose timers are due, and which of these sessions are
/// loaded. A value, without a clock.
///
/// The store is asked once a second, page by page. A session that could not be loaded, or that another server
/// has, is left alone for a while. It does not keep other sessions from their turn.
///
/// The store has the times of timers by the wall clock. When that is set back, the sessions there seem to be due
/// later than they are. So all sessions with timers are asked for once then, a page each second, and loaded. Each
/// stores its times anew.
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
  /// The least by which the wall clock is set that counts. A timer may be late by less.
  private static let leastStep: Duration = .seconds(2)

  private enum Survey: Equatable {
    case due(after: DueSession?)
    case underWay(after: DueSession?)
    case done
  }

  private var next: ContinuousClock.Instant
  private var isAsking = false
  /// The last session of the page before; `nil` at the beginning.
  private var last: DueSession?
  private var loading: Set<String> = []
  private var leftAlone: [String: ContinuousClock.Instant] = [:]
  /// The moment of the last step of the wall clock.
  private var clocks: Moment
  private var survey = Survey.done
  /// Whether the survey has the next question. The sessions that are due have their turn between its pages.
  private var isSurveyNext = false

  init(now: Moment) { (next, clocks) = (now.instant, now) }

  /// Compares the clocks.
  ///
  /// - Returns: whether the wall clock was set since the last step.
  mutating func noteClocks(_ now: Moment) -> Bool {
    let step = .milliseconds(now.milliseconds - clocks.milliseconds) - (now.instant - clocks.instant)
    if max(step, .zero - step) < Self.leastStep { return false }
    clocks = now
    if step < .zero { (survey, isSurveyNext) = (.due(after: nil), true) }
    return true
  }

  /// The question for the store: the sessions that are due by a time in milliseconds since 1970, beginning
  /// after another session; `nil` if nothing is to be asked now.
  mutating func step(_ now: Moment) -> (by: Int64, after: DueSession?)? {
    guard !isAsking, now.instant >= next, loading.count < Self.limit else { return nil }
    isAsking = true
    leftAlone = leftAlone.filter { $0.value > now.instant }
    if isSurveyNext, case .due(let last) = survey {
      survey = .underWay(after: last)
      return (.max, last)
    }
    return (now.milliseconds, last)
  }

  /// Takes the store's answer; `nil` if the store has failed.
  ///
  /// - Returns: the ids of the sessions that are to be loaded.
  mutating func found(_ due: [DueSession]?, now: ContinuousClock.Instant) -> [String] {
    isAsking = false
    let isLast = due.map { $0.count < Self.limit } ?? true
    if case .underWay(let before) = survey {
      survey = due.map { isLast ? .done : .due(after: $0.last) } ?? .due(after: before)
      (isSurveyNext, next) = (false, now + Self.interval)
    } else {
      last = isLast ? nil : due?.last
      isSurveyNext = isLast
      // After a full page, more sessions are due, so the next page is asked for at once.
      next = isLast && survey == .done ? now + Self.interval : now
    }
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
