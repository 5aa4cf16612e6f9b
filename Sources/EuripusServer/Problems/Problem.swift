// SPDX-License-Identifier: MIT
import HTTPListening
package import JSONPatching
import Sessions
import ViewModels

/// A problem with a request, as `application/problem+json`. Nothing has been applied, but for a `command-failed` (RFC
/// 9457; PROTOCOL §7).
package struct Problem: Error, Sendable {
  /// A part of the body, and the fault in it.
  struct Part: Sendable {
    /// A JSON Pointer (RFC 6901).
    let pointer: String
    let detail: String
    /// The value that is there, if the fault is that there is another one than the request expects.
    var value: JSON?
  }

  let kind: Kind
  /// A sentence with the fault, and with the expected and the given.
  let detail: String
  /// The faulty parts of the body; empty if the problem is not about parts.
  var errors: [Part] = []
  /// Further members of the problem.
  var members: [(name: String, value: JSON)] = []
  /// The present version of the state, if the problem is about that.
  var version: Version?
  /// The limit that the request met, and the scope of the limit.
  var limit: Limit?
  var scope: Limit.Scope?
  /// The seconds after which the request may come again.
  var retryAfter: Int?
  /// Further fields of the response.
  var fields: [HTTPField] = []

  /// - Parameters:
  ///   - pointer: the one part of the body that the problem is about.
  ///   - scope: the scope of the limit; `nil` for its usual one.
  init(
    _ kind: Kind, _ detail: String, pointer: String? = nil, limit: Limit? = nil, of scope: Limit.Scope? = nil,
    retryAfter: Int? = nil
  ) {
    self.kind = kind
    self.detail = detail
    (self.limit, self.scope, self.retryAfter) = (limit, scope ?? limit?.scope, retryAfter)
    errors = pointer.map { [Part(pointer: $0, detail: detail)] } ?? []
    // A server that cannot answer now says when it may (RFC 9110 §15.6.4), and one that needs a credential says which (§15.5.2).
    if kind.status == 503 { self.retryAfter = retryAfter ?? 2 }
    if kind.status == 401 { fields = [HTTPField("WWW-Authenticate", #"Bearer realm="euripus""#)] }
  }

  var response: HTTPResponse {
    let wait = retryAfter.map { [HTTPField("Retry-After", "\($0)")] } ?? []
    var response = HTTPResponse.problem(kind.status, body, wait + fields)
    response.entityTag = version?.description
    response.note = ResponseNote.bits(kind, limit)
    return response
  }

  var body: [UInt8] {
    var writer = JSONWriter(capacity: 256)
    writer.json(json)
    return writer.bytes
  }

  package var json: JSON {
    var all: [(String, JSON)] = [
      ("type", .string(kind.path)), ("title", .string(kind.title)), ("status", .integer(Int64(kind.status))),
      ("detail", .string(detail)),
    ]
    if !errors.isEmpty {
      let parts = errors.map { part -> JSON in
        let members = [("pointer", JSON.string(part.pointer)), ("detail", .string(part.detail))]
        return .object((members + (part.value.map { [("value", $0)] } ?? [])).map { JSON.Member(name: $0, value: $1) })
      }
      all.append(("errors", .array(parts)))
    }
    if let limit { all.append(("limit", .string(limit.rawValue))) }
    if let scope { all.append(("scope", .string(scope.rawValue))) }
    if let retryAfter { all.append(("retryAfter", .integer(Int64(retryAfter)))) }
    return .object((all + members).map { JSON.Member(name: $0, value: $1) })
  }
}

extension Problem {
  /// The problem for an error of the layers below; `nil` for an error of the view model's own.
  init?(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let error as JSONError:
      self.init(.malformedJSON, "\(error)")
      members = [("offset", .integer(Int64(error.offset)))]
    case let error as SurfaceError: self.init(error)
    case let error as SessionError: self.init(error)
    case let error as CommandsFailed:
      self.init(.commandFailed, "\(error)")
      members = [("commands", .array(error.faults.map { ["type": .string($0.type), "detail": .string($0.detail)] }))]
      version = error.version
    case let error as Poisoned: self.init(.poisoned, "\(error)")
    case let failure as ViewModelFailure:
      guard let refusal = failure.refusal else { return nil }
      self.init(.refused, refusal.detail)
      members = [("refusal", .string(refusal.type))]
    default: return nil
    }
  }

  init(_ error: SurfaceError) {
    switch error {
    case .noSuchAction, .noSuchValue, .noSuchRow, .absent, .notACommand:
      self.init(.invalidAction, "\(error)", pointer: "")
    case .mismatch(let mismatch): self.init(.invalidAction, "\(error)", pointer: "\(mismatch.pointer)")
    case .readOnly, .field: self.init(.readOnly, "\(error)")
    case .notAllowed: self.init(.notAllowed, "\(error)")
    case .disabled: self.init(.actionDisabled, "\(error)")
    case .busy: self.init(.commandBusy, "\(error)")
    case .stateTooLong: self.init(.stateTooLarge, "\(error)", limit: .state)
    case .tooManyInvited(let tooMany):
      self.init(.stateTooLarge, "\(error)", limit: tooMany.things == .guests ? .guests : .invitations)
    }
  }

  /// One problem for three cases: the session never was, it is another client's, or it ended by itself.
  static var noSession: Problem {
    Problem(
      .noSession,
      "no session of this client has this URL: it never was, it was idle for too long, or it is another client's")
  }

  /// The problem of a request that was decided before, nobody knows how, and that asks for an error then.
  static func unknownEnd(_ version: Version) -> Problem {
    let detail = "the request was decided before, and its answer is not known any more; expected a look at the state"
    var problem = Problem(.commandFailed, detail)
    problem.members = [("commands", [["type": "unknown", "detail": .string(detail)]])]
    problem.version = version
    return problem
  }

  /// The problem of a request that was at work when the server ended.
  static var unanswered: Problem {
    Problem(
      .draining,
      "the server stopped before this was answered, and whether it was done is not known; expected the same request once more"
    )
  }

  init(_ error: SessionError) {
    switch error {
    case .noSuchModel: self.init(.notFound, "\(error)")
    case .poisoned: self.init(.poisoned, "\(error)")
    case .closed: self.init(.sessionClosed, "\(error)")
    case .superseded:
      self.init(.sessionClosed, "\(error)")
      members = [("reason", "superseded")]
    case .ended:
      self.init(.sessionClosed, "\(error)")
      members = [("reason", "ended")]
    case .expired: self = .noSession
    case .signedOut: self.init(.signedOut, "\(error)")
    case .signInNeeded: self.init(.signInNeeded, "\(error)")
    case .notAdmitted: self.init(.notAllowed, "\(error)")
    case .noInvitation: self.init(.noInvitation, "\(error)")
    case .credentialReplaced: self.init(.credentialReplaced, "\(error)", retryAfter: 1)
    case .versionMoved(let version):
      self.init(.versionMoved, "\(error)")
      self.version = version
    case .valuesChanged(_, let version):
      self.init(.valueChanged, "\(error); expected a look at what it is now, and the request with the version of ETag")
      self.version = version
    case .tooManyOpenings(let wait):
      self.init(.tooManyRequests, "\(error)", limit: .openings, of: .client, retryAfter: wait.secondsToWait)
    case .tooManyActions(let wait):
      self.init(.tooManyRequests, "\(error)", limit: .actions, retryAfter: wait.secondsToWait)
    case .tooManyActionsInRooms(let wait):
      self.init(.tooManyRequests, "\(error)", limit: .actions, of: .client, retryAfter: wait.secondsToWait)
    case .tooMuchTime(let wait):
      self.init(.tooManyRequests, "\(error)", limit: .actionTime, retryAfter: wait.secondsToWait)
    case .tooManySessions: self.init(.tooManySessions, "\(error)", limit: .sessions, retryAfter: 60)
    case .tooManySessionsOfClient: self.init(.tooManySessions, "\(error)", limit: .sessionsOfClient, retryAfter: 60)
    case .tooManyReaders: self.init(.tooManyRequests, "\(error)", limit: .readers, retryAfter: 10)
    case .tooMuchMemory: self.init(.overloaded, "\(error)", limit: .memory, retryAfter: 10)
    case .tooMuchMemoryOfClient:
      self.init(.tooManySessions, "\(error)", limit: .memory, of: .client, retryAfter: 60)
    case .tooMuchStored: self.init(.overloaded, "\(error)", limit: .store, retryAfter: 60)
    case .outOfOrder(let expected):
      self.init(.outOfOrder, "\(error)")
      members = [("expected", .integer(Int64(expected)))]
    case .keyReused: self.init(.keyReused, "\(error)")
    // If possible, a request with this error is handled anew instead.
    case .left: self.init(.overloaded, "\(error)")
    case .storeFull: self.init(.storeFull, "\(error)")
    case .storeUnavailable, .conflict: self.init(.storeUnavailable, "\(error)")
    case .tooManyKeyNames(_, let wait):
      self.init(.tooManyRequests, "\(error)", limit: .keyNames, retryAfter: wait.secondsToWait)
    }
  }
}

/// Problems that are remembered with a request's key (PROTOCOL §4).
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
