// SPDX-License-Identifier: MIT

extension RouteTable {
  /// The table of all that this server does.
  package static let all = RouteTable(server + sessions + flow + files)
}

/// Problems that several routes have.
extension [Problem.Kind] {
  /// Problems of every request to a session.
  static let ofSession: Self = [
    .badCredential, .signedOut, .credentialReplaced, .noSession, .sessionClosed, .storeFull, .storeUnavailable,
  ]
  /// Problems of every change.
  static let ofChange: Self = [.badVersion, .versionMoved] + .ofKey
  /// Problems with a key; requests that come too fast are refused likewise.
  static let ofKey: Self = [.outOfOrder, .keyReused, .tooManyRequests]
  /// Problems of every change of the state.
  static let ofAction: Self = [.stateTooLarge]
  static let ofBody: Self = [.malformedJSON, .notJSON, .invalidAction]
}

extension Problem.Kind {
  /// Problems that a request to any resource may meet, before it is known to which. (To a method that it does not know
  /// each answers `method-not-allowed`.)
  package static let anywhere: [Self] = [
    .badRequest, .crossSite, .bodyTooLarge, .targetTooLong, .expectationFailed, .wrongHost, .headersTooLarge,
    .internalError, .poisoned, .notImplemented, .draining, .overloaded,
  ]
}
