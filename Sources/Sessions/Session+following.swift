// SPDX-License-Identifier: MIT

/// Readers that stay and are handed one frame after another, each when they ask for it (PROTOCOL §5, streams).
///
/// Nothing is kept for them but the version that they were last handed: however much changes while they are at work on a
/// frame, the next one is one patch from there to the present state.
extension Session {
  /// Takes in a follower, which counts as one that waits from here until it ends, and answers as ``next(for:)``.
  ///
  /// One beyond the limits releases the oldest who waits, of its credential or of this session (newest wins).
  public func follow(_ follower: Waiter) -> PollAnswer? {
    if isClosed { return .closed }
    admit(follower)
    return next(for: follower.id)
  }

  /// What a follower is to be handed next: to be asked when it is done with what it was handed before.
  ///
  /// - Returns: the frame, or `nil` if it has to wait, or does not follow any more: it was told why.
  public func next(for follower: Waiter.ID) -> PollAnswer? {
    guard let index = waiters.firstIndex(where: { $0.id == follower }) else { return nil }
    guard waiters[index].since != version else {
      waiters[index].isAway = false
      return nil
    }
    return .changed(handOver(to: &waiters[index]))
  }

  /// Answers a follower that waits. One that is away asks when it comes back.
  func wakeFollower(_ follower: Waiter) -> Waiter {
    if follower.isAway { return follower }
    var follower = follower
    let message = handOver(to: &follower)
    tell { [answer = follower.answer] in answer($0.map { .failed($0) } ?? .changed(message)) }
    return follower
  }

  private func handOver(to follower: inout Waiter) -> Message {
    let message = frame(since: follower.since)
    follower.since = message.version
    follower.isAway = true
    return message
  }
}
