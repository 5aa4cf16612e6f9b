// SPDX-License-Identifier: MIT

/// The reason why a request is refused before a handler sees it. The layer above makes the answer.
///
/// A head that libmicrohttpd cannot parse or hold is not among these. libmicrohttpd answers it by itself.
package enum HTTPRefusal: Error, Hashable {
  /// A method that is not a token, or a target that is not UTF-8 or has a control character, a faulty `%` or
  /// `%00`.
  case malformedRequestLine
  /// The target is longer than `limit` bytes.
  case targetTooLong(limit: Int)
  /// The header fields are longer than `limit` bytes.
  case headersTooLarge(limit: Int)
  /// The request has more than `limit` header fields.
  case tooManyFields(limit: Int)
  /// A field name that is not a token, or a field value with a control character.
  case malformedField
  /// The request has several Host fields, or one that is not a host, or none although HTTP/1.1 demands one.
  case ambiguousHost
  /// A Content-Length that is not a plain number.
  case malformedLength
  /// The length of the body is given twice or in two ways. The bytes after it could be read as a second
  /// request.
  case ambiguousLength
  /// A Transfer-Encoding other than `chunked`.
  case unknownTransferEncoding
  /// A Transfer-Encoding in a request of HTTP/1.0, which does not have it.
  case transferEncodingTooEarly
  /// An Expect other than `100-continue`, or an Expect in a request without a body.
  case unknownExpectation
  /// The body is longer than `limit` bytes, or says that it is.
  case bodyTooLarge(limit: Int)

  /// The kind of refusal without its limit, such as `malformed-field`, for metrics.
  package var name: String {
    switch self {
    case .malformedRequestLine: "malformed-request-line"
    case .targetTooLong: "target-too-long"
    case .headersTooLarge: "headers-too-large"
    case .tooManyFields: "too-many-fields"
    case .malformedField: "malformed-field"
    case .ambiguousHost: "ambiguous-host"
    case .malformedLength: "malformed-length"
    case .ambiguousLength: "ambiguous-length"
    case .unknownTransferEncoding: "unknown-transfer-encoding"
    case .transferEncodingTooEarly: "transfer-encoding-too-early"
    case .unknownExpectation: "unknown-expectation"
    case .bodyTooLarge: "body-too-large"
    }
  }

  /// One refusal of each kind, for lists of their names.
  static let all: [HTTPRefusal] = [
    .malformedRequestLine, .targetTooLong(limit: 0), .headersTooLarge(limit: 0), .tooManyFields(limit: 0),
    .malformedField, .ambiguousHost, .malformedLength, .ambiguousLength, .unknownTransferEncoding,
    .transferEncodingTooEarly, .unknownExpectation, .bodyTooLarge(limit: 0),
  ]
}
