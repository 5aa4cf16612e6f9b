// SPDX-License-Identifier: MIT

/// A reader that waits in a session for something newer: a poll, which is answered once, or a follower, which stays.
///
/// One object, known by its identity, from its arrival to its answer.
public final class Waiter: Sendable {
  /// The version that the reader holds when it comes; `nil` for none.
  let since: Version?
  let wantsSnapshot: Bool
  /// Whether it is a follower.
  let follows: Bool
  /// The client that waits; `nil` where that is the session's owner.
  let client: Credential?

  private init(since: Version?, wantsSnapshot: Bool, follows: Bool, client: Credential?) {
    self.client = client
    self.since = since
    self.wantsSnapshot = wantsSnapshot
    self.follows = follows
  }

  /// A poll.
  ///
  /// - Parameter wantsSnapshot: Whether the answer is the whole state rather than a frame.
  public static func poll(since: Version?, wantsSnapshot: Bool = false, of client: Credential? = nil) -> Waiter {
    Waiter(since: since, wantsSnapshot: wantsSnapshot, follows: false, client: client)
  }

  /// A follower.
  public static func follower(since: Version?, of client: Credential? = nil) -> Waiter {
    Waiter(since: since, wantsSnapshot: false, follows: true, client: client)
  }

  /// Takes the answer for the reader, on some thread, after the session's turn. A poll is told once. A follower is told
  /// `changed` at most once each time that it asked, and its end at most once, at any time.
  public typealias Answer = @Sendable (PollAnswer) -> Void
}

/// The place of a reader in its session.
struct WaitingPlace {
  let waiter: Waiter
  let answer: Waiter.Answer
  /// The version that the reader holds: of a follower the one that it was handed last.
  var since: Version?
  /// Whether it is a follower at work on its last frame, which wants nothing yet.
  var isAway = false
}

/// The answer to a poll.
public enum PollAnswer: Sendable {
  /// Something is newer: the frame, or the snapshot where that was asked for.
  case changed(Message)
  /// Nothing is newer.
  case unchanged
  /// A newer reader took the place of this one: the client should come back after that many seconds.
  case displaced(retryAfter: Int)
  /// The session was closed by its owner.
  case closed
  /// The reason why a change cannot be shown: it was not stored.
  case failed(SessionError)
}
