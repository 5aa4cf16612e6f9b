// SPDX-License-Identifier: MIT
import ObservableCore

/// The sequences that a session's view model follows, as far as they wait for time. It also takes the errors that
/// reach no caller.
final class FollowedSequences: GraphHost {
  /// The sequences whose elements wait, the first one first.
  private var waiting: [() -> Void] = []
  /// Whether there is time for an element of a sequence, which acts next then.
  var hasTime: (_ place: String) -> Bool = { _ in true }
  var didFail: (_ error: any Error, _ place: String) -> Void = { _, _ in }

  /// The time of the last report that one waits.
  private var lastReport: ContinuousClock.Instant?

  var areWaiting: Bool { !waiting.isEmpty }

  /// Whether it is to be reported that a sequence waits. It is so once a minute at most.
  func isWaitNews(_ now: ContinuousClock.Instant) -> Bool {
    if let lastReport, now - lastReport < .seconds(60) { return false }
    lastReport = now
    return true
  }

  func take(_ error: any Error, of place: String) { didFail(error, place) }

  func admit(_ place: String, orLater goOn: @escaping () -> Void) -> Bool {
    if hasTime(place) { return true }
    waiting.append(goOn)
    return false
  }

  /// Lets those that wait ask again.
  func goOn() {
    let due = waiting
    waiting = []
    for goOn in due { goOn() }
  }
}
