// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

extension HTTPResponse {
  /// What every response carries (PROTOCOL §7).
  static let securityFields: [HTTPField] = [
    HTTPField(
      "Content-Security-Policy",
      """
      default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
      form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'
      """),
    HTTPField("X-Content-Type-Options", "nosniff"),
    HTTPField("Referrer-Policy", "no-referrer"),
    HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
    HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  static func plain(_ status: Int, _ body: [UInt8] = [], _ fields: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(status: status, fields: fields, body: body)
  }

  static func json(
    _ status: Int, _ body: [UInt8], type: StaticString = "application/json", _ fields: [HTTPField] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, contentType: type, fields: [HTTPField("Cache-Control", "no-store")] + fields, body: body)
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

  /// The frame that answers a change. What answers a POST or a PUT is not kept by caches unless it says so (RFC 9110
  /// §9.3.3, §9.3.4), and it does not.
  static func frame(_ message: Message, _ fields: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(
      status: 200, contentType: "application/json", fields: fields, body: message.json,
      entityTag: message.version.description)
  }

  static func noContent(_ fields: [HTTPField] = []) -> HTTPResponse {
    plain(204, [], [HTTPField("Cache-Control", "no-store")] + fields)
  }

  /// The reader has already what this response would bring (RFC 9110 §15.4.5): it keeps the fields in which its copy may
  /// have changed, and of the body the length alone is sent, which must be that one's or be left out (§8.6).
  var asNotModified: HTTPResponse {
    let kept = fields.filter { Self.ofNotModified.contains($0.name.description) }
    return HTTPResponse(status: 304, fields: kept, body: body, entityTag: entityTag)
  }

  private static let ofNotModified: Set = ["Cache-Control", "Vary", "Preference-Applied", "Retry-After"]
}
