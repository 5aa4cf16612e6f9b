// SPDX-License-Identifier: MIT

/// The sizes that a request may have. A request with one more is refused.
struct RequestLimits: Sendable {
  /// Bytes of the request target.
  var target = 4_096
  /// Bytes of all header fields together, each as `name: value` and a line end.
  var headerBytes = 6_144
  /// Header fields.
  var headerFields = 64
  /// Bytes of the body.
  var body = 65_536

  /// The memory that libmicrohttpd gets for a connection, in bytes. It has to hold the head as it came, about
  /// 64 bytes for each field and query item, and a second copy of a Cookie field. The head of the response has
  /// to fit beside it. So each limit can be reached, but not all at once. If a head needs more, libmicrohttpd
  /// answers 431 or 414 by itself.
  var connectionMemory: Int { max(headerBytes, target + 1_024, 80 * headerFields) + 2_048 }
}
