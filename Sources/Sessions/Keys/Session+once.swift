// SPDX-License-Identifier: MIT
import ViewModels

/// A request with a key takes effect once (PROTOCOL §4).
extension Session {
  /// Makes the changes of a request, or gives the answer that it got when it came before.
  ///
  /// - Returns: `nil` if the answer waits for commands.
  /// - Throws: What the request is refused with: as the request's `refusal` has it, or ``SessionError`` if the session has
  ///   ended, or the key is another request's or out of order; then the key is not used up.
  func once(_ request: ChangeRequest, _ answer: @escaping ChangeRequest.Answer) throws -> ChangeRequest.Outcome? {
    guard let key = key(of: request) else {
      do { return try fulfil(request, answer) } catch { throw request.refusal(error).error }
    }
    if case .closed(let closing)? = ending, closing == .byClient(request.key) { return .closed }
    try checkLiving()
    switch keys.decision(on: key, now: services.now()) {
    case .answered(let answer): return .again(renewed(answer, for: request))
    case .decided: return .decided(version)
    case .refused(let refusal): throw SessionError(refusal)
    case .atWork: return join(request, answer, key)
    case .new: break
    }
    do {
      let outcome = try fulfil(request, answer)
      if case .frame(let message)? = outcome { remember(key, .frame(message)) }
      return outcome
    } catch {
      let refusal = request.refusal(error)
      if let kept = refusal.kept { remember(key, kept) }
      throw refusal.error
    }
  }

  /// A request's key, as this session remembers it.
  func key(of request: ChangeRequest) -> KeyedRequest? {
    request.key?.sent(by: request.requester?.client, to: owner)
  }

  /// An answer that was kept, as it may be told now.
  ///
  /// One of an earlier epoch keeps its status and its results, but its frame is made of the present state: its reader may
  /// follow this epoch already, and must not be shown the state before it.
  private func renewed(_ answer: KeptAnswer, for request: ChangeRequest) -> KeptAnswer {
    guard let decided = answer.version, decided.epoch != epoch else { return answer }
    switch answer {
    case .frame(let message):
      var results = ActionResults(of: message)
      results?.answersAddress = request.changes.contains { $0?.isOfAddress == true }
      return .frame(frame(since: request.since, results))
    case .other(let form, let body, _): return .other(form: form, body: body, version: version)
    }
  }

  /// Has a request wait with the first one of its key, which is at work.
  private func join(
    _ request: ChangeRequest, _ answer: @escaping ChangeRequest.Answer, _ key: KeyedRequest
  ) -> ChangeRequest.Outcome? {
    guard let index = commandWaits.firstIndex(where: { $0.key == key }) else { return .decided(version) }
    commandWaits[index].readers.append((request, answer))
    return nil
  }

  /// Remembers the answer of a request, whether it was applied or refused: the same request gets it again.
  private func remember(_ request: KeyedRequest, _ answer: KeptAnswer) {
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

  /// Changes the memory of keys, and counts the keys and answers that there was no room for.
  private func changeKeys(_ body: (inout KeyMemory) -> Void) {
    let before = keys.losses
    body(&keys)
    isUnsaved = true
    count()
    let after = keys.losses
    if after == before { return }
    counts.keysForgotten.increment(by: after.keys - before.keys)
    counts.answersGivenUp.increment(by: after.answers - before.answers)
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
