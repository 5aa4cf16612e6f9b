// SPDX-License-Identifier: MIT
import HTTPListening

/// A response that stays the same while the server lives. It is compressed once.
struct FixedResponse: Sendable {
  private let plain: HTTPResponse
  private let gzipped: HTTPResponse

  init(_ response: HTTPResponse) {
    var response = response
    response.fields.append(HTTPField("Vary", "Accept-Encoding"))
    (plain, gzipped) = (response, response.gzipped)
  }

  /// The response in the coding that the request's `Accept-Encoding` prefers.
  func response(to request: HTTPRequest) -> HTTPResponse {
    AcceptEncoding(request.list("Accept-Encoding")).best(of: [.gzip]) == nil ? plain : gzipped
  }
}
