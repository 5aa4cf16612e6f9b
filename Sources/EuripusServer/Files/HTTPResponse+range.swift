// SPDX-License-Identifier: MIT
import HTTPListening

/// The part of a file that a request asks for.
struct WantedRange: Sendable {
  /// `Range`; `nil` for the whole file.
  let field: String?
  let ifRange: String?

  init(_ request: HTTPRequest) {
    field = request.method == "GET" ? request.list("Range") : nil
    ifRange = field == nil ? nil : request.header("If-Range")
  }
}

extension HTTPResponse {
  /// The part of a file that the request asks for, or this response if it asks for none. To be called after the
  /// request's conditions were checked (RFC 9110 §13.2.2, §14.2).
  func inRange(of request: HTTPRequest) -> HTTPResponse { inRange(WantedRange(request)) }

  func inRange(_ wanted: WantedRange) -> HTTPResponse {
    guard case .file(let file) = body, status == 200, let field = wanted.field, hasTag(ofIfRange: wanted.ifRange) else {
      return self
    }
    var response = self
    switch ByteRange(field, of: file.count) {
    case .whole: break
    case .part(let range):
      response.status = 206
      response.body = .file(file[range])
      response.fields.append(
        HTTPField("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)"))
    case .unsatisfiable:
      var problem = Problem(.rangeNotSatisfiable, "the file has \(file.count) bytes; '\(field)' names none of them")
      problem.fields = [HTTPField("Content-Range", "bytes */\(file.count)")]
      response = problem.response.varying(as: self)
    }
    return response
  }

  /// Whether `If-Range` names this response, by the strong comparison. A date never does, as responses have
  /// none.
  private func hasTag(ofIfRange field: String?) -> Bool {
    guard let field, let entityTag else { return field == nil }
    return field == "\"\(entityTag)\""
  }
}
