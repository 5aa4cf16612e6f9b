// SPDX-License-Identifier: MIT

/// The part of a request by which an app knows a user: nothing else counts, as the user that is found counts for the next
/// requests with the same head.
public struct RequestHead: Sendable, Hashable {
  /// The token of `Authorization: Bearer …`, if it is none of this server's own.
  public let bearerToken: String?
  /// The `Cookie` field, as it was sent; the server's own cookie is in it.
  let cookieField: String?

  /// The values of the cookies of a name, in order.
  public func cookies(_ name: String) -> [String] { cookieField.map { KeyCookie.keys(name, in: $0) } ?? [] }

  package init(bearerToken: String?, cookieField: String?) {
    (self.bearerToken, self.cookieField) = (bearerToken, cookieField)
  }
}
