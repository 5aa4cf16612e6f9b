// SPDX-License-Identifier: MIT

/// The code that has a session's turn, as its time is counted and reported.
struct TimedWork {
  /// The cause of the code, whose allowance its time is drawn from.
  enum Cause {
    /// A client that uses the session has asked for it.
    ///
    /// - Parameter use: the client's; `nil` for that of the session's owner.
    case client(_ use: ClientUse?)
    /// Nobody has who uses the session: a followed sequence, a timer, or a command that one of them has started.
    case others
  }

  /// The name in reports.
  var name: String
  let cause: Cause

  init(_ name: String, by cause: Cause) { (self.name, self.cause) = (name, cause) }

  /// A job of a task that is no step of a known run.
  static let ofTask = TimedWork("a task of the view model", by: .others)
  /// Code between steps, such as the end of a command that took too long.
  static let between = TimedWork("the end of a command", by: .client(nil))
}

/// Such code while it runs.
struct PresentWork {
  var work: TimedWork
  let began: ContinuousClock.Instant
  /// The number by which the ``ActionWatch`` knows it.
  let number: UInt64
}

extension ContinuousClock.Instant {
  /// The time to a later instant, in seconds.
  func seconds(to later: ContinuousClock.Instant) -> Double {
    let span = later - self
    // Nine seconds of attoseconds fit into 64 bits, which become a Double faster than 128 bits do.
    guard let attoseconds = Int64(exactly: span.attoseconds) else { return span / .seconds(1) }
    return Double(attoseconds) / 1e18
  }
}
