// SPDX-License-Identifier: MIT

/// Who waits in a session for something newer, and how to answer: a poll, or a follower, which stays after an answer.
public struct Waiter: Sendable, Identifiable {
  public let id: UInt64
  /// The version that the reader holds; of a follower, what was last handed over to it.
  var since: Version?
  private(set) var wantsSnapshot = false
  /// Whether it is a follower.
  let follows: Bool
  /// Whether it is at work on what it was answered last, and wants nothing yet.
  var isAway = false
  let answer: @Sendable (PollAnswer) -> Void

  /// A poll.
  ///
  /// - Parameters:
  ///   - id: another one than that of any who waits.
  ///   - answer: called at most once, on some thread, after the session's turn.
  public init(id: UInt64, answer: @escaping @Sendable (PollAnswer) -> Void) {
    self.init(id: id, since: nil, follows: false, answer: answer)
  }

  /// A follower.
  ///
  /// - Parameters:
  ///   - id: another one than that of any who waits.
  ///   - since: the version that the reader holds; `nil` for none.
  ///   - answer: called on some thread, after the session's turn: with `changed` at most once each time that the follower
  ///     asked, and with how it ended at most once, at any time.
  public init(id: UInt64, since: Version?, answer: @escaping @Sendable (PollAnswer) -> Void) {
    self.init(id: id, since: since, follows: true, answer: answer)
  }

  private init(id: UInt64, since: Version?, follows: Bool, answer: @escaping @Sendable (PollAnswer) -> Void) {
    self.id = id
    self.since = since
    self.follows = follows
    self.answer = answer
  }

  func asking(since: Version, wantsSnapshot: Bool) -> Waiter {
    var waiter = self
    waiter.since = since
    waiter.wantsSnapshot = wantsSnapshot
    return waiter
  }
}

/// How a poll ended.
public enum PollAnswer: Sendable {
  /// Something is newer: the frame, or the snapshot where that was asked for.
  case changed(Message)
  /// Nothing is newer.
  case unchanged
  /// A newer one took the place of this one: the client should come back after that many seconds.
  case displaced(retryAfter: Int)
  /// The session was closed by its owner.
  case closed
  /// There is something that cannot be shown, and why: what it came from was not stored.
  case failed(SessionError)
}

/// A piece of forward flow, ready to be sent: its JSON, and the version that a reader has after it.
public struct Message: Sendable, Equatable {
  public let json: [UInt8]
  public let version: Version

  public init(json: [UInt8], version: Version) {
    self.json = json
    self.version = version
  }
}
