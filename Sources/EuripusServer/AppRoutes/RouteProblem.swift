// SPDX-License-Identifier: MIT
public import HTTPListening
public import JSONPatching
import ViewModels

/// A problem that an app's route tells its client, as `application/problem+json` (RFC 9457).
///
/// ```swift
/// throw RouteProblem(404, "there is no report '\(name)'")
/// ```
public struct RouteProblem: Error, Sendable, CustomStringConvertible {
  /// The status code, 400 to 599.
  public var status: Int
  /// A sentence about this case, which the client reads.
  public var detail: String
  /// A URL that names the kind of problem; `about:blank` if the status says enough.
  public var type = "about:blank"
  /// A short title for the kind of problem; by default the reason phrase of a common status, such as `Not Found`.
  public var title: String
  /// More members of the JSON.
  public var members: [JSON.Member] = []
  /// More header fields.
  public var fields: [HTTPField] = []

  public init(_ status: Int, _ detail: String) {
    (self.status, self.detail) = (status, detail)
    title = Self.titles[status] ?? (status < 500 ? "Not Possible" : "Failed")
  }

  public var description: String { "\(status) \(title): \(detail)" }

  /// The words for the statuses (RFC 9110 §15, RFC 6585).
  private static let titles = [
    400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
    406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 412: "Precondition Failed",
    413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Content", 423: "Locked",
    428: "Precondition Required", 429: "Too Many Requests", 451: "Unavailable For Legal Reasons",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 507: "Insufficient Storage",
  ]
}

extension RouteProblem {
  /// The problem for an error that a client may be told; `nil` for any other error.
  init?(_ error: any Error) {
    switch error {
    case let problem as RouteProblem: self = problem
    case let shown as any PresentableError:
      self.init(422, shown.detail)
      members = [JSON.Member(name: "error", value: .string(shown.type))]
    default: return nil
    }
  }

  /// - Throws: ``RouteResponseFault`` for a status that no problem has.
  func response() throws(RouteResponseFault) -> RouteResponse {
    guard (400...599).contains(status) else {
      throw RouteResponseFault(description: "the status of a RouteProblem is \(status); expected one from 400 to 599")
    }
    let own: [JSON.Member] = [
      .init(name: "type", value: .string(type)), .init(name: "title", value: .string(title)),
      .init(name: "status", value: .integer(Int64(status))), .init(name: "detail", value: .string(detail)),
    ]
    let further = members.filter { member in !own.contains { $0.name == member.name } }
    var response = RouteResponse.json(.object(own + further), status: status)
    response.fields = [HTTPField("Content-Type", "application/problem+json")] + fields
    return response
  }
}
