// SPDX-License-Identifier: MIT
import HTTPListening

/// The conditions of a request to a resource outside sessions.
struct ResourceConditions: Sendable {
  fileprivate let ifMatch: EntityTags?
  fileprivate let known: EntityTags?

  init(_ request: HTTPRequest) {
    (ifMatch, known) = (EntityTags(request.list("If-Match")), EntityTags(request.list("If-None-Match")))
  }
}

extension HTTPResponse {
  /// This response of a resource outside sessions, or the one that the request's conditions make of it (RFC
  /// 9110 §13.2.2).
  func meeting(_ conditions: ResourceConditions) -> HTTPResponse {
    let (ifMatch, known) = (conditions.ifMatch, conditions.known)
    guard status == 200, ifMatch != nil || known != nil else { return self }
    // No tag is empty, so this one matches none.
    let tag = entityTag ?? ""
    if let ifMatch, !ifMatch.containsStrong(tag) {
      var response = Problem(.versionMoved, "what is here is not what If-Match names").response
      response.entityTag = entityTag
      return response.varying(as: self)
    }
    return known?.contains(tag) == true ? asNotModified : self
  }
}
