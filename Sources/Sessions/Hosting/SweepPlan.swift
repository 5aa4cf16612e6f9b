// SPDX-License-Identifier: MIT

/// The plan of when the store may forget sessions that were not used for long: a value, without a clock.
///
/// Last uses are stored by the wall clock, and one that is set forward makes every session look unused. So when the
/// wall clock went further than the time that passed, nothing is forgotten for as long as sessions are kept: the client
/// that uses one has come by then. A process that begins has only the wall clock to tell how long there was none. If no
/// session was used for longer than they are kept, the clock may have been set, and it waits as well; the store is
/// looked through for that before anything is forgotten.
struct SweepPlan {
  /// The wall clock may go further than the other one by so much, from one step to the next.
  static let margin: Duration = .seconds(60)
  /// The time from one look into the store to the next.
  static let interval: Duration = .seconds(1)

  enum Step: Equatable {
    case wait
    /// The last uses of the sessions after this one are to be read.
    case survey(after: String?)
    /// The sessions that are over at the one second since 1970, or were not used since the other, are to be forgotten.
    case sweep(now: Int64, unusedSince: Int64)
  }

  private enum Survey: Equatable {
    case due(after: String?)
    case underWay(after: String?)
    case done
  }

  /// The time for which sessions are kept, and nothing is forgotten after a leap of the clock.
  let kept: Duration
  private let began: Moment
  private var last: Moment
  private var next: ContinuousClock.Instant
  /// Nothing is forgotten before.
  private var rest: ContinuousClock.Instant
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
    self.kept = kept
  }

  /// The next thing to do, and how much further the wall clock went than the time that passed, if that is too much. To be
  /// asked often: each second, or so.
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
      return (.sweep(now: seconds, unusedSince: seconds - kept.components.seconds), nil)
    }
  }

  /// The time since which a session has to have been used, in seconds since 1970; `nil` while none is forgotten.
  func unusedSince(_ now: Moment) -> Int64? {
    guard survey == .done, now.instant >= rest else { return nil }
    return now.milliseconds / 1_000 - kept.components.seconds
  }

  /// Takes note of a session of the store, as it was used last.
  mutating func found(lastUsed: Int64) {
    // One that this process has stored tells nothing of those before it.
    if lastUsed < began.milliseconds / 1_000 { newestUse = max(newestUse ?? lastUsed, lastUsed) }
  }

  /// Ends a look of the survey.
  ///
  /// - Parameter last: the last session that was read; `nil` if there are no more.
  /// - Returns: how long before this process a session was last used, if that is longer than they are kept.
  mutating func surveyed(to last: String?) -> Duration? {
    if let last {
      survey = .due(after: last)
      return nil
    }
    survey = .done
    guard let newestUse else { return nil }
    let pause = Duration.seconds(began.milliseconds / 1_000 - newestUse)
    if pause <= kept { return nil }
    next = self.last.instant + kept
    rest = next
    return pause
  }

  /// Ends a look of the survey that did not succeed: it is taken again.
  mutating func surveyFailed() { if case .underWay(let id) = survey { survey = .due(after: id) } }

  /// Counts the sessions that a look has forgotten.
  ///
  /// - Returns: how many were in a row, when one comes that forgets nothing.
  mutating func forgot(_ count: Int) -> Int? {
    forgotten += count
    guard count == 0, forgotten > 0 else { return nil }
    defer { forgotten = 0 }
    return forgotten
  }
}
