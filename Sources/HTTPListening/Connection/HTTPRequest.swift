// SPDX-License-Identifier: MIT

/// A request as it was sent, with its whole body.
///
/// It is valid only until the handler returns. It cannot be kept or sent to another thread, so copy out the
/// parts that are needed.
package struct HTTPRequest {
  let connection: Connection

  /// The number of times that the handler was called for this request before: 0 the first time (see
  /// ``DeferredReply/askAgain()``).
  package var attempt: Int { connection.attempt }

  /// The method as sent, such as `GET`.
  package var method: String { connection.method }

  /// The request target as sent, with its query and not decoded, such as `/a%20b?x=1`.
  package var target: String { connection.target ?? "" }

  /// Marks the request for counts and logs: see ``HTTPExchange/mark``.
  package func mark(_ mark: UInt16) { connection.mark = mark }

  /// Sets the client's address, if it differs from the connection's: see ``HTTPExchange/clientAddress``.
  package func setClientAddress(_ address: String) { connection.clientAddress = address }

  /// Says that the request is of a known client. When there are nearly too many connections, this one is kept longer
  /// than those of others: see ``HTTPListenerConfiguration/maxConnections``.
  package func setKnown() { connection.isKnown = true }

  /// Notes that the handler counts the request at a limit. It stays counted, however often the handler is called for it.
  ///
  /// - Returns: whether it was not counted before.
  package func count() -> Bool {
    defer { connection.isCounted = true }
    return !connection.isCounted
  }

  /// Gives the request a name of its own for logs: see ``HTTPExchange/id``.
  package func setID(_ id: String) { connection.id = id }

  /// Makes notes of the request for logs: see ``HTTPExchange/notes``. They take the place of earlier ones.
  package func setNotes(_ notes: [(name: String, text: String)]) { connection.notes = notes }

  /// The body, for one that is read while it comes; nil for one that has come as a whole.
  package var bodyStream: IncomingBody? { connection.bodyStream }

  /// The whole body; empty for one that is read while it comes.
  package var body: [UInt8] { connection.body }

  /// The client's address in numbers, such as `127.0.0.1`; empty if it is not known. Computed at each call.
  package var peerAddress: String { connection.engine.peerAddress }

  /// Whether the request came through TLS.
  package var isSecure: Bool { connection.loop.shared.isSecure }

  /// The value of the first header field with this name, in any case of its letters. O(header fields).
  package func header(_ name: StaticString) -> String? { connection.engine.header(name) }

  /// The values of all header fields with this name, in order, joined by `separator`. For fields that are lists
  /// (RFC 9110 §5.3). O(header fields).
  package func list(_ name: StaticString, separator: String = ", ") -> String? {
    let values = connection.engine.headers(name)
    return values.count > 1 ? values.joined(separator: separator) : values.first
  }

  /// All header fields, in order. O(header fields).
  package var fields: [(name: String, value: String)] { connection.engine.fields }

  /// Adds fields to the response, whichever it is and whenever it comes. That includes the listener's own
  /// responses.
  package func addToAnswer(_ fields: [HTTPField]) { connection.answerFields += fields }

  /// Allows the response to be sent as gzip, whichever it is and whenever it comes. That is done for a body
  /// longer than 1 KiB, unless it is a file or a stream, or too many responses are being compressed. The
  /// response waits meanwhile, without holding up its loop.
  package func allowGzip() { connection.allowsGzip = true }

  /// The number of header fields with this name, in any case of its letters. O(header fields).
  package func headerCount(_ name: StaticString) -> Int { connection.engine.headerCount(name) }
}

@available(*, unavailable, message: "a request is valid only inside its handler: copy out what is needed")
extension HTTPRequest: Sendable {}
