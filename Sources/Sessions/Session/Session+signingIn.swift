// SPDX-License-Identifier: MIT
import ObservableCore
import Storing
package import ViewModels

/// Signing in and out, from the side of a session.
extension Session {
  /// A new key that goes with the answer to a request.
  struct PendingGrant {
    let request: ChangeRequest
    let grant: Grant
    /// Whether the session is not the client's any more.
    let isLast: Bool
  }

  /// Connects the view model's context to the session: it asks here for the action at work, and whether a request
  /// waits for its answer.
  func introduceContext() {
    guard let context = model.context else { return }
    context.acting = { [weak self] in self?.assumeIsolated { $0.actionAtWork } }
    context.answering = { [weak self] in self?.assumeIsolated { $0.answeredRequest } }
    context.didAskForMembers = { [weak self] in
      self?.assumeIsolated { session in session.executor.afterTurn { session.submit { $0.countMembers() } } }
    }
    // Timers and wishes count even if nothing that is shown has changed.
    context.didSetTimers = { [weak self] in self?.assumeIsolated { $0.timersChanged() } }
    context.didEnd = { [weak self] in
      self?.assumeIsolated { session in
        session.turnWork.mayEnd = true
        return session.runs.atStep
      }
    }
    introduceGuests()
    context.didWish = { [weak self] in self?.assumeIsolated { $0.publishLater() } }
  }

  /// The request whose answer can bring a new key: the request of the action at work, or the one that waits for
  /// the run at work.
  private var answeredRequest: ChangeRequest? {
    if let current = turnWork.request { return current }
    if alwaysAnswers { return Self.unheard }
    return runs.atStep.flatMap { commandWaits.request(waitingFor: $0) }
  }

  private static let unheard = ChangeRequest.unheard()

  /// Fulfils the wish of a transaction that has passed. A reader has to show the new credential before it is
  /// shown the state that follows from the wish.
  func settleSignIn() {
    guard let context = model.context, context.mayHaveWish else { return }
    var taken: IdentityWish?
    model.enter { taken = context.takeWish() }
    guard let wish = taken else { return }
    custody.isUnsaved = true
    let request = wish.request as? ChangeRequest
    let requester = request?.requester ?? Requester(owner)
    let grant: Grant
    var isLast = false
    if let next = wish.next {
      // This ends the earlier credential. A request with it is refused, and a reader that waits has to come
      // again.
      grant = services.signIns.grant(
        next.user, to: requester, in: self, signingOut: wish.signedOut, isAnswered: request?.requester != nil
      ) { executor.afterTurn($0) }
      // A user's own session is not that of a client whose user goes.
      isLast = owner != requester.client && next.user.map { Credential.ofUser($0.id) } != owner
      releaseReaders(of: requester.client, isLast ? .failed(.signedOut) : comesAgain)
      endCommandWaits(of: requester.client, but: request, .credentialReplaced)
    } else {
      grant = services.signIns.signOut(wish.signedOut, butOf: requester.client) { executor.afterTurn($0) }
    }
    if let request, request.requester != nil {
      return grants.append(PendingGrant(request: request, grant: grant, isLast: isLast))
    }
    grant.whenStored { [services, modelName] failure in
      guard let failure else { return }
      services.report(.commandFailed(command: "signing in or out", model: modelName, reason: "\(failure)"))
    }
  }

  /// Takes the new key that goes with the answer to a request. All readers that wait with this request get it.
  func takeGrant(for request: ChangeRequest) -> PendingGrant? {
    guard let index = grants.firstIndex(where: { $0.request === request }) else { return nil }
    return grants.remove(at: index)
  }

  /// Tells the outcome of a request, with the new key that it brings, if any.
  func tell(
    _ result: Result<ChangeRequest.Outcome, any Error>, with pending: PendingGrant?,
    to answer: @escaping ChangeRequest.Answer
  ) {
    guard let pending else { return tell { failure in answer(failure.map { .failure($0) } ?? result) } }
    let (grant, isLast) = (pending.grant, pending.isLast)
    tell { failure in
      grant.whenStored { notStored in
        switch (failure ?? notStored, result) {
        case (let failure?, _): answer(.failure(failure))
        case (nil, .success(.frame(let message))):
          answer(.success(grant.newKey.map { .signed(message, newKey: $0, isLast: isLast) } ?? .frame(message)))
        case (nil, .success(.failed(let refusal, _, _))):
          answer(.success(.failed(refusal, newKey: grant.newKey, isLast: isLast)))
        case (nil, _): answer(result)
        }
      }
    }
  }

  /// Notes that the session's client has another credential or another user. Readers that wait have to come
  /// again and show the credential before the view model learns of it.
  func credentialChanged(to user: User?) {
    guard !isClosed else { return }
    releaseReaders(of: nil, comesAgain)
    endCommandWaits(of: nil, but: nil, .credentialReplaced)
    become(user)
  }

  /// Tells the view model that the session's user is another one, or has other claims.
  package func become(_ user: User?) {
    guard !isClosed, let context = model.context, context.user.value != user else { return }
    var failure: (any Error)?
    model.enter { do { try context.become(user) } catch { failure = error } }
    if let failure {
      report(.commandFailed(command: "the user's change", model: modelName, reason: "\(failure)"))
    }
    custody.isUnsaved = true
    publish()
  }

  /// Ends the waits of a client that has lost its credential.
  func dismiss(_ client: Credential) {
    endCommandWaits(of: client, but: nil, .signedOut)
    for place in readers.removeAll(of: client, isStrict: true) { release(place, .failed(.signedOut)) }
  }

  /// The answer to a reader that has to come back, and show its credential.
  var comesAgain: PollAnswer { .displaced(retryAfter: services.limits.retryAfter) }

  /// Ends the waits for commands, since their answers would show a state of a time after the credential. The
  /// commands go on, and a request with a key finds its answer when it comes again.
  ///
  /// - Parameters:
  ///   - client: the client whose requests wait; `nil` for all clients.
  ///   - kept: the request that brings the new credential, which goes on waiting.
  func endCommandWaits(of client: Credential?, but kept: ChangeRequest?, _ error: SessionError) {
    for reader in commandWaits.removeReaders(of: client, but: kept) {
      tell { failure in reader.answer(.failure(failure ?? error)) }
    }
  }

  /// Ends the waits of readers.
  ///
  /// - Parameter client: the client whose readers wait; `nil` for all clients.
  private func releaseReaders(of client: Credential?, _ answer: PollAnswer) {
    let released = client.map { readers.removeAll(of: $0, isStrict: false) } ?? readers.removeAll()
    for place in released { release(place, answer) }
  }
}
