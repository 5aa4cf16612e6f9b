// SPDX-License-Identifier: MIT

/// Why a request is refused before a handler sees it. The layer above decides what the refusal looks like.
public enum HTTPRefusal: Error, Hashable {
  /// The first line is not a method, a target and a version with one space between them (RFC 9112 §3), or its method is
  /// longer than any that there is.
  case malformedRequestLine
  /// A version of HTTP other than 1.
  case unsupportedVersion
  /// The target is longer than `limit` bytes.
  case targetTooLong(limit: Int)
  /// The header fields are longer than `limit` bytes, or what is around the data of a chunked body is.
  case headersTooLarge(limit: Int)
  /// There are more than `limit` header fields.
  case tooManyFields(limit: Int)
  /// A line of the head does not end with CR and LF (RFC 9112 §2.2).
  case malformedLineEnd
  /// A field goes on in a second line (RFC 9112 §5.2).
  case foldedField
  /// A field name that is not a token, or a field value with a control character.
  case malformedField
  /// More than one Host field.
  case ambiguousHost
  /// A Content-Length that is not a plain number.
  case malformedLength
  /// The length of the body is given twice or in two ways: what follows could be read as a second request.
  case ambiguousLength
  /// A Transfer-Encoding other than `chunked`.
  case unknownTransferEncoding
  /// A Transfer-Encoding in a request of HTTP/1.0, which has none.
  case transferEncodingTooEarly
  /// An Expect other than `100-continue`.
  case unknownExpectation
  /// The body is, or says it is, longer than `limit` bytes.
  case bodyTooLarge(limit: Int)
  /// A chunked body whose chunks are not as RFC 9112 §7.1 has them.
  case malformedChunk
}
