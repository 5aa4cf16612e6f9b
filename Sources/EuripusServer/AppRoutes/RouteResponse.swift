// SPDX-License-Identifier: MIT
public import HTTPListening
public import JSONPatching

/// The response of a route of an app's own.
///
/// By default a cache keeps none of it: one with a `Cache-Control` of its own says otherwise. A browser does not guess its media
/// type, and a page has the server's Content-Security-Policy; fields of its own count before these, too.
public struct RouteResponse: Sendable {
  /// The status code, 200 to 599.
  public var status: Int
  /// The header fields. Their names are literals, so that nothing of a request can become one.
  public var fields: [HTTPField]
  public var body: [UInt8]
  /// The opaque tag of the body, without quotation marks, for a GET (RFC 9110 §8.8.3): the server then answers conditions, with
  /// `304` where the client has this already. Without it they are the route's own affair.
  public var entityTag: String?

  public init(status: Int = 200, fields: [HTTPField] = [], body: [UInt8] = []) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }

  /// The same with one more header field.
  public func adding(_ name: StaticString, _ value: String) -> RouteResponse {
    var response = self
    response.fields.append(HTTPField(name, value))
    return response
  }
}

extension RouteResponse {
  /// Bytes of a media type, such as `image/png`.
  public static func bytes(_ body: some Sequence<UInt8>, type: String, status: Int = 200) -> RouteResponse {
    RouteResponse(status: status, fields: [HTTPField("Content-Type", type)], body: Array(body))
  }

  public static func text(_ text: String, status: Int = 200) -> RouteResponse {
    bytes(text.utf8, type: "text/plain; charset=utf-8", status: status)
  }

  /// A page. Texts in it that came from people have to be escaped.
  public static func html(_ text: String, status: Int = 200) -> RouteResponse {
    bytes(text.utf8, type: "text/html; charset=utf-8", status: status)
  }

  /// JSON, of a value or of a literal: `.json(["ok": true])`.
  public static func json(_ value: JSON, status: Int = 200) -> RouteResponse {
    var writer = JSONWriter()
    writer.json(value)
    return bytes(writer.bytes, type: "application/json", status: status)
  }

  /// JSON of a value that knows its own.
  public static func json(_ value: some JSONRepresentable, status: Int = 200) -> RouteResponse {
    var writer = JSONWriter()
    value.write(to: &writer)
    return bytes(writer.bytes, type: "application/json", status: status)
  }

  /// A table, a row a line, each with its cells (RFC 4180).
  public static func csv(_ rows: some Sequence<[String]>, status: Int = 200) -> RouteResponse {
    let lines = rows.map { row in row.map(csvCell).joined(separator: ",") + "\r\n" }
    return bytes(lines.joined().utf8, type: "text/csv; charset=utf-8", status: status)
  }

  /// Sends the client to another URL, or to a path of this server, which it reads then.
  ///
  /// - Parameter status: 303, or where the request is to be made there as it is 307, or 308 for good.
  public static func redirect(to url: String, status: Int = 303) -> RouteResponse {
    RouteResponse(status: status, fields: [HTTPField("Location", url)])
  }

  /// The answer where there is nothing to say.
  public static var empty: RouteResponse { RouteResponse(status: 204) }

  private static func csvCell(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { !"\",\r\n".utf8.contains($0) }
    return isPlain ? text : "\"\(text.replacing("\"", with: "\"\""))\""
  }
}
