// SPDX-License-Identifier: MIT

/// The reason why a request is refused before a handler sees it. The layer above decides how the answer to it looks.
///
/// Heads that libmicrohttpd cannot parse or hold are none of these: it answers them by itself.
public enum HTTPRefusal: Error, Hashable {
  /// A method that is no token; a target that is not UTF-8, or has a control character, a faulty `%` or `%00`.
  case malformedRequestLine
  /// The target is longer than `limit` bytes.
  case targetTooLong(limit: Int)
  /// The header fields are longer than `limit` bytes.
  case headersTooLarge(limit: Int)
  /// A request with more than `limit` header fields.
  case tooManyFields(limit: Int)
  /// A field name that is not a token, or a field value with a control character.
  case malformedField
  /// A request with no Host field, which HTTP/1.1 must have, with several, or with one that is no host.
  case ambiguousHost
  /// A Content-Length that is not a plain number.
  case malformedLength
  /// The length of the body is given twice or in two ways: the bytes behind it could be read as a second request.
  case ambiguousLength
  /// A Transfer-Encoding other than `chunked`.
  case unknownTransferEncoding
  /// A Transfer-Encoding in a request of HTTP/1.0, which has none.
  case transferEncodingTooEarly
  /// An Expect other than `100-continue`, or one where there is no body.
  case unknownExpectation
  /// The body is, or says it is, longer than `limit` bytes.
  case bodyTooLarge(limit: Int)

  /// The sort of refusal, such as `malformed-field`, without its limit: for metrics.
  public var name: String {
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

  /// One of each sort, for lists of their names.
  static let all: [HTTPRefusal] = [
    .malformedRequestLine, .targetTooLong(limit: 0), .headersTooLarge(limit: 0), .tooManyFields(limit: 0),
    .malformedField, .ambiguousHost, .malformedLength, .ambiguousLength, .unknownTransferEncoding,
    .transferEncodingTooEarly, .unknownExpectation, .bodyTooLarge(limit: 0),
  ]
}
