// SPDX-License-Identifier: MIT
import HTTPListening
import ViewModels

/// A document that stays the same as long as the server lives.
struct FixedDocument: Sendable {
  private let type: String
  private let body: [UInt8]
  private let tag: String

  /// - Parameter type: the media type.
  init(_ type: String, _ body: [UInt8]) {
    self.type = type
    self.body = body
    tag = String(ContentHash.fnv1a(body), radix: 36)
  }

  /// - Parameter fields: what else it says of itself.
  func response(_ fields: [HTTPField] = []) -> HTTPResponse {
    let own = [HTTPField("Content-Type", type), HTTPField("Cache-Control", "no-cache")]
    return HTTPResponse(status: 200, fields: own + fields, body: body, entityTag: tag)
  }
}
