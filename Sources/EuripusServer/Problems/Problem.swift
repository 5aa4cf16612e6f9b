// SPDX-License-Identifier: MIT
import HTTPListening
package import JSONPatching
import Sessions
import ViewModels

/// A problem with a request, as `application/problem+json` (RFC 9457; PROTOCOL §7). Nothing has been applied.
package struct Problem: Error, Sendable {
  /// A part of the body, and what is wrong with it.
  struct Part: Sendable {
    /// A JSON Pointer (RFC 6901).
    let pointer: String
    let detail: String
  }

  let kind: Kind
  /// A sentence: the fault, with the expected and the given.
  let detail: String
  /// The parts of the body that are wrong; empty if it is not about parts.
  var errors: [Part] = []
  /// Further members of the problem.
  var members: [(name: String, value: JSON)] = []
  /// The version that the state has, where that is the problem.
  var version: Version?
  /// The limit that the request met.
  var limit: Limit?
  /// Further fields of the response.
  var fields: [HTTPField] = []

  /// - Parameter pointer: the one part of the body that it is about.
  init(_ kind: Kind, _ detail: String, pointer: String? = nil, limit: Limit? = nil) {
    self.kind = kind
    self.limit = limit
    self.detail = detail
    errors = pointer.map { [Part(pointer: $0, detail: detail)] } ?? []
    switch kind {
    case .overloaded, .draining, .storeUnavailable: fields = [HTTPField("Retry-After", "2")]
    case .badCredential: fields = [HTTPField("WWW-Authenticate", #"Bearer realm="euripus""#)]
    default: break
    }
  }

  var response: HTTPResponse {
    var response = HTTPResponse.problem(kind.status, body, fields)
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
      let parts = errors.map { part -> JSON in ["pointer": .string(part.pointer), "detail": .string(part.detail)] }
      all.append(("errors", .array(parts)))
    }
    return .object((all + members).map { JSON.Member(name: $0, value: $1) })
  }
}

extension Problem {
  /// The problem that an error of the layers below is, or `nil` for one of the view model's own.
  init?(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let error as JSONError:
      self.init(.malformedJSON, "\(error)")
      members = [("offset", .integer(Int64(error.offset)))]
    case let error as SurfaceError: self.init(error)
    case let error as SessionError: self.init(error)
    case let error as Poisoned: self.init(.poisoned, "\(error)")
    default: return nil
    }
  }

  init(_ error: SurfaceError) {
    switch error {
    case .noSuchAction, .noSuchValue, .noSuchRow, .absent, .noAddress, .notACommand:
      self.init(.invalidAction, "\(error)", pointer: "")
    case .mismatch(let mismatch): self.init(.invalidAction, "\(error)", pointer: "\(mismatch.pointer)")
    case .readOnly, .field: self.init(.readOnly, "\(error)")
    case .disabled: self.init(.actionDisabled, "\(error)")
    case .busy: self.init(.commandBusy, "\(error)")
    case .stateTooLong:
      self.init(.stateTooLarge, "\(error)")
      limit = .state
    }
  }

  /// One and the same for a session that never was, one that is another client's and one that ended by itself.
  static var noSession: Problem {
    Problem(
      .noSession,
      "no session of this client has this URL: it never was, it was idle for too long, or it is another client's")
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
    case .expired: self = .noSession
    case .versionMoved(let version):
      self.init(.versionMoved, "\(error)")
      self.version = version
    case .tooManyActions(let wait):
      self.init(.tooManyRequests, "\(error)")
      fields = [HTTPField("Retry-After", "\(wait.secondsToWait)")]
      limit = .actions
    case .tooMuchTime(let wait):
      self.init(.tooManyRequests, "\(error)")
      fields = [HTTPField("Retry-After", "\(wait.secondsToWait)")]
      limit = .actionTime
    case .tooManySessions:
      self.init(.tooManySessions, "\(error)")
      fields = [HTTPField("Retry-After", "60")]
      limit = .sessions
    case .tooManySessionsOfClient:
      self.init(.tooManySessions, "\(error)")
      fields = [HTTPField("Retry-After", "60")]
      limit = .sessionsOfClient
    case .tooMuchMemory:
      self.init(.overloaded, "\(error)")
      fields = [HTTPField("Retry-After", "10")]
      limit = .memory
    case .tooMuchMemoryOfClient:
      self.init(.tooManySessions, "\(error)")
      fields = [HTTPField("Retry-After", "60")]
      limit = .memory
    case .outOfOrder(let expected):
      self.init(.outOfOrder, "\(error)")
      members = [("expected", .integer(Int64(expected)))]
    case .keyReused: self.init(.keyReused, "\(error)")
    // A request that is told so is handled anew instead, where it can be.
    case .left: self.init(.overloaded, "\(error)")
    case .storeFull: self.init(.storeFull, "\(error)")
    case .storeUnavailable: self.init(.storeUnavailable, "\(error)")
    case .tooManyKeyNames(_, let retryAfter):
      self.init(.tooManyRequests, "\(error)")
      fields = [HTTPField("Retry-After", "\(retryAfter.secondsToWait)")]
      limit = .keyNames
    }
  }
}
