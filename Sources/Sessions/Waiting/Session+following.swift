// SPDX-License-Identifier: MIT

/// Readers that stay and are handed one frame after another, each when they ask for it (PROTOCOL §5, streams).
///
/// Nothing is kept for them but the version that they were last handed: however much changes while they are at work on a
/// frame, the next one is one patch from there to the present state.
extension Session {
  /// Takes in a follower, which counts as one that waits from here until it ends, and answers as ``next(for:)``.
  ///
  /// A reader beyond the limits releases the oldest of its credential, or of this session (newest wins).
  public func follow(_ follower: Waiter, answer: @escaping Waiter.Answer) -> PollAnswer? {
    if isClosed { return .closed }
    admit(follower, answer)
    return next(for: follower)
  }

  /// The next frame of a follower: to be asked for when it is done with the last one.
  ///
  /// - Returns: `nil` if it has to wait, or does not follow any more: it was told why.
  public func next(for follower: Waiter) -> PollAnswer? {
    guard let index = waiters.firstIndex(where: { $0.waiter === follower }) else { return nil }
    guard waiters[index].since != version else {
      waiters[index].isAway = false
      return nil
    }
    return .changed(handOver(to: &waiters[index]))
  }

  /// Answers a follower that waits. One that is away asks when it comes back.
  func wake(_ place: inout WaitingPlace) {
    if place.isAway { return }
    let message = handOver(to: &place)
    tell { [answer = place.answer] in answer($0.map { .failed($0) } ?? .changed(message)) }
  }

  private func handOver(to place: inout WaitingPlace) -> Message {
    let message = frame(since: place.since)
    place.since = message.version
    place.isAway = true
    return message
  }
}
