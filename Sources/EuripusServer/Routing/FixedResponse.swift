// SPDX-License-Identifier: MIT
import HTTPListening

/// A response that stays the same as long as the server lives, compressed once.
struct FixedResponse: Sendable {
  private let plain: HTTPResponse
  private let gzipped: HTTPResponse

  init(_ response: HTTPResponse) {
    var response = response
    response.fields.append(HTTPField("Vary", "Accept-Encoding"))
    (plain, gzipped) = (response, response.gzipped)
  }

  /// The one that a request's `Accept-Encoding` likes best.
  func response(to request: HTTPRequest) -> HTTPResponse {
    AcceptEncoding(request.list("Accept-Encoding")).best(of: [.gzip]) == nil ? plain : gzipped
  }
}
