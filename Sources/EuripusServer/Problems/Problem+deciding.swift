// SPDX-License-Identifier: MIT

import HTTPListening
import JSONPatching
import Sessions

/// The problems that are remembered with a request's key (PROTOCOL §4).
extension Problem.Kind {
  /// Whether the session has decided on the request. If so, the request gets this answer from now on, whatever
  /// the state becomes.
  ///
  /// The other kinds leave the key as it was: the session was not asked, or could not decide now, or the key
  /// itself is refused.
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
  /// The problem in the form that is remembered: its status, its body, and the version that it names.
  var kept: KeptAnswer { .other(form: UInt16(kind.status), body: body, version: version) }

  /// The response to a remembered problem.
  static func response(_ status: Int, _ body: [UInt8], _ version: Version?) -> HTTPResponse {
    var response = HTTPResponse.problem(status, body, [])
    response.entityTag = version?.description
    return response
  }
}
