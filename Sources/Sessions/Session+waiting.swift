// SPDX-License-Identifier: MIT

/// Forward flow to those who wait (PROTOCOL §5).
extension Session {
  /// Answers a poll that finds something newer than `since`, and keeps one that does not and may wait.
  ///
  /// A waiting poll beyond the limits releases the oldest of its credential, or of this session (newest wins).
  ///
  /// - Parameters:
  ///   - since: the version that the reader holds; `nil` for none.
  ///   - wantsSnapshot: whether the answer is the whole state rather than a frame.
  ///   - waiter: what is to be answered when something changes; `nil` if the poll does not wait.
  /// - Returns: the answer, or `nil` if the poll waits.
  public func poll(since: Version?, wantsSnapshot: Bool = false, waiter: Waiter? = nil) -> PollAnswer? {
    if isClosed { return .closed }
    guard let since, since == version else { return .changed(message(since: since, wantsSnapshot)) }
    guard let waiter else { return .unchanged }
    admit(waiter.asking(since: since, wantsSnapshot: wantsSnapshot))
    return nil
  }

  /// Takes in who waits, and has who has waited longest go if that is one too many.
  func admit(_ waiter: Waiter) {
    let limits = services.limits
    if waiters.count >= limits.perSession { release(waiters.removeFirst(), .displaced(retryAfter: limits.retryAfter)) }
    waiters.append(waiter)
    if let oldest = limits.admit(waiter.id, of: owner, in: self) {
      let displaced = PollAnswer.displaced(retryAfter: limits.retryAfter)
      executor.afterTurn { oldest.session.submit { $0.endWait(oldest.waiter, displaced) } }
    }
  }

  /// Ends a wait; one that is over already is left alone.
  ///
  /// - Parameter answer: what the reader gets; `nil` if there is no reader any more.
  public func endWait(_ waiter: Waiter.ID, _ answer: PollAnswer?) {
    guard let index = waiters.firstIndex(where: { $0.id == waiter }) else { return }
    release(waiters.remove(at: index), answer)
  }

  /// Lets go of who waits, with an answer if there is one.
  func release(_ waiter: Waiter, _ answer: PollAnswer?) {
    services.limits.leave(waiter.id, of: owner)
    if case .displaced = answer { services.limits.noteDisplaced() }
    if let answer { tell { waiter.answer($0.map { .failed($0) } ?? answer) } }
  }

  /// Answers who waits for a change.
  func wakeWaiters() {
    guard !waiters.isEmpty else { return }
    let woken = waiters
    waiters = []
    for waiter in woken {
      if waiter.follows {
        waiters.append(wakeFollower(waiter))
      } else {
        release(waiter, .changed(message(since: waiter.since, waiter.wantsSnapshot)))
      }
    }
  }

  private func message(since: Version?, _ wantsSnapshot: Bool) -> Message {
    wantsSnapshot ? document(url: nil) : frame(since: since)
  }
}
