// SPDX-License-Identifier: MIT

/// The fields of answers of the API that a client reads. The description of a route names those of its answers, another
/// server's answer keeps them, and pages of other origins may read them.
package enum AnswerField: Sendable, CaseIterable {
  case etag
  /// The same field, on an answer that may also be a stream. A stream has no ETag.
  case etagUnlessStream
  case location, setCookie, preferenceApplied, retryAfter, wwwAuthenticate
  case uploadOffset, uploadComplete, uploadLength, uploadLimit

  package var name: StaticString {
    switch self {
    case .etag, .etagUnlessStream: "ETag"
    case .location: "Location"
    case .setCookie: "Set-Cookie"
    case .preferenceApplied: "Preference-Applied"
    case .retryAfter: "Retry-After"
    case .wwwAuthenticate: "WWW-Authenticate"
    case .uploadOffset: "Upload-Offset"
    case .uploadComplete: "Upload-Complete"
    case .uploadLength: "Upload-Length"
    case .uploadLimit: "Upload-Limit"
    }
  }

  /// Whether a page of another origin may read it. The browser keeps cookies from every page, and asks for a password by
  /// itself.
  var isForPages: Bool { self != .setCookie && self != .wwwAuthenticate && self != .etagUnlessStream }

  var isEntityTag: Bool { self == .etag || self == .etagUnlessStream }
}
