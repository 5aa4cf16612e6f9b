// SPDX-License-Identifier: MIT
import CMicroHTTPDShim

/// The responses that libmicrohttpd is given in place of those that are sent (Decisions/0034): without fields or a body, one
/// after which the connection is kept, and one after which it is closed.
///
/// A loop has its own: each time one is queued, libmicrohttpd counts that under a lock of the response's.
struct StubResponse: ~Copyable {
  private let kept: OpaquePointer
  private let closing: OpaquePointer

  /// Nil if there is no memory for them.
  init?() {
    guard let kept = Self.make() else { return nil }
    guard let closing = Self.make() else {
      MHD_destroy_response(kept)
      return nil
    }
    guard MHD_add_response_header(closing, "Connection", "close") == .YES else {
      MHD_destroy_response(kept)
      MHD_destroy_response(closing)
      return nil
    }
    self.kept = kept
    self.closing = closing
  }

  deinit {
    MHD_destroy_response(kept)
    MHD_destroy_response(closing)
  }

  /// Has libmicrohttpd send a response on this connection. Only inside a handler call, once for each request.
  /// - Returns: False if it was not possible.
  borrowing func queue(on connection: OpaquePointer, closing isClosing: Bool) -> Bool {
    MHD_queue_response(connection, 200, isClosing ? closing : kept) == .YES
  }

  private static func make() -> OpaquePointer? { MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT) }
}
