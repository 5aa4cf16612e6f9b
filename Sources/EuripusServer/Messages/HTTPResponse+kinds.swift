// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions
import ViewModels

/// The kinds of responses, each with the fields that it needs (PROTOCOL §7).
extension HTTPResponse {
  /// The fields with a browser's rules for a page and its files.
  static func documentFields(_ policy: ContentSecurityPolicy) -> [HTTPField] {
    [
      HTTPField("Content-Security-Policy", policy.text), HTTPField("Referrer-Policy", "no-referrer"),
      HTTPField("Cross-Origin-Resource-Policy", "same-origin"), HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
    ]
  }

  private static let noSniffing = HTTPField("X-Content-Type-Options", "nosniff")
  private static let unknownType = HTTPField("Content-Type", "application/octet-stream")
  private static let noStore = HTTPField("Cache-Control", "no-store")

  /// The fields of bodiless responses that the listener gives by itself.
  static let ownFields = [noStore]

  /// A page for a browser, or one of its files. A cache has to ask about it each time.
  static func document(
    _ type: String, _ body: HTTPBody, tag: String, _ policy: ContentSecurityPolicy
  ) -> HTTPResponse {
    let own = [HTTPField("Content-Type", type), HTTPField("Cache-Control", "no-cache"), noSniffing]
    return HTTPResponse(status: 200, fields: own + documentFields(policy), body: body, entityTag: tag)
  }

  /// The fields that a response of an app's route needs, unless it sets them itself.
  ///
  /// - Parameter type: its media type. A response counts as a page if a browser shows its type and runs scripts
  ///   in it.
  static func routeFields(type: String?, hasBody: Bool, _ policy: ContentSecurityPolicy) -> [HTTPField] {
    guard let type else { return hasBody ? [noStore, unknownType, noSniffing] : [noStore] }
    return [noStore, noSniffing] + (MediaType.isOfPages(type) ? documentFields(policy) : [])
  }

  /// An answer of the API. The media type and the rule for caches are among `fields`.
  static func plain(_ status: Int, _ body: [UInt8] = [], _ fields: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(status: status, fields: fields + [noSniffing], body: body)
  }

  /// The OpenAPI description. A cache has to ask about it each time.
  static func description(_ body: [UInt8]) -> HTTPResponse {
    var response = plain(
      200, body, [HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-cache")])
    response.entityTag = tag(of: body)
    return response
  }

  /// A line of text that is true only now.
  static func probe(_ text: String) -> HTTPResponse {
    plain(200, Array(text.utf8), [HTTPField("Content-Type", "text/plain; charset=utf-8"), noStore])
  }

  static func json(
    _ status: Int, _ body: [UInt8], type: StaticString = "application/json", _ fields: [HTTPField] = []
  ) -> HTTPResponse {
    HTTPResponse(status: status, contentType: type, fields: [noStore, noSniffing] + fields, body: body)
  }

  /// A problem whose body is written already (RFC 9457).
  static func problem(_ status: Int, _ body: [UInt8], _ fields: [HTTPField]) -> HTTPResponse {
    json(status, body, type: "application/problem+json", fields)
  }

  /// A frame, a snapshot or a value, with its version as the ETag.
  static func message(_ message: Message, _ status: Int = 200, _ fields: [HTTPField] = []) -> HTTPResponse {
    var response = json(status, message.json, fields)
    response.entityTag = message.version.description
    return response
  }

  /// The frame that answers a change.
  static func frame(_ message: Message, _ fields: [HTTPField] = []) -> HTTPResponse { .message(message, 200, fields) }

  static func noContent(_ fields: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(status: 204, fields: [noStore] + fields, body: [])
  }

  /// A tag for a body that stays the same while the server lives.
  static func tag(of body: [UInt8]) -> String { String(ContentHash.fnv1a(body), radix: 36) }

  /// The answer to a reader that has this response already (RFC 9110 §15.4.5). It keeps the fields in which the
  /// reader's copy may be out of date. Only the length of the body is sent, which must be this body's or be
  /// left out (§8.6).
  var asNotModified: HTTPResponse {
    let kept = fields.filter { Self.ofNotModified.contains($0.name.description) }
    return HTTPResponse(status: 304, fields: kept, body: body, entityTag: entityTag)
  }

  /// This response in place of another one, which was chosen by the same fields of the request (RFC 9110
  /// §12.5.5).
  func varying(as other: HTTPResponse) -> HTTPResponse {
    var response = self
    response.fields += other.fields.filter { $0.name.description == "Vary" }
    return response
  }

  private static let ofNotModified: Set = ["Cache-Control", "Vary", "Preference-Applied", "Retry-After"]
}
