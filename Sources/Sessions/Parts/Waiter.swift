// SPDX-License-Identifier: MIT
import Storing

/// A reader that waits in a session for something newer: a poll, which is answered once, or a follower, which
/// stays.
///
/// It is one object from its arrival to its answer, known by its identity.
package final class Waiter: Sendable {
  /// The version that the reader holds when it comes; `nil` if it holds none.
  let since: Version?
  let wantsSnapshot: Bool
  /// Whether the reader is a follower.
  let follows: Bool
  /// Whether the reader is another session of the client, which is no member and has no share in the client's limits.
  let isSession: Bool
  /// The client that waits; `nil` if that is the session's owner.
  let requester: Requester?
  var client: Credential? { requester?.client }

  private init(
    since: Version?, wantsSnapshot: Bool, follows: Bool, isSession: Bool = false, requester: Requester?
  ) {
    self.requester = requester
    self.since = since
    self.wantsSnapshot = wantsSnapshot
    self.follows = follows
    self.isSession = isSession
  }

  /// Makes a poll.
  ///
  /// - Parameters:
  ///   - wantsSnapshot: whether the answer is the whole state instead of a frame.
  ///   - isSession: whether the poll is of a session at another server.
  package static func poll(
    since: Version?, wantsSnapshot: Bool = false, of requester: Requester? = nil, isSession: Bool = false
  ) -> Waiter {
    Waiter(since: since, wantsSnapshot: wantsSnapshot, follows: false, isSession: isSession, requester: requester)
  }

  /// Makes a follower.
  package static func follower(since: Version?, of requester: Requester? = nil) -> Waiter {
    Waiter(since: since, wantsSnapshot: false, follows: true, requester: requester)
  }

  /// Makes a follower that is another session, of the client with that request.
  static func session(_ requester: Requester) -> Waiter {
    Waiter(since: nil, wantsSnapshot: false, follows: true, isSession: true, requester: requester)
  }

  /// Takes the answer for the reader, on any thread, after the session's turn. A poll is answered once. A
  /// follower gets `changed` at most once each time that it asks, and its end at most once, at any time.
  package typealias Answer = @Sendable (PollAnswer) -> Void
}

/// The place of a reader in its session.
struct WaitingPlace {
  let waiter: Waiter
  let answer: Waiter.Answer
  /// The version that the reader holds. A follower holds the one that it was handed last.
  var since: Version?
  /// Whether the reader is a follower that is still at work on its last frame, so that it gets nothing yet.
  var isAway = false
}

extension PollAnswer {
  /// The time after which the reader comes back.
  var pause: Duration {
    switch self {
    case .displaced(let seconds): .seconds(seconds)
    // A stream ends with this pause, and a poll with a problem after which a client asks anew.
    case .failed: .seconds(2)
    case .changed, .unchanged, .closed: .zero
    }
  }
}

/// The answer to a poll.
package enum PollAnswer: Sendable {
  /// Something is newer: a frame, or a snapshot if the reader asked for that.
  case changed(Message)
  /// Nothing is newer.
  case unchanged
  /// A newer reader took the place of this one, or the client may not be there any more. It should come back after that many
  /// seconds.
  case displaced(retryAfter: Int)
  /// The session has ended or has left memory, or a follower has to come again.
  case closed
  /// The wait failed: a change was not stored, or the session or its credential has ended.
  case failed(SessionError)
}
