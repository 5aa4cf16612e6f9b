// SPDX-License-Identifier: MIT

/// The part of a request by which an app recognises its user: the bearer token and the cookies.
///
/// The server uses the app's answer for 30 seconds at most, for all requests with the same token and the same cookies.
/// So the app must decide by these alone. For a request with neither, the server does not ask the app: it has no user.
public struct RequestHead: Sendable, Hashable {
  /// The token of `Authorization: Bearer …`, unless it is one of this server's.
  public let bearerToken: String?
  /// The `Cookie` field as it was sent, with the server's own cookie in it.
  let cookieField: String?

  package init(bearerToken: String?, cookieField: String?) {
    (self.bearerToken, self.cookieField) = (bearerToken, cookieField)
  }
}
