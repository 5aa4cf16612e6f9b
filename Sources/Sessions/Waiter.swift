// SPDX-License-Identifier: MIT

/// A poll that can wait in a session, and how to answer it.
public struct Waiter: Sendable, Identifiable {
  public let id: UInt64
  private(set) var since: Version?
  private(set) var wantsSnapshot = false
  let answer: @Sendable (PollAnswer) -> Void

  /// - Parameters:
  ///   - id: another one than that of any poll which waits.
  ///   - answer: called at most once, on some thread, after the session's turn.
  public init(id: UInt64, answer: @escaping @Sendable (PollAnswer) -> Void) {
    self.id = id
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
  /// A newer poll took the place of this one: the client should come back after that many seconds.
  case displaced(retryAfter: Int)
  /// The session was closed by its owner.
  case closed
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
