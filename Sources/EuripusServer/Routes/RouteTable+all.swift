// SPDX-License-Identifier: MIT

extension RouteTable {
  /// The table of everything that this server does.
  package static let all = RouteTable(server + sessions + flow + uploads + downloads + files)
}

/// Problems that several routes have.
extension [Problem.Kind] {
  /// Problems of every request to a session.
  static let ofSession: Self = [
    .badCredential, .signedOut, .credentialReplaced, .noSession, .sessionClosed, .storeFull, .storeUnavailable,
  ]
  /// Problems of every change.
  static let ofChange: Self = [.badVersion, .versionMoved] + .ofKey
  /// Problems with a key, and the refusal of requests that come too fast.
  static let ofKey: Self = [.outOfOrder, .keyReused, .tooManyRequests]
  /// Problems of every change of the state.
  static let ofAction: Self = [.stateTooLarge, .refused]
  static let ofBody: Self = [.malformedJSON, .notJSON, .invalidAction]
}

extension Problem.Kind {
  /// Problems that a request to any resource may meet before its resource is known. (Each resource answers
  /// `method-not-allowed` to a method that it does not know.)
  package static let anywhere: [Self] = [
    .badRequest, .crossSite, .bodyTooLarge, .targetTooLong, .expectationFailed, .wrongHost, .headersTooLarge,
    .internalError, .poisoned, .notImplemented, .draining, .overloaded,
  ]
}
