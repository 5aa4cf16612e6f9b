// SPDX-License-Identifier: MIT

/// How much of a request is read; one more is refused.
struct RequestLimits: Sendable {
  /// Bytes of the request target.
  var target = 4_096
  /// Bytes of all header field lines together, their ends included; and of a chunked body all that is not data.
  var headerBytes = 16_384
  /// Header fields.
  var headerFields = 64
  /// Bytes of the body.
  var body = 65_536
}
