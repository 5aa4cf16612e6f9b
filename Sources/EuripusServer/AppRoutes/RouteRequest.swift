// SPDX-License-Identifier: MIT
import HTTPListening
public import ViewModels

/// A whole request to an app's route, with its body. It has been let in: its host is this server's, and no page
/// has sent it that may not.
public struct RouteRequest: Sendable {
  /// The method, such as `GET`. It is `HEAD` if a client asks for the answer to GET without its body.
  public let method: String
  /// The path as it was sent, percent-encoded, without the query.
  public let path: String
  /// The values of the parameters in the route's path, decoded. A slash in a value was percent-encoded.
  public let parameters: [String: String]
  /// The names and values of the query, decoded and in order. A name without `=` has the value `""`.
  public let query: [(name: String, value: String)]
  /// The header fields, in order. `Cookie` and `Authorization` hold the key to the client's sessions, so they
  /// must not be logged.
  public let fields: [(name: String, value: String)]
  /// The whole body; empty for a function that reads it while it comes.
  public let body: [UInt8]
  /// The client's address in numbers. Behind trusted proxies it is the client's own (PROTOCOL §7).
  public let clientAddress: String
  /// Whether the client speaks TLS, with this server or with a trusted proxy.
  public let isSecure: Bool
  /// The user of the client's key; `nil` if it has none. A user that the proxy or the app names counts before
  /// that.
  public let user: User?
  /// The word by which the request is found in the log.
  public let id: String
  /// The body, for a function that reads it while it comes.
  var incoming: IncomingBody?
}
