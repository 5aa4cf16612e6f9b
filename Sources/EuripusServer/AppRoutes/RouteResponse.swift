// SPDX-License-Identifier: MIT
public import HTTPListening
public import JSONPatching
import ViewModels

/// The response of an app's route.
///
/// By default no cache keeps it, a browser does not guess its media type, and a page has the server's
/// Content-Security-Policy. A field that the response sets itself, such as `Cache-Control`, replaces each of
/// these.
public struct RouteResponse: Sendable {
  /// The status code, 200 to 599.
  public var status: Int
  /// The header fields. Their names are literals, so no text of a request can become one.
  public var fields: [HTTPField]
  public var body: [UInt8]
  /// The opaque tag of the body, without quotation marks, for a GET (RFC 9110 §8.8.3). With it the server
  /// answers conditions, with `304` if the client has this body already. Without it, conditions are left to the
  /// route.
  public var entityTag: String?
  /// Writes the rest of the body while it is sent; `nil` for a body that is whole.
  var write: Write?

  typealias Write = @Sendable (RouteWriter) async throws -> Void

  public init(status: Int = 200, fields: [HTTPField] = [], body: [UInt8] = []) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }

  /// This response with one more header field.
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

  /// A body that is made while it is sent, such as a large table.
  ///
  /// ```swift
  /// .stream(type: "text/csv; charset=utf-8") { writer in
  ///   for try await row in rows { try await writer.write(row.line) }
  /// }
  /// ```
  ///
  /// The client cannot know its length. If `write` throws, the connection is closed without an end of the body, so that the
  /// client does not take a part for the whole. `write` is cancelled when the client leaves. It is not called for `HEAD`.
  public static func stream(
    type: String, status: Int = 200, _ write: @escaping @Sendable (RouteWriter) async throws -> Void
  ) -> RouteResponse {
    var response = RouteResponse(status: status, fields: [HTTPField("Content-Type", type)])
    response.write = write
    return response
  }

  public static func text(_ text: String, status: Int = 200) -> RouteResponse {
    bytes(text.utf8, type: "text/plain; charset=utf-8", status: status)
  }

  /// A page. Texts in it that came from people must be escaped.
  public static func html(_ text: String, status: Int = 200) -> RouteResponse {
    bytes(text.utf8, type: "text/html; charset=utf-8", status: status)
  }

  /// JSON, of a value or of a literal: `.json(["ok": true])`.
  public static func json(_ value: JSON, status: Int = 200) -> RouteResponse {
    var writer = JSONWriter()
    writer.json(value)
    return bytes(writer.bytes, type: "application/json", status: status)
  }

  /// JSON of a value that has a JSON form of its own.
  public static func json(_ value: some JSONRepresentable, status: Int = 200) -> RouteResponse {
    var writer = JSONWriter()
    value.write(to: &writer)
    return bytes(writer.bytes, type: "application/json", status: status)
  }

  /// A table: one line for each row, with the row's cells (``CSV/bytes(_:escapingFormulas:)``).
  ///
  /// - Parameter escapingFormulas: whether a cell that a spreadsheet would take for a formula gets an apostrophe before it.
  public static func csv(
    _ rows: some Sequence<[String]>, escapingFormulas: Bool = false, status: Int = 200
  ) -> RouteResponse {
    bytes(CSV.bytes(rows, escapingFormulas: escapingFormulas), type: "text/csv; charset=utf-8", status: status)
  }

  /// Sends the client to another URL, or to a path of this server. With 303 the client then reads that.
  ///
  /// - Parameter status: 303. With 307 the client makes the same request there, and with 308 it does so for
  ///   good.
  public static func redirect(to url: String, status: Int = 303) -> RouteResponse {
    RouteResponse(status: status, fields: [HTTPField("Location", url)])
  }

  /// An answer without content.
  public static var empty: RouteResponse { RouteResponse(status: 204) }
}
