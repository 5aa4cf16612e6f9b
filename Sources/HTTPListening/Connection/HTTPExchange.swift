// SPDX-License-Identifier: MIT

/// A request and its response, for counts and logs. Valid only during the call.
package struct HTTPExchange {
  let connection: Connection
  package let response: HTTPResponse

  /// The mark that the handler gave the request; 0 if it gave none, or if no handler saw the request.
  package var mark: UInt16 { connection.mark }

  /// The name that the handler gave the request; nil if it gave none.
  package var id: String? { connection.id }

  /// The notes that the handler made of the request; empty if it made none.
  package var notes: [(name: String, text: String)] { connection.notes }

  /// The method as sent.
  package var method: String { connection.method }

  /// The client's address in numbers, from the handler or else from the connection; empty if it is not known.
  /// Computed at each call.
  package var clientAddress: String { connection.clientAddress ?? connection.engine.peerAddress }

  /// The time from the reading of the request line until now. Computed at each call.
  package var duration: Duration {
    let now = connection.loop.shared.clock.now
    return .nanoseconds(Int64(clamping: now - min(connection.beganAt, now)))
  }
}

@available(*, unavailable, message: "an exchange is valid only during the call: copy out what is needed")
extension HTTPExchange: Sendable {}
