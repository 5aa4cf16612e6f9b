// SPDX-License-Identifier: MIT
import Metering

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
    changeKeys { $0.remember(request, answer, now: services.now()) }
  }

  /// Remembers that a request is at work, which gets its answer later.
  func rememberAtWork(_ request: KeyedRequest) {
    changeKeys { $0.remember(request, nil, now: services.now()) }
  }

  /// Remembers the answer of a request that was at work.
  func remember(_ answer: KeptAnswer, ofWork request: KeyedRequest) {
    changeKeys { $0.answer(request, answer, now: services.now()) }
  }

  /// Changes the memory of keys, and counts what there was no room for.
  private func changeKeys(_ body: (inout KeyMemory) -> Void) {
    let before = keys.losses
    body(&keys)
    isUnsaved = true
    let after = keys.losses
    if after == before { return }
    meters.keysForgotten.increment(by: after.keys - before.keys)
    meters.answersGivenUp.increment(by: after.answers - before.answers)
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
