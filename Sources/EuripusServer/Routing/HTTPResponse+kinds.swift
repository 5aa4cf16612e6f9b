// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions
import ViewModels

/// The kinds of responses, each with the fields that it needs (PROTOCOL §7).
extension HTTPResponse {
  /// The rules of a page for a browser, and of its files.
  static func documentFields(_ policy: ContentSecurityPolicy) -> [HTTPField] {
    [
      HTTPField("Content-Security-Policy", policy.text), HTTPField("Referrer-Policy", "no-referrer"),
      HTTPField("Cross-Origin-Resource-Policy", "same-origin"), HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
    ]
  }

  private static let noSniffing = HTTPField("X-Content-Type-Options", "nosniff")
  private static let unknownType = HTTPField("Content-Type", "application/octet-stream")
  private static let noStore = HTTPField("Cache-Control", "no-store")

  /// The fields of the responses that the listener gives by itself, without a body.
  static let ownFields = [noStore]

  /// A page for a browser, or a file of one, which a cache asks about each time.
  static func document(
    _ type: String, _ body: HTTPBody, tag: String, _ policy: ContentSecurityPolicy
  ) -> HTTPResponse {
    let own = [HTTPField("Content-Type", type), HTTPField("Cache-Control", "no-cache"), noSniffing]
    return HTTPResponse(status: 200, fields: own + documentFields(policy), body: body, entityTag: tag)
  }

  /// The fields that a response of an app's route needs, where it has none of its own.
  ///
  /// - Parameter type: its media type. A response of a type that a browser shows, with scripts that it runs, is a page.
  static func routeFields(type: String?, hasBody: Bool, _ policy: ContentSecurityPolicy) -> [HTTPField] {
    guard let type else { return hasBody ? [noStore, unknownType, noSniffing] : [noStore] }
    return [noStore, noSniffing] + (MediaType.isOfPages(type) ? documentFields(policy) : [])
  }

  /// An answer of the API that says its media type and how it is kept among `fields`.
  static func plain(_ status: Int, _ body: [UInt8] = [], _ fields: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(status: status, fields: fields + [noSniffing], body: body)
  }

  /// The OpenAPI description, which a cache asks about each time.
  static func description(_ body: [UInt8]) -> HTTPResponse {
    var response = plain(
      200, body, [HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-cache")])
    response.entityTag = tag(of: body)
    return response
  }

  /// A line of text that is only true now.
  static func probe(_ text: String) -> HTTPResponse {
    plain(200, Array(text.utf8), [HTTPField("Content-Type", "text/plain; charset=utf-8"), noStore])
  }

  static func json(
    _ status: Int, _ body: [UInt8], type: StaticString = "application/json", _ fields: [HTTPField] = []
  ) -> HTTPResponse {
    HTTPResponse(status: status, contentType: type, fields: [noStore, noSniffing] + fields, body: body)
  }

  /// A problem (RFC 9457), whose body is written already.
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

  /// A tag for a body that stays the same as long as the server lives.
  static func tag(of body: [UInt8]) -> String { String(ContentHash.fnv1a(body), radix: 36) }

  /// The answer to a reader that has this response already (RFC 9110 §15.4.5). It keeps the fields in which the reader's
  /// copy may have changed. Of the body the length alone is sent, which must be that one's or be left out (§8.6).
  var asNotModified: HTTPResponse {
    let kept = fields.filter { Self.ofNotModified.contains($0.name.description) }
    return HTTPResponse(status: 304, fields: kept, body: body, entityTag: entityTag)
  }

  /// This response in another one's place, which was chosen by the same fields of the request (RFC 9110 §12.5.5).
  func varying(as other: HTTPResponse) -> HTTPResponse {
    var response = self
    response.fields += other.fields.filter { $0.name.description == "Vary" }
    return response
  }

  private static let ofNotModified: Set = ["Cache-Control", "Vary", "Preference-Applied", "Retry-After"]
}
