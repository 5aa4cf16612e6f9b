// SPDX-License-Identifier: MIT
package import Storing
package import ViewModels

/// Clients that have signed in, as the store has them.
extension SessionHost {
  /// Takes in the present credential and user of a claimed session's owner.
  func learnOwner(_ outcome: ClaimOutcome, _ keeper: SessionKeeper) async throws(SessionError) {
    switch outcome {
    case .held(let record, _): try await learn(record.owner, keeper)
    case .closed(let closed): try await learn(closed.owner, keeper)
    case .none, .elsewhere, .failed, .setAside: break
    }
  }

  private func learn(_ owner: Credential, _ keeper: SessionKeeper) async throws(SessionError) {
    try await keeper.client(of: owner) { [table, services] record in
      if let record { table.learn(record, now: services.moment()) }
    }
  }
}

extension SessionHost {
  /// Tells the store of the clients that are in use, so that it does not forget them together with unused ones.
  func renewSignIns() {
    let used = table.lookAtSignedIn(interval: min(configuration.storedTime / 8, .seconds(24 * 60 * 60)))
    guard let keeper, keeper.isOpen, !used.isEmpty else { return }
    let now = services.moment().milliseconds / 1_000
    // If the store could not be told of a client, it is told at the client's next use.
    keeper.committer.withStore { store throws(StoreError) in
      for (owner, credential) in used { try store.renew(owner, as: credential, at: now) }
    } then: { _ in
    }
  }

  /// Ends the waits of a client of which a request has come without a proof, if each of its requests has to
  /// prove the user.
  ///
  /// - Returns: whether each of its requests has to.
  package func dismissUnproved(_ credential: Credential) -> Bool {
    guard let client = table.client(of: credential), let signIn = client.signIn, signIn.isByRequests else {
      return false
    }
    let own = [client.owner, signIn.userOwner].compactMap(\.self).flatMap { table.sessions(of: $0) }
    for session in own + table.limits.rooms(of: client.owner) { session.submit { $0.dismiss(client.owner) } }
    return true
  }

  /// Makes a client for a user who has signed in.
  ///
  /// - Parameters:
  ///   - keyStart: the beginning of the client's key.
  ///   - done: gets the key once it is stored, or the reason why it is not.
  package func enroll(
    _ user: User, keyStart: String = "", then done: @escaping @Sendable (Result<String, SessionError>) -> Void
  ) {
    // The client's sessions are known by this credential, which the client itself never has.
    let client = Credential(hashing: randomness.base64URL(bytes: 32))
    let grant = services.signIns.grant(user, to: Requester(client, keyStart: keyStart), in: nil) { $0() }
    grant.whenStored { failure in done(failure.map { .failure($0) } ?? .success(grant.newKey ?? "")) }
  }
}
