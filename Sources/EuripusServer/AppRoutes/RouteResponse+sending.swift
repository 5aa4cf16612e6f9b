// SPDX-License-Identifier: MIT
import HTTPListening

/// The fault of an app's response that cannot be sent.
struct RouteResponseFault: Error, CustomStringConvertible {
  let description: String
}

extension RouteResponse {
  /// The response, with the fields that its kind of content needs (PROTOCOL §7).
  func httpResponse(_ policy: ContentSecurityPolicy) throws(RouteResponseFault) -> HTTPResponse {
    guard (200...599).contains(status) else {
      throw RouteResponseFault(description: "the status is \(status); expected one from 200 to 599")
    }
    try Self.check(fields)
    if let entityTag, !entityTag.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }) {
      throw RouteResponseFault(description: "an entity tag has visible ASCII characters alone, without quotation marks")
    }
    var fields = fields
    let needed = HTTPResponse.routeFields(type: value("Content-Type"), hasBody: !body.isEmpty || write != nil, policy)
    fields += needed.filter { value("\($0.name)") == nil }
    // Responses with these statuses have no body (RFC 9110 §15.3.5, §15.4.5).
    let isBodiless = status == 204 || status == 304
    return HTTPResponse(status: status, fields: fields, body: isBodiless ? [] : body, entityTag: entityTag)
  }

  /// The value of a field; `nil` if there is none.
  private func value(_ name: String) -> String? {
    fields.first { "\($0.name)".lowercased() == name.lowercased() }?.value
  }

  /// The most bytes of its fields. They lie beside the request's head in the connection's memory.
  static let mostFieldBytes = 4_096
  private static let serverFields = ["connection", "content-length", "date", "etag", "transfer-encoding"]

  private static func check(_ fields: [HTTPField]) throws(RouteResponseFault) {
    var count = 0
    for field in fields {
      let name = "\(field.name)"
      count += name.utf8.count + field.value.utf8.count + 4
      guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
        throw RouteResponseFault(description: "'\(name)' is no name of a header field")
      }
      if serverFields.contains(name.lowercased()) {
        throw RouteResponseFault(description: "the server sets '\(name)' by itself; for ETag there is entityTag")
      }
      if field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
        throw RouteResponseFault(description: "the value of '\(name)' has a control character")
      }
    }
    if count > mostFieldBytes {
      throw RouteResponseFault(description: "the header fields have \(count) bytes; expected \(mostFieldBytes) at most")
    }
  }

  /// Whether a byte may stand in a token (RFC 9110 §5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
