// SPDX-License-Identifier: MIT

/// Why a request is refused before a handler sees it. The layer above decides what the refusal looks like.
public enum HTTPRefusal: Sendable, Equatable {
  /// The body is, or says it is, longer than `limit` bytes.
  case bodyTooLarge(limit: Int)
  /// The length of the body is given twice or in two ways: what follows could be read as a second request.
  case ambiguousLength
  /// A Transfer-Encoding other than `chunked`.
  case unknownTransferEncoding
  /// A field name that is not a token, or a field value with a control character.
  case malformedField
}
