// SPDX-License-Identifier: MIT
import JSONPatching

extension Problem {
  /// The meaning of a kind of problem, for people. It stands on the pages of problems (PROTOCOL §1) and in the
  /// OpenAPI description.
  struct Meaning: Sendable {
    /// The reason why the server does not do what was asked.
    let why: String
    /// Advice on what to do.
    let remedy: String
    /// An example of a detail.
    let detail: String
    /// The part of a body that the example is about; `nil` for none.
    var pointer: String?
    /// Examples of further members.
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
  /// The `type` of a problem, which leads to the page of its kind.
  package var path: String { "/problems/\(rawValue)" }

  /// An example of a problem of this kind.
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
