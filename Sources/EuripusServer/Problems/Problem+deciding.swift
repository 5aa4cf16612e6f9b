// SPDX-License-Identifier: MIT

import HTTPListening
import JSONPatching
import Sessions

/// Which problems are remembered with a request's key (PROTOCOL §4).
extension Problem.Kind {
  /// Whether the session has decided about the request, which gets this answer from now on, whatever becomes of the state.
  ///
  /// The others leave the key as it was: the session was not asked, or could not do it now, or it is the key itself that is
  /// refused.
  var isDecision: Bool {
    switch self {
    case .malformedJSON, .badVersion, .notJSON, .readOnly, .notAllowed, .actionDisabled, .commandBusy, .versionMoved,
      .invalidAction,
      .internalError, .poisoned, .stateTooLarge:
      true
    case .badRequest, .badCredential, .signedOut, .signInNeeded, .credentialReplaced, .crossSite, .notFound, .noSession,
      .methodNotAllowed, .notAcceptable, .outOfOrder,
      .sessionClosed, .bodyTooLarge, .targetTooLong, .rangeNotSatisfiable, .expectationFailed, .wrongHost, .keyReused,
      .tooManyRequests,
      .tooManySessions, .headersTooLarge, .notImplemented, .draining, .overloaded, .storeFull,
      .storeUnavailable:
      false
    }
  }
}

extension Problem {
  /// The problem as it is remembered: its status, its body, and the version that it names.
  var kept: KeptAnswer { .other(form: UInt16(kind.status), body: body, version: version) }

  /// The response to a problem that was remembered.
  static func response(_ status: Int, _ body: [UInt8], _ version: Version?) -> HTTPResponse {
    var response = HTTPResponse.problem(status, body, [])
    response.entityTag = version?.description
    return response
  }
}
