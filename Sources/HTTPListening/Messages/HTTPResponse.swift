// SPDX-License-Identifier: MIT

/// One header field of a response.
public struct HTTPField: Sendable {
  public let name: StaticString
  public let value: String

  public init(_ name: StaticString, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The body of a response.
package enum HTTPBody: Sendable {
  case bytes([UInt8])
  case file(HTTPFile)
  /// No body, as the response answers HEAD or is a `304` (RFC 9110 §9.3.2, §15.4.5): only the length that it would have is
  /// sent. Where that is not known, the connection is closed.
  case unsent(length: Int?)

  /// The length of the body in bytes.
  package var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.count
    case .unsent(let length): length ?? 0
    }
  }
}

/// A whole response, with the fields that its kind needs.
///
/// `Content-Length`, `Date`, `Connection`, `Content-Type` and `ETag` are added when it is sent, the last two
/// from this value. A field without a value is left out. A field with a control character in its value is never
/// sent: the client gets an empty 500 instead.
package struct HTTPResponse: Sendable {
  /// The status code, 200 to 999.
  package var status: Int
  package var fields: [HTTPField]
  package var body: HTTPBody
  /// The media type of the body; `nil` if there is none, or if the fields have a `Content-Type`.
  package var contentType: StaticString?
  /// The opaque tag of the body (RFC 9110 §8.8.3). `ETag` has it in quotation marks, which are not part of it.
  /// It has visible characters without quotation marks. A tag with others is never sent, like any field that
  /// cannot be sent.
  package var entityTag: String?
  /// Whether the connection is closed after this response (`Connection: close`).
  package var closesConnection: Bool
  /// A note for counts of responses (`HTTPListenerConfiguration.onExchange`); never sent.
  package var note: UInt16 = 0

  package init(
    status: Int, contentType: StaticString? = nil, fields: [HTTPField], body: HTTPBody, entityTag: String? = nil,
    closesConnection: Bool = false
  ) {
    self.status = status
    self.contentType = contentType
    self.fields = fields
    self.body = body
    self.entityTag = entityTag
    self.closesConnection = closesConnection
  }

  package init(
    status: Int, contentType: StaticString? = nil, fields: [HTTPField], body: [UInt8], entityTag: String? = nil,
    closesConnection: Bool = false
  ) {
    self.init(
      status: status, contentType: contentType, fields: fields, body: .bytes(body), entityTag: entityTag,
      closesConnection: closesConnection)
  }
}

extension HTTPResponse {
  /// The response to a request that nobody answered before the server stopped.
  static func unavailable(_ fields: [HTTPField]) -> HTTPResponse {
    HTTPResponse(status: 503, fields: fields, body: [], closesConnection: true)
  }

  /// The same response, after which the connection is closed.
  var closing: HTTPResponse {
    var response = self
    response.closesConnection = true
    return response
  }

  /// The response in place of one that cannot be sent.
  static func failure(_ fields: [HTTPField]) -> HTTPResponse {
    HTTPResponse(status: 500, fields: fields, body: [], closesConnection: true)
  }
}
