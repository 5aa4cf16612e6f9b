// SPDX-License-Identifier: MIT

/// Forward flow to readers that wait (PROTOCOL §5).
extension Session {
  /// Answers a poll if the session has something newer than the reader holds. Otherwise the poll waits.
  ///
  /// A reader beyond the limits releases the oldest one of its credential, or of this session (newest wins).
  ///
  /// - Returns: the answer, or `nil` if the poll waits.
  package func poll(_ waiter: Waiter, answer: @escaping Waiter.Answer) -> PollAnswer? {
    if let news = news(since: waiter.since, wantsSnapshot: waiter.wantsSnapshot) { return news }
    admit(waiter, answer)
    return nil
  }

  /// Answers a poll that does not wait.
  package func poll(since: Version?, wantsSnapshot: Bool = false) -> PollAnswer {
    news(since: since, wantsSnapshot: wantsSnapshot) ?? .unchanged
  }

  private func news(since: Version?, wantsSnapshot: Bool) -> PollAnswer? {
    if isClosed { return .closed }
    if let since, since == version { return nil }
    return .changed(message(since: since, wantsSnapshot))
  }

  /// Takes in a reader. If there is one too many, the one that has waited longest goes.
  func admit(_ waiter: Waiter, _ answer: @escaping Waiter.Answer) {
    let limits = services.limits
    if readers.count >= limits.perSession {
      release(readers.removeOldest(), .displaced(retryAfter: limits.retryAfter))
    }
    readers.add(WaitingPlace(waiter: waiter, answer: answer, since: waiter.since))
    if let oldest = limits.admit(waiter, of: owner, in: self) {
      let displaced = PollAnswer.displaced(retryAfter: limits.retryAfter)
      executor.afterTurn { oldest.session.submit { $0.endWait(of: oldest.waiter, displaced) } }
    }
  }

  /// Ends a wait. A wait that is over already is left alone.
  ///
  /// - Parameter answer: the reader's answer; `nil` if there is no reader any more.
  package func endWait(of waiter: Waiter, _ answer: PollAnswer?) {
    if let place = readers.remove(waiter) { release(place, answer) }
  }

  /// Lets go of a reader, with an answer if there is one.
  func release(_ place: WaitingPlace, _ answer: PollAnswer?) {
    services.limits.leave(place.waiter, of: owner)
    if case .displaced = answer { services.limits.noteDisplaced() }
    if let answer { tell { place.answer($0.map { .failed($0) } ?? answer) } }
  }

  /// Releases all readers that wait for a change, so that they ask again.
  ///
  /// - Parameter answer: the answer to a poll.
  func releaseReaders(with answer: PollAnswer = .unchanged) {
    for place in readers.removeAll() { release(place, place.waiter.follows ? .closed : answer) }
  }

  /// Answers the readers that wait for a change.
  func wakeReaders() {
    if readers.isEmpty { return }
    for var place in readers.removeAll() {
      if place.waiter.follows {
        wake(&place)
        readers.add(place)
      } else {
        release(place, .changed(message(since: place.since, place.waiter.wantsSnapshot)))
      }
    }
  }

  private func message(since: Version?, _ wantsSnapshot: Bool) -> Message {
    wantsSnapshot ? document(url: nil) : frame(since: since)
  }
}
