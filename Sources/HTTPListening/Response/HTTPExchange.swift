// SPDX-License-Identifier: MIT

/// A request and the response that it is given, for counts and logs: valid only during the call.
public struct HTTPExchange {
  let connection: Connection
  public let response: HTTPResponse

  /// The mark that the handler gave the request; 0 where it did not, or no handler saw it.
  public var mark: UInt16 { connection.mark }

  /// The name that the handler gave the request; nil where it gave none.
  public var id: String? { connection.id }

  /// The method as sent.
  public var method: String { connection.method }

  /// The client's address in numbers: the one that the handler says, or that of the connection; empty if it is not
  /// known. Computed at each call.
  public var clientAddress: String { connection.clientAddress ?? connection.engine.peerAddress }

  /// The time from the reading of the request line to the turn of the loop. Computed at each call.
  public var duration: Duration {
    let now = connection.loop.shared.clock.now
    return .nanoseconds(Int64(clamping: now - min(connection.beganAt, now)))
  }
}

@available(*, unavailable, message: "an exchange is valid only during the call: copy out what is needed")
extension HTTPExchange: Sendable {}
