// SPDX-License-Identifier: MIT

/// Readers that stay, and get one frame after another, each when they ask for it (PROTOCOL §5, streams).
///
/// Only the version that a reader was handed last is kept. However much changes while the reader is at work on
/// a frame, its next frame is one patch from there to the present state.
extension Session {
  /// Takes in a follower, and answers as ``next(for:)`` does. From here until its end it counts as a reader
  /// that waits.
  ///
  /// A reader beyond the limits releases the oldest one of its credential, or of this session (newest wins). In a room that
  /// is full it is refused.
  package func follow(_ follower: Waiter, answer: @escaping Waiter.Answer) -> PollAnswer? {
    if isClosed { return .closed }
    if let refusal = admit(follower, answer) { return .failed(refusal) }
    return next(for: follower)
  }

  /// The next frame of a follower. To be asked for when the follower is done with the last one.
  ///
  /// - Returns: `nil` if the follower has to wait. Also `nil` if it follows no more; it was told why.
  package func next(for follower: Waiter) -> PollAnswer? {
    guard var place = readers[follower] else { return nil }
    if let ending = ending(for: follower.requester) {
      endWait(of: follower, ending)
      return nil
    }
    show(to: follower.requester)
    defer { readers[follower] = place }
    guard place.since != version else {
      place.isAway = false
      return nil
    }
    return .changed(handOver(to: &place))
  }

  /// Answers a follower that waits.
  func hand(_ message: Message, to place: inout WaitingPlace) {
    (place.since, place.isAway) = (message.version, true)
    tell { [answer = place.answer] in answer($0.map { .failed($0) } ?? .changed(message)) }
  }

  private func handOver(to place: inout WaitingPlace) -> Message {
    let message = frame(since: place.since)
    place.since = message.version
    place.isAway = true
    return message
  }
}
