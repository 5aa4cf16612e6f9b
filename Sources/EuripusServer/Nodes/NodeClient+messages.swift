// SPDX-License-Identifier: MIT

/// The messages that go to other servers and come from them.
extension NodeClient {
  struct Request: Sendable {
    var method: String
    var url: String
    var fields: [String]
    var body: [UInt8]
    /// Whether the request may be sent again. If not, it gets a connection of its own: libcurl by itself
    /// repeats a request that a kept connection has lost.
    var mayBeRepeated: Bool
    /// The number of the other server's opening of the store.
    var boot: UInt64
  }

  struct Head: Sendable {
    let status: Int
    let fields: [(name: String, value: String)]
  }

  enum Event: Sendable {
    case head(Head)
    /// Some bytes of the body.
    case piece([UInt8])
    case end
    case failed(Failure)
  }

  enum Failure: Sendable {
    /// No server listens there.
    case refused
    /// No connection was made, for another reason. Nothing was sent.
    case unreached
    /// The connection broke, or was given up. The request may or may not have been carried out.
    case broken
  }
}
