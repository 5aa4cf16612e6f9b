// SPDX-License-Identifier: MIT
import Storing

/// When a session was used, when the host looks at it next, and how it has ended.
final class SessionLife {
  enum Phase {
    /// The view model does not know yet where it lives.
    case unsettled
    case living
    case ended(SessionEnding)
  }

  private var phase = Phase.unsettled
  /// The time when a request last came in, or a timer of the session acted.
  private(set) var lastUsed: ContinuousClock.Instant
  /// The last use of a session that was loaded for a timer. Without a newer use it leaves memory again.
  private var useBeforeTimers: ContinuousClock.Instant?
  /// The time of the host's next look at the session. An earlier look is out of date.
  private(set) var nextCheck: ContinuousClock.Instant

  init(now: ContinuousClock.Instant, nextCheck: ContinuousClock.Instant) {
    (lastUsed, self.nextCheck) = (now, nextCheck)
  }

  /// The session's end; `nil` while it lives.
  var ending: SessionEnding? { if case .ended(let ending) = phase { ending } else { nil } }
  var isClosed: Bool { if case .ended = phase { true } else { false } }
  var hasLeft: Bool { ending?.hasLeft == true }
  /// Whether nobody has used the session since it was loaded for its timers.
  var isAwakeForTimers: Bool { useBeforeTimers == lastUsed }

  /// Begins the life of the session in memory, if it has not begun or ended.
  ///
  /// - Returns: whether it begins.
  func begin() -> Bool {
    guard case .unsettled = phase else { return false }
    phase = .living
    return true
  }

  /// Notes the end of the session.
  func end(_ ending: SessionEnding) { phase = .ended(ending) }

  /// Notes a use.
  func touch(_ now: ContinuousClock.Instant) { lastUsed = now }

  /// Notes that the session was loaded for its timers, which does not count as a use.
  func cameForTimers(lastUsed: ContinuousClock.Instant) {
    (self.lastUsed, useBeforeTimers) = (lastUsed, lastUsed)
  }

  /// Notes that the session was asked to act now. It is kept as if it had been used.
  func noteWake(_ now: ContinuousClock.Instant) {
    if isAwakeForTimers { useBeforeTimers = now }
    lastUsed = now
  }

  /// Whether no request has come for that time.
  func isUnused(_ now: ContinuousClock.Instant, for time: Duration) -> Bool { !isClosed && lastUsed <= now - time }

  /// Sets the next look to the end of the idle time.
  func planWhenIdle(_ now: ContinuousClock.Instant, for idleTime: Duration) {
    nextCheck = max(lastUsed, now - idleTime) + idleTime
  }

  /// Sets the next look to an earlier instant.
  ///
  /// - Parameter instant: `nil` for no wish.
  /// - Returns: whether the next look is earlier now.
  @discardableResult
  func plan(noLaterThan instant: ContinuousClock.Instant?) -> Bool {
    guard let instant, instant < nextCheck else { return false }
    nextCheck = instant
    return true
  }
}

/// The end of a session in memory.
enum SessionEnding {
  /// The session ended for good, and its owner is told so.
  case closed(Closing)
  /// The session ended by itself, idle for too long: it is as if it had never been.
  case expired
  /// The session ended with the credential of its client: it is as if it had never been.
  case signedOut
  /// It lives on in the store alone.
  case left(SessionError?)

  var error: SessionError {
    switch self {
    case .closed(let closing): closing.error
    case .expired: .expired
    case .signedOut: .signedOut
    case .left(let error): error ?? .left
    }
  }

  var hasLeft: Bool { if case .left = self { true } else { false } }

  /// The answers to those who wait at the end: to a poll, and to a request that waits for a command.
  var answers: (poll: PollAnswer, refusal: SessionError) {
    switch self {
    // It reads what the store has.
    case .left(.conflict?), .left(.left?): (.failed(.left), .interrupted)
    case .left(let error?): (.failed(error), .interrupted)
    case .signedOut: (.failed(.signedOut), .signedOut)
    case .closed(.superseded): (.failed(.superseded), .superseded)
    case .closed(.ended): (.failed(.ended), .ended)
    case .closed(.byClient), .expired, .left(nil): (.closed, .closed)
    }
  }
}
