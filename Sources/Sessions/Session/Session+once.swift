// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// Requests with a key, each of which takes effect once (PROTOCOL §4).
extension Session {
  /// Makes the changes of a request, or gives the answer that it got when it came before.
  ///
  /// - Returns: the outcome; `nil` if the answer waits for commands.
  /// - Throws: the error that the request's `refusal` makes of its failure. ``SessionError`` if the session has
  ///   ended, or if the key is another request's or out of order; the key is not used up then.
  func once(_ request: ChangeRequest, _ answer: @escaping ChangeRequest.Answer) throws -> ChangeRequest.Outcome? {
    guard let key = key(of: request) else {
      do { return try fulfil(request, answer) } catch SessionError.left { throw SessionError.left } catch {
        throw request.refusal(error).error
      }
    }
    if case .closed(let closing)? = life.ending, closing == .byClient(request.key) { return .closed }
    try checkLiving()
    switch keys.decision(on: key, now: services.now()) {
    case .answered(let answer): return .again(renewed(answer, for: request))
    case .decided: return .decided(version)
    case .refused(let refusal): throw SessionError(refusal)
    case .atWork: return join(request, answer, key)
    case .new: break
    }
    do {
      if turnWork.inviting == .present { turnWork.inviting = .earlier }
      let outcome = try fulfil(request, answer)
      switch outcome {
      // An invitation is a secret, and nobody keeps it.
      case .frame(let message)?: remember(key, turnWork.inviting == .present ? nil : .frame(message))
      case .failed(let refusal, _, _)?: if let kept = refusal.kept { remember(key, kept) }
      default: break
      }
      return outcome
    } catch SessionError.left {
      // Nothing was done, and the request is handled anew.
      throw SessionError.left
    } catch {
      let refusal = request.refusal(error)
      if let kept = refusal.kept { remember(key, kept) }
      throw refusal.error
    }
  }

  /// The key of a request, as this session remembers it.
  func key(of request: ChangeRequest) -> KeyedRequest? {
    request.key?.sent(by: request.requester?.client, to: owner)
  }

  /// A kept answer in the form in which it may be told now.
  ///
  /// An answer of an earlier epoch keeps its status and its results, but its frame is made from the present
  /// state. The reader may follow this epoch already, and must not see an earlier state.
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

  /// Has a request wait for the answer of the first request with its key, which is at work.
  private func join(
    _ request: ChangeRequest, _ answer: @escaping ChangeRequest.Answer, _ key: KeyedRequest
  ) -> ChangeRequest.Outcome? {
    guard commandWaits.join((request, answer), key) else { return .decided(version) }
    noteWhenStored(request)
    return nil
  }

  /// Remembers the answer of a request that was applied or refused. The same request gets it again. It is told only that
  /// it was decided, if the answer is not to be kept: `nil`.
  private func remember(_ request: KeyedRequest, _ answer: KeptAnswer?) {
    changeKeys { $0.remember(request, answer, now: services.now()) }
  }

  /// Remembers that a request is at work. It gets its answer later.
  func rememberAtWork(_ request: KeyedRequest) {
    changeKeys { $0.remember(request, nil, isAtWork: true, now: services.now()) }
  }

  /// Remembers the answer of a request that was at work.
  func remember(_ answer: KeptAnswer?, ofWork request: KeyedRequest) {
    changeKeys { $0.answer(request, answer, now: services.now()) }
  }

  /// Changes the memory of keys, and counts the keys and answers that had no room.
  private func changeKeys(_ body: (inout SessionKeys) -> Void) {
    let before = keys.losses
    body(&keys)
    custody.isUnsaved = true
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
