// SPDX-License-Identifier: MIT
import JSONPatching

extension Problem {
  /// The meaning of a kind of problem, for people, as it stands on the page of problems (PROTOCOL §1) and in the OpenAPI
  /// description.
  struct Meaning: Sendable {
    /// The reason why the server does not do it.
    let why: String
    /// The advice.
    let remedy: String
    /// A detail as it may come.
    let detail: String
    /// Which part of a body it is about, where it is about one.
    var pointer: String?
    /// Further members, as they may come.
    var members: [(name: String, value: JSON)] = []

    init(
      _ why: String, remedy: String, detail: String, pointer: String? = nil, members: [(name: String, value: JSON)] = []
    ) {
      (self.why, self.remedy, self.detail) = (why, remedy, detail)
      (self.pointer, self.members) = (pointer, members)
    }
  }
}

extension Problem.Kind {
  /// The `type` of a problem, which leads to the page of problems.
  package var path: String { "/problems/\(rawValue)" }

  /// A problem of this kind, as it may come.
  package var example: Problem {
    var problem = Problem(self, meaning.detail, pointer: meaning.pointer)
    problem.members = meaning.members
    return problem
  }

  var meaning: Problem.Meaning {
    switch self {
    case .malformedJSON, .badRequest, .badVersion, .targetTooLong, .headersTooLarge, .bodyTooLarge, .notJSON,
      .expectationFailed, .rangeNotSatisfiable, .notImplemented, .methodNotAllowed, .notAcceptable:
      meaningOfForm
    case .badCredential, .signedOut, .signInNeeded, .credentialReplaced, .crossSite, .wrongHost, .notFound, .noSession,
      .sessionClosed:
      meaningOfAccess
    case .readOnly, .notAllowed, .actionDisabled, .commandBusy, .outOfOrder, .versionMoved, .invalidAction, .keyReused,
      .stateTooLarge:
      meaningOfChange
    case .tooManyRequests, .tooManySessions, .internalError, .poisoned, .draining, .overloaded, .storeFull,
      .storeUnavailable:
      meaningOfServer
    }
  }
}
