// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// The plan of when the store may forget sessions that nobody has used for long. A value, without a clock.
///
/// The times of last uses are stored by the wall clock. When that is set forward, every session looks unused.
/// So if the wall clock goes further than the time that passed, nothing is forgotten for as long as sessions
/// are kept. By then, each client that uses a session has come.
///
/// A process that begins has only the wall clock to tell how long no process ran. So it first looks through the
/// whole store. If no session was used for longer than sessions are kept, the clock may have been set, and the
/// process waits as well. If none was used for longer than those of little use are kept, these are kept as long as
/// others, for that time.
struct SweepPlan {
  /// The most that the wall clock may go further than the other clock, from one step to the next.
  static let margin: Duration = .seconds(60)
  /// The time between two looks into the store.
  static let interval: Duration = .seconds(1)

  enum Step: Equatable {
    case wait
    /// Reads the last uses of the sessions after this one.
    case survey(after: String?)
    /// Forgets the sessions that a rule takes.
    case sweep(ExpiryRule)
  }

  private enum Survey: Equatable {
    case due(after: String?)
    case underWay(after: String?)
    case done
  }

  /// The time for which sessions are kept. For as long, nothing is forgotten after a leap of the clock.
  let kept: Duration
  private let began: Moment
  private var last: Moment
  private var next: ContinuousClock.Instant
  /// The instant before which nothing is forgotten.
  private var rest: ContinuousClock.Instant
  /// The instant before which sessions of little use are kept as long as others.
  private var littleUseRest: ContinuousClock.Instant
  private var survey = Survey.due(after: nil)
  /// The newest use by an earlier process, in seconds since 1970.
  private var newestUse: Int64?
  private var forgotten = 0

  /// - Parameter patience: the time that clients of an earlier process have to come back.
  init(now: Moment, patience: Duration, kept: Duration) {
    began = now
    last = now
    next = now.instant + patience
    rest = next
    littleUseRest = next
    self.kept = kept
  }

  /// The next step. If the wall clock went too much further than the time that passed, also how much. To be
  /// asked about once a second.
  mutating func step(_ now: Moment) -> (step: Step, leap: Duration?) {
    let leap = .milliseconds(now.milliseconds - last.milliseconds) - (now.instant - last.instant)
    last = now
    if leap > Self.margin {
      next = now.instant + kept
      rest = next
      return (.wait, leap)
    }
    guard now.instant >= next else { return (.wait, nil) }
    next = now.instant + Self.interval
    switch survey {
    case .due(let id):
      survey = .underWay(after: id)
      return (.survey(after: id), nil)
    case .underWay: return (.wait, nil)
    case .done:
      let seconds = now.milliseconds / 1_000
      let unusedSince = seconds - kept.components.seconds
      let littleUsedSince =
        now.instant < littleUseRest ? unusedSince : max(unusedSince, seconds - SessionRecord.littleUse.time)
      return (.sweep(ExpiryRule(now: seconds, unusedSince: unusedSince, littleUsedSince: littleUsedSince)), nil)
    }
  }

  /// The time since which a session has to have been used in order to stay, in seconds since 1970; `nil` while
  /// no session is forgotten.
  func unusedSince(_ now: Moment) -> Int64? {
    guard survey == .done, now.instant >= rest else { return nil }
    return now.milliseconds / 1_000 - kept.components.seconds
  }

  /// Notes when a session of the store was last used.
  mutating func found(lastUsed: Int64) {
    // A use that this process has stored tells nothing about the time before it.
    if lastUsed < began.milliseconds / 1_000 { newestUse = max(newestUse ?? lastUsed, lastUsed) }
  }

  /// Ends a look of the survey.
  ///
  /// - Parameter last: the last session that was read; `nil` if there are no more.
  /// - Returns: the time between the last use of any session and this process's start, if it is longer than
  ///   sessions are kept.
  mutating func surveyed(to last: String?) -> Duration? {
    if let last {
      survey = .due(after: last)
      return nil
    }
    survey = .done
    guard let newestUse else { return nil }
    let pause = Duration.seconds(began.milliseconds / 1_000 - newestUse)
    let littleUse = Duration.seconds(SessionRecord.littleUse.time)
    if pause > littleUse { littleUseRest = self.last.instant + littleUse }
    if pause <= kept { return nil }
    next = self.last.instant + kept
    rest = next
    return pause
  }

  /// Ends a look of the survey that failed. It is tried again.
  mutating func surveyFailed() { if case .underWay(let id) = survey { survey = .due(after: id) } }

  /// Counts the sessions that a look has forgotten.
  ///
  /// - Returns: the sum of the looks in a row that forgot sessions, once one forgets none.
  mutating func forgot(_ count: Int) -> Int? {
    forgotten += count
    guard count == 0, forgotten > 0 else { return nil }
    defer { forgotten = 0 }
    return forgotten
  }
}
