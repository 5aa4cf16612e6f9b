// SPDX-License-Identifier: MIT
import HTTPListening
public import ViewModels

/// A request to a route of an app's own, whole, with its body. It has been let in: its host is this server's, and it comes from no
/// page that may not send it.
public struct RouteRequest: Sendable {
  /// The method, such as `GET`; `HEAD` where a client asks for the answer of GET without its body.
  public let method: String
  /// The path as it was sent, percent-encoded, without the query.
  public let path: String
  /// The values of the parameters in the route's path, decoded. A slash in one came percent-encoded.
  public let parameters: [String: String]
  /// The parts of the query, decoded, in order; one without `=` has the value `""`.
  public let query: [(name: String, value: String)]
  /// The header fields, in order. `Cookie` and `Authorization` have the key to the client's sessions: they belong in no log.
  public let fields: [(name: String, value: String)]
  public let body: [UInt8]
  /// The address of the client in numbers, behind trusted proxies its own (PROTOCOL §7).
  public let clientAddress: String
  /// Whether the client speaks TLS, with this server or with a trusted proxy.
  public let isSecure: Bool
  /// The user that the client's key is of; `nil` for nobody's. A proxy's or the app's own word counts where there is one.
  public let user: User?
  /// A word by which the request is found in the log.
  public let id: String
}

extension RouteRequest {
  /// - Parameter address: the client's.
  /// - Throws: `bad-request` for a query that is not UTF-8.
  init(_ call: Call, user: User?, address: String, id: String) throws(Problem) {
    guard let query = FormText.items(call.target.query) else {
      throw Problem(.badRequest, "the query must be UTF-8, percent-encoded")
    }
    self.init(
      method: call.request.method, path: "/" + call.target.path(fromSegment: 0), parameters: call.path.parameters,
      query: query, fields: call.request.fields, body: call.request.body, clientAddress: address,
      isSecure: call.identity.isSecure, user: user, id: id)
  }
}
