// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Sessions
import ViewModels

/// What went wrong with a request, as `application/problem+json` (RFC 9457; PROTOCOL §7). Nothing has been applied.
///
/// The only place that knows which status belongs to what.
struct Problem: Error, Sendable {
  enum Kind: String, Sendable {
    case malformedJSON = "malformed-json"
    case badVersion = "bad-version"
    case badRequest = "bad-request"
    case badCredential = "bad-credential"
    case crossSite = "cross-site"
    case readOnly = "read-only"
    case notFound = "not-found"
    case noSession = "no-session"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case sessionClosed = "session-closed"
    case actionDisabled = "action-disabled"
    case commandBusy = "command-busy"
    case versionMoved = "version-moved"
    case bodyTooLarge = "body-too-large"
    case notJSON = "not-json"
    case wrongHost = "wrong-host"
    case invalidAction = "invalid-action"
    case tooManySessions = "too-many-sessions"
    case internalError = "internal"
    case notImplemented = "not-implemented"
    case draining = "draining"
    case overloaded = "overloaded"
  }

  let kind: Kind
  /// What happened, what was expected, what came.
  let detail: String
  /// The part of the body that is wrong, as a JSON Pointer; `nil` if it is not about a part.
  var pointer: String?
  /// Further members of the problem.
  var members: [(name: String, value: JSON)] = []
  /// Further fields of the response.
  var fields: [HTTPField] = []

  init(_ kind: Kind, _ detail: String, pointer: String? = nil) {
    self.kind = kind
    self.detail = detail
    self.pointer = pointer
    switch kind {
    case .overloaded, .draining: fields = [HTTPField("Retry-After", "2")]
    case .badCredential: fields = [HTTPField("WWW-Authenticate", "Cookie")]
    default: break
    }
  }

  var status: Int {
    switch kind {
    case .malformedJSON, .badVersion, .badRequest: 400
    case .badCredential: 401
    case .crossSite, .readOnly: 403
    case .notFound, .noSession: 404
    case .methodNotAllowed: 405
    case .notAcceptable: 406
    case .actionDisabled, .commandBusy: 409
    case .sessionClosed: 410
    case .versionMoved: 412
    case .bodyTooLarge: 413
    case .notJSON: 415
    case .wrongHost: 421
    case .invalidAction: 422
    case .tooManySessions: 429
    case .internalError: 500
    case .notImplemented: 501
    case .draining, .overloaded: 503
    }
  }

  private var title: String {
    switch kind {
    case .malformedJSON: "The body is not JSON"
    case .badVersion: "Not a version"
    case .badRequest: "Not a request that can be understood"
    case .badCredential: "The credential contradicts itself"
    case .crossSite: "Another site may not do this"
    case .readOnly: "The value is read-only"
    case .notFound: "There is nothing here"
    case .noSession: "There is no such session"
    case .methodNotAllowed: "The method is not allowed here"
    case .notAcceptable: "There is no such representation"
    case .sessionClosed: "The session is closed"
    case .actionDisabled: "The action is disabled"
    case .commandBusy: "The command is executing"
    case .versionMoved: "The state has moved on"
    case .bodyTooLarge: "The body is too large"
    case .notJSON: "The body must be JSON"
    case .wrongHost: "Not a name of this server"
    case .invalidAction: "Nothing was applied"
    case .tooManySessions: "Too many sessions"
    case .internalError: "The view model failed"
    case .notImplemented: "Not implemented"
    case .draining: "The server is stopping"
    case .overloaded: "The server is busy"
    }
  }

  var response: HTTPResponse {
    var writer = JSONWriter(capacity: 256)
    writer.beginObject()
    writer.key("type")
    writer.string("/problems/\(kind.rawValue)")
    writer.key("title")
    writer.string(title)
    writer.key("status")
    writer.integer(status)
    writer.key("detail")
    writer.string(detail)
    if let pointer {
      writer.key("errors")
      writer.beginArray()
      writer.beginObject()
      writer.key("pointer")
      writer.string(pointer)
      writer.key("detail")
      writer.string(detail)
      writer.endObject()
      writer.endArray()
    }
    for member in members {
      writer.key(member.name)
      writer.json(member.value)
    }
    writer.endObject()
    return .json(status, writer.bytes, type: "application/problem+json", fields)
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
    default: return nil
    }
  }

  private init(_ error: SurfaceError) {
    switch error {
    case .noSuchAction, .noSuchValue, .noSuchRow, .absent, .notACommand:
      self.init(.invalidAction, "\(error)", pointer: "")
    case .mismatch(let mismatch): self.init(.invalidAction, "\(error)", pointer: "\(mismatch.pointer)")
    case .readOnly: self.init(.readOnly, "\(error)")
    case .disabled: self.init(.actionDisabled, "\(error)")
    case .busy: self.init(.commandBusy, "\(error)")
    }
  }

  init(_ error: SessionError) {
    switch error {
    case .noSuchModel: self.init(.notFound, "\(error)")
    case .closed: self.init(.sessionClosed, "\(error)")
    case .versionMoved(let version):
      self.init(.versionMoved, "\(error)")
      fields = [HTTPField("ETag", "\"\(version)\"")]
    case .tooManySessions:
      self.init(.tooManySessions, "\(error)")
      fields = [HTTPField("Retry-After", "60")]
    }
  }
}
