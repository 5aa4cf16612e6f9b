// SPDX-License-Identifier: MIT
import HTTPListening

extension Problem {
  /// The problem of a request that the listener itself refuses.
  init(_ refusal: HTTPRefusal) {
    switch refusal {
    case .malformedRequestLine:
      self.init(
        .badRequest,
        "the first line must be a method and a target: a URI's characters, the others percent-encoded, without %00")
    case .targetTooLong(let limit):
      self.init(.targetTooLong, "a target may have \(limit) bytes at most", limit: .target)
    case .headersTooLarge(let limit):
      self.init(.headersTooLarge, "all header fields together may have \(limit) bytes at most", limit: .header)
    case .tooManyFields(let limit):
      self.init(.headersTooLarge, "a request may have \(limit) header fields at most", limit: .headerFields)
    case .malformedField:
      self.init(.badRequest, "a header field's name must be a token and its value without control characters")
    case .ambiguousHost: self.init(.badRequest, "expected one Host field, with a name or an address")
    case .malformedLength: self.init(.badRequest, "Content-Length must be a number in decimal digits")
    case .ambiguousLength: self.init(.badRequest, "the length of the body is given more than once")
    case .unknownTransferEncoding:
      self.init(.notImplemented, "the only transfer coding that this server knows is chunked")
    case .transferEncodingTooEarly: self.init(.badRequest, "HTTP/1.0 has no Transfer-Encoding")
    case .unknownExpectation:
      self.init(.expectationFailed, "the only expectation that this server can meet is 100-continue, before a body")
    case .bodyTooLarge(let limit): self.init(.bodyTooLarge, "a body may have \(limit) bytes at most", limit: .body)
    }
  }
}
