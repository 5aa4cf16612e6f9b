// SPDX-License-Identifier: MIT

/// The builds that take the served program's place, one after the other. The supervisor forgets a request for another one
/// while one takes over, so a build that ends meanwhile waits here for its turn.
struct Takeover {
  typealias Instant = ContinuousClock.Instant

  /// The time of the last request; `nil` if none is open.
  private var asked: Instant?
  /// Whether a build waits.
  private var isNextBuilt = false
  /// The number of requests that were made again for the build that waits.
  private var repetitions = 0

  /// The time after which a build no longer waits for one that hangs at its start.
  static let patience = Duration.seconds(5)

  /// A build has ended well.
  ///
  /// - Returns: whether to ask for its turn now.
  mutating func built(at now: Instant) -> Bool {
    (isNextBuilt, repetitions) = (asked != nil, 0)
    if !isNextBuilt { asked = now }
    return !isNextBuilt
  }

  /// The last request was followed, or refused.
  ///
  /// - Returns: whether to ask for the turn of a build that has waited.
  mutating func isOver(at now: Instant) -> Bool {
    defer { isNextBuilt = false }
    asked = isNextBuilt ? now : nil
    return isNextBuilt
  }

  /// Whether to ask again, since nothing followed the last request. The first such request ends a program that hangs, and the
  /// second one starts the build. No third one is made: the log may be set to tell nothing of takeovers.
  mutating func isOverdue(at now: Instant) -> Bool {
    guard isNextBuilt, let last = asked, last + Self.patience <= now else { return false }
    (asked, repetitions) = (now, repetitions + 1)
    isNextBuilt = repetitions < 2
    return true
  }
}
