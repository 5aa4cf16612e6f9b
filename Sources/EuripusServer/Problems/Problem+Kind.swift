// SPDX-License-Identifier: MIT

extension Problem {
  /// The kinds of problems (PROTOCOL §7): the last part of a problem's type, its status and its title.
  ///
  /// The only place that knows which status belongs to which kind.
  package enum Kind: String, Sendable, CaseIterable {
    case malformedJSON = "malformed-json"
    case badVersion = "bad-version"
    case badRequest = "bad-request"
    case badCredential = "bad-credential"
    case signedOut = "signed-out"
    case signInNeeded = "sign-in-needed"
    case credentialReplaced = "credential-replaced"
    case crossSite = "cross-site"
    case readOnly = "read-only"
    case notAllowed = "not-allowed"
    case notFound = "not-found"
    case noSession = "no-session"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case actionDisabled = "action-disabled"
    case commandBusy = "command-busy"
    case outOfOrder = "out-of-order"
    case sessionClosed = "session-closed"
    case versionMoved = "version-moved"
    case bodyTooLarge = "body-too-large"
    case targetTooLong = "target-too-long"
    case notJSON = "not-json"
    case rangeNotSatisfiable = "range-not-satisfiable"
    case expectationFailed = "expectation-failed"
    case wrongHost = "wrong-host"
    case invalidAction = "invalid-action"
    case keyReused = "key-reused"
    case tooManyRequests = "too-many-requests"
    case tooManySessions = "too-many-sessions"
    case headersTooLarge = "headers-too-large"
    case internalError = "internal"
    case poisoned = "poisoned"
    case notImplemented = "not-implemented"
    case draining = "draining"
    case overloaded = "overloaded"
    case stateTooLarge = "state-too-large"
    case storeFull = "store-full"
    case storeUnavailable = "store-unavailable"
  }
}

extension Problem.Kind {
  package var status: Int {
    switch self {
    case .malformedJSON, .badVersion, .badRequest: 400
    case .badCredential, .signedOut, .signInNeeded, .credentialReplaced: 401
    case .crossSite, .readOnly, .notAllowed: 403
    case .notFound, .noSession: 404
    case .methodNotAllowed: 405
    case .notAcceptable: 406
    case .actionDisabled, .commandBusy, .outOfOrder: 409
    case .sessionClosed: 410
    case .versionMoved: 412
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .notJSON: 415
    case .rangeNotSatisfiable: 416
    case .expectationFailed: 417
    case .wrongHost: 421
    case .invalidAction, .keyReused: 422
    case .tooManyRequests, .tooManySessions: 429
    case .headersTooLarge: 431
    case .internalError, .poisoned: 500
    case .notImplemented: 501
    case .draining, .overloaded, .storeUnavailable: 503
    case .stateTooLarge, .storeFull: 507
    }
  }

  package var title: String {
    switch self {
    case .malformedJSON: "The body is not JSON"
    case .badVersion: "Not a version"
    case .badRequest: "Not a request that can be understood"
    case .badCredential: "The credential contradicts itself"
    case .signedOut: "Signed out"
    case .signInNeeded: "Somebody has to sign in"
    case .credentialReplaced: "The credential was replaced"
    case .crossSite: "Another site may not do this"
    case .readOnly: "The value is read-only"
    case .notAllowed: "Not for this user"
    case .notFound: "There is nothing here"
    case .noSession: "There is no such session"
    case .methodNotAllowed: "The method is not allowed here"
    case .notAcceptable: "There is no such representation"
    case .actionDisabled: "The action is disabled"
    case .commandBusy: "The command is executing"
    case .outOfOrder: "Requests before this one have not come"
    case .sessionClosed: "The session is closed"
    case .versionMoved: "The condition does not hold"
    case .bodyTooLarge: "The body is too large"
    case .targetTooLong: "The target is too long"
    case .notJSON: "The body must be JSON"
    case .rangeNotSatisfiable: "The file has no such part"
    case .expectationFailed: "The expectation cannot be met"
    case .wrongHost: "Not a name of this server"
    case .invalidAction: "Nothing was applied"
    case .keyReused: "The key belongs to another request"
    case .tooManyRequests: "Too many requests"
    case .tooManySessions: "Too many sessions"
    case .headersTooLarge: "The header fields are too large"
    case .internalError: "The app failed"
    case .poisoned: "The server went down over this"
    case .notImplemented: "Not implemented"
    case .draining: "The server is stopping"
    case .overloaded: "The server is busy"
    case .stateTooLarge: "The state has grown too large"
    case .storeFull: "There is no room to store the session"
    case .storeUnavailable: "The session cannot be stored or read now"
    }
  }
}
