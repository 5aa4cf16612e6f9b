// SPDX-License-Identifier: MIT

/// Sends requests to the other servers of a shared store. Each answer is told in events.
package protocol NodeClient: Sendable {
  /// Sends a request.
  ///
  /// - Parameters:
  ///   - takesPiece: asked before each piece of the body. If it says no, the answer is not read on before ``goOn(_:)``,
  ///     so that the network holds up its sender.
  ///   - tell: gets each event, the last of which is `end` or `failed`. Both closures are called on one thread, and
  ///     neither may wait.
  /// - Returns: the number by which the request can be given up.
  func send(
    _ request: NodeRequest, takesPiece: @escaping @Sendable () -> Bool, tell: @escaping @Sendable (NodeEvent) -> Void
  ) -> UInt64

  /// Reads on in an answer of which a piece was not taken.
  func goOn(_ id: UInt64)

  /// Gives up a request. It gets `broken` if it is not over.
  func giveUp(_ id: UInt64)

  /// Gives up all requests that wait for servers which are gone.
  ///
  /// - Parameter boots: the numbers of their openings of the store.
  func giveUp(allTo boots: [UInt64])

  /// Gives up all requests, and takes no more.
  func stop()
}

/// A request to another server, in HTTP's terms.
package struct NodeRequest: Sendable {
  package var method: String
  package var url: String
  /// Lines of a name, a colon and a value.
  package var fields: [String]
  package var body: [UInt8]
  /// Whether the request may be sent again. If not, it gets a connection of its own.
  package var mayBeRepeated: Bool
  /// The number of the other server's opening of the store.
  package var boot: UInt64

  package init(method: String, url: String, fields: [String], body: [UInt8], mayBeRepeated: Bool, boot: UInt64) {
    (self.method, self.url, self.fields, self.body) = (method, url, fields, body)
    (self.mayBeRepeated, self.boot) = (mayBeRepeated, boot)
  }
}

/// A part of another server's answer.
package enum NodeEvent: Sendable {
  /// The values may have blanks around them, as they came.
  case head(status: Int, fields: [(name: String, value: String)])
  /// Some bytes of the body.
  case piece([UInt8])
  case end
  case failed(NodeFailure)
}

/// The reason why another server gave no answer.
package enum NodeFailure: Sendable {
  /// No server listens there.
  case refused
  /// No connection was made, for another reason. Nothing was sent.
  case unreached
  /// The connection broke, or was given up. The request may or may not have been carried out.
  case broken
}
