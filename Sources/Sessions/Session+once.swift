// SPDX-License-Identifier: MIT

extension Session {
  /// What is known of a request with a key before anything is done for it.
  public enum Earlier: Sendable {
    /// Nothing: it is to be performed, and then remembered, unless it turns out that nothing was decided.
    case nothing
    case answer(KeptAnswer)
    /// It was decided once; what the answer was is not known any more. The version is the present one.
    case decided(Version)
    /// The first one is at work, and the waiter gets its answer.
    case atWork
    /// It closed the session.
    case closed
  }

  /// What was decided earlier of a request.
  ///
  /// - Parameter waiter: who waits, if the first one is at work.
  /// - Throws: ``SessionError``, if the session has ended, or the key is another request's or out of order; then the key is
  ///   not used up.
  public func earlier(_ request: KeyedRequest, waiter: ActionWaiter) throws -> Earlier {
    if case .closed(let closing)? = ending, closing == request { return .closed }
    try checkLiving()
    switch keys.decision(on: request, now: services.now()) {
    case .new: return .nothing
    case .answered(let answer): return .answer(answer)
    case .decided: return .decided(version)
    case .refused(let refusal): throw SessionError(refusal)
    case .atWork:
      guard let index = actionWaits.firstIndex(where: { $0.request == request }) else { return .decided(version) }
      actionWaits[index].readers.append(waiter)
      return .atWork
    }
  }

  /// Remembers what a request came to, whether it was applied or refused: whoever sends it again gets the same.
  public func remember(_ request: KeyedRequest, _ answer: KeptAnswer) {
    keys.remember(request, answer, now: services.now())
  }
}

extension SessionError {
  init(_ refusal: KeyMemory.Refusal) {
    switch refusal {
    case .outOfOrder(let expected): self = .outOfOrder(expected: expected)
    case .reused: self = .keyReused
    case .tooManyNames(let limit, let retryAfter): self = .tooManyKeyNames(limit: limit, retryAfter: retryAfter)
    }
  }
}
