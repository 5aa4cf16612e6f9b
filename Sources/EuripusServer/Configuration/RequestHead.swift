// SPDX-License-Identifier: MIT

/// The part of a request by which an app recognises a user. Nothing else may count: the user that is found
/// counts for later requests with the same head.
public struct RequestHead: Sendable, Hashable {
  /// The token of `Authorization: Bearer …`, unless it is one of this server's.
  public let bearerToken: String?
  /// The `Cookie` field as it was sent, with the server's own cookie in it.
  let cookieField: String?

  package init(bearerToken: String?, cookieField: String?) {
    (self.bearerToken, self.cookieField) = (bearerToken, cookieField)
  }
}
